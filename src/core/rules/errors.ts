/** A builder that cannot be used. The message may be shown; API operations use their own messages instead. */
export class BuilderError extends Error {
  override readonly name = 'BuilderError'
}
