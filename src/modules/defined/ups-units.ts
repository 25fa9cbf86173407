import type { SensorRow } from '../observation.ts'
import type { HookInput } from './hook-input.ts'

/** Frequencies of mains, Hz, with room for bad mains and converters. In tenths of a hertz they are above this. */
const WHOLE_HERTZ = [40, 75] as const

/**
 * UPS-MIB gives frequencies in 0.1 Hz and currents in 0.1 A (RFC 1628). Cards of Tripp Lite and others give both in
 * whole units, which their frequencies show: mains of 6 Hz do not exist.
 */
export function inUpsUnits(row: SensorRow, { read }: HookInput): SensorRow {
  const divisor = row.sensor_divisor
  if (divisor !== 10 || row.sensor_current === null || !hasWholeHertz(read)) return row
  return { ...row, sensor_divisor: 1, sensor_current: Number((row.sensor_current * divisor).toPrecision(14)) }
}

function hasWholeHertz({ scalars, tables }: HookInput['read']): boolean {
  const lines = [...(tables['input']?.rows.values() ?? [])]
  // the rows of any table have members by column name
  const frequencies = lines.map((line) => (line as Readonly<Record<string, unknown>>)['upsInputFrequency'])
  const sent = [scalars['upsOutputFrequency'], scalars['upsBypassFrequency'], ...frequencies]
  const known = sent.map(Number).filter((hertz) => hertz > 0)
  return known.length > 0 && known.every((hertz) => hertz >= WHOLE_HERTZ[0] && hertz <= WHOLE_HERTZ[1])
}
