/**
 * A definition file is invalid; `path` says where, for example `ios.detect[0].sysDescr`. A programming error: the build
 * fails on it.
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
