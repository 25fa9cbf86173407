/** A builder that cannot be used. The message is public; API operations have words of their own in its place. */
export class BuilderError extends Error {
  override readonly name = 'BuilderError'
}
