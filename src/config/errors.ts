/** A problem with one setting in one source. */
export interface SettingProblem {
  /** Where the setting was given: `environment variable PORTLIGHT_PORT`, `./portlight.toml`. */
  readonly source: string
  /** The name as written there. */
  readonly name: string
  readonly message: string
}

/** Invalid settings. `problems` lists all of them; `message` has one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly SettingProblem[]) {
    super(problems.map(describeProblem).join('\n'))
  }
}

/** The problem as one readable line. */
export function describeProblem({ source, name, message }: SettingProblem): string {
  return name === '' ? `${source}: ${message}` : `${source}: ${name}: ${message}`
}
