/** A backup that cannot be created, read or restored. The message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
