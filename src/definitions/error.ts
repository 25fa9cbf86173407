/**
 * A definition file is invalid; `path` says where, for example `ios.detect[0].sysDescr`. It fails the
 * build; from source it is reported by `definitionFaults`.
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
