/** An option of a built-in check: its names on the command line, and whether a value follows. */
export interface OptionSpec {
  readonly names: readonly string[]
  readonly value: boolean
}

/** The values of each option, in order; a flag has ''. */
export type Options<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>

export type ParsedOptions<Name extends string> =
  | { readonly kind: 'options'; readonly options: Options<Name> }
  | { readonly kind: 'unknown'; readonly argument: string }
  | { readonly kind: 'incomplete'; readonly argument: string }

/**
 * Reads arguments like getopt_long: `-p 80`, `-p80`, `--port 80`, `--port=80`, `-Sv`. Arguments that are not options
 * are `unknown`.
 */
export function parseOptions<Name extends string>(
  specs: Readonly<Record<Name, OptionSpec>>,
  list: readonly string[],
): ParsedOptions<Name> {
  const byName = new Map<string, [Name, OptionSpec]>()
  for (const [name, spec] of Object.entries<OptionSpec>(specs)) {
    for (const written of spec.names) byName.set(written, [name as Name, spec])
  }
  const found: Partial<Record<Name, string[]>> = {}
  const add = (name: Name, value: string) => {
    const values = found[name] ?? []
    values.push(value)
    found[name] = values
  }
  for (let i = 0; i < list.length; i++) {
    let argument = list[i] ?? ''
    const whole = argument
    if (argument.startsWith('--')) {
      const at = argument.indexOf('=')
      const known = byName.get(at < 0 ? argument : argument.slice(0, at))
      if (known === undefined || (at >= 0 && !known[1].value)) return { kind: 'unknown', argument: whole }
      const value = at >= 0 ? argument.slice(at + 1) : known[1].value ? list[++i] : ''
      if (value === undefined) return { kind: 'incomplete', argument: whole }
      add(known[0], value)
      continue
    }
    if (!argument.startsWith('-') || argument === '-') return { kind: 'unknown', argument: whole }
    for (argument = argument.slice(1); argument !== ''; argument = argument.slice(1)) {
      const known = byName.get(`-${argument.charAt(0)}`)
      if (known === undefined) return { kind: 'unknown', argument: whole }
      if (!known[1].value) {
        add(known[0], '')
        continue
      }
      const value = argument.length > 1 ? argument.slice(1) : list[++i]
      if (value === undefined) return { kind: 'incomplete', argument: whole }
      add(known[0], value)
      break
    }
  }
  return { kind: 'options', options: found }
}
