/**
 * A definition file is invalid; `path` says where, for example `ios.detect[0].sysDescr`. This is a programming error,
 * so it fails the build.
 */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(`${path}: ${problem}`)
  }
}
