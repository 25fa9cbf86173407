/** The time range of a dashboard, and the selected values of its variables. */
export interface Choice {
  /** Seconds since 1970. */
  readonly from: number
  readonly to: number
  readonly intervalMs: number
  /** Values of variables; `null`: all. */
  readonly values: Readonly<Record<string, readonly string[] | null>>
}

/** What `All` stands for, by name of the variable. */
export type AllValues = Readonly<Record<string, string>>

/** The statement that Grafana's PostgreSQL data source sends, without its setting `timescaledb`. */
export function expand(sql: string, choice: Choice, all: AllValues): string {
  const { from, to, intervalMs, values } = choice
  const text = sql
    .replaceAll('$__interval_ms', String(intervalMs))
    .replaceAll('$__interval', `${Math.max(1, Math.round(intervalMs / 1000))}s`)
    .replace(/\$\{(\w+)(?::(\w+))?\}/g, (whole, name: string, format: string | undefined) => {
      if (!(name in values)) throw new Error(`no variable ${whole}`)
      const chosen = values[name]
      if (chosen == null) return all[name] ?? ''
      if (format !== 'sqlstring') throw new Error(`${whole} is not quoted`)
      return chosen.map((value) => `'${value.replaceAll("'", "''")}'`).join(',')
    })
  const expanded = text.replace(/\$__(\w+)\(([^)]*)\)/g, (_, name: string, args: string) =>
    macro(
      name,
      args.split(',').map((arg) => arg.trim()),
      from,
      to,
    ),
  )
  const left = /\$(?:__\w+|\{\w+)/.exec(expanded)
  if (left !== null) throw new Error(`${left[0]} is unknown`)
  return expanded
}

const quoted = (seconds: number) => `'${new Date(seconds * 1000).toISOString()}'`

function macro(name: string, args: readonly string[], from: number, to: number): string {
  const [column = ''] = args
  switch (name) {
    case 'time':
      return `${column} AS "time"`
    case 'timeEpoch':
      return `extract(epoch from ${column}) as "time"`
    case 'timeFilter':
      return `${column} BETWEEN ${quoted(from)} AND ${quoted(to)}`
    case 'timeFrom':
      return quoted(from)
    case 'timeTo':
      return quoted(to)
    case 'timeGroup':
    case 'timeGroupAlias': {
      const seconds = secondsOf(args[1] ?? '')
      return `floor(extract(epoch from ${column})/${seconds})*${seconds}${name === 'timeGroup' ? '' : ' AS "time"'}`
    }
    case 'unixEpochFilter':
      return `${column} >= ${from} AND ${column} <= ${to}`
    case 'unixEpochFrom':
      return String(from)
    case 'unixEpochTo':
      return String(to)
    default:
      throw new Error(`macro ${name} is unknown`)
  }
}

const WIDTHS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

function secondsOf(text: string): number {
  const [, count, unit = ''] = /^'?(\d+)([smhdw])'?$/.exec(text) ?? []
  const width = WIDTHS[unit]
  if (count === undefined || width === undefined) throw new Error(`interval ${text}`)
  return Number(count) * width
}
