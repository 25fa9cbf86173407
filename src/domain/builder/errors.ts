/** A builder that cannot be used. The message is public; API operations use messages of their own instead. */
export class BuilderError extends Error {
  override readonly name = 'BuilderError'
}
