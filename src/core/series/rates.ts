/** Bits per second as SQL: octets, in a period of milliseconds. */
export const bitsPerSecond = (octets: string, periodMs: string): string => `${octets} * 8000.0::float8 / ${periodMs}`

/** Columns `in_bps` and `out_bps` of samples of ports `alias`; null: unknown. */
export const portRates = (alias: string): string =>
  ['in', 'out']
    .map((way) => `${bitsPerSecond(`${alias}.${way}_octets`, `${alias}.period_ms`)} as ${way}_bps`)
    .join(', ')
