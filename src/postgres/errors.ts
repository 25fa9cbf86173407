/** The embedded database cannot be started or is in other hands. The message tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}
