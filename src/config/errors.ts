/** One thing wrong with one setting of one source. */
export interface SettingProblem {
  /** Where it stands: `environment variable PORTLIGHT_PORT`, `./portlight.toml`. */
  readonly source: string
  /** The name as it stands there. */
  readonly name: string
  readonly message: string
}

/** Settings that cannot be used. `problems` names every one; `message` is all of them, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly SettingProblem[]) {
    super(problems.map(describeProblem).join('\n'))
  }
}

/** One line for a person. */
export function describeProblem({ source, name, message }: SettingProblem): string {
  return name === '' ? `${source}: ${message}` : `${source}: ${name}: ${message}`
}
