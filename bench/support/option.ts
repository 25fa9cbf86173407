/** The number after `--name` on the command line. */
export function option(name: string, otherwise: number): number {
  const given = textOption(name)
  return given === undefined ? otherwise : Number(given)
}

/** The argument after `--name` on the command line; undefined: the option is not given. */
export function textOption(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** Settings given with `--set NAME=VALUE`, as arguments of `serve`. */
export function settingsGiven(): string[] {
  return process.argv.flatMap((arg, i) => (arg === '--set' ? [arg, process.argv[i + 1] ?? ''] : []))
}
