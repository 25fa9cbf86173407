import { rangeOf } from '../../lib/plausible.ts'
import { statement, type Tx } from './write-rows.ts'

/** Discovered sensors as they are passed on; their type is checked where they are read. */
type Found = Readonly<Record<string, unknown>>

const LIMITS = ['sensor_limit', 'sensor_limit_warn', 'sensor_limit_low', 'sensor_limit_low_warn'] as const

/**
 * Replaces the stored limits of sensors that have none although some are known now, or that have limits which cannot be:
 * guessed from a value that was none, two that are equal, or an upper one that is the least 16-bit integer as the agent
 * sent it, which means "not set". All others stay, those of people above all.
 */
export async function replaceWrongLimits(tx: Tx, deviceId: number, found: readonly object[]): Promise<void> {
  const rows = (found as readonly Found[]).map((row) => {
    const [least, most] = rangeOf(String(row['sensor_class']))
    const { sensor_class, sensor_type, sensor_index } = row
    const limits = Object.fromEntries(LIMITS.map((name) => [name, row[name] ?? null]))
    return { sensor_class, sensor_type, sensor_index, ...limits, guessed: row['limits_guessed'] ?? 0, least, most }
  })
  if (rows.length === 0) return
  await statement(
    tx,
    `update sensors s set sensor_limit = f.sensor_limit, sensor_limit_warn = f.sensor_limit_warn,
       sensor_limit_low = f.sensor_limit_low, sensor_limit_low_warn = f.sensor_limit_low_warn, limits_guessed = f.guessed
     from jsonb_to_recordset($2::text::jsonb) as f(sensor_class text, sensor_type text, sensor_index text,
       sensor_limit float8, sensor_limit_warn float8, sensor_limit_low float8, sensor_limit_low_warn float8,
       guessed int2, least float8, most float8)
     where s.device_id = $1 and s.sensor_custom = 'No' and s.sensor_class = f.sensor_class
       and s.sensor_type = f.sensor_type and s.sensor_index = f.sensor_index
       and (coalesce(s.sensor_limit, s.sensor_limit_warn, s.sensor_limit_low, s.sensor_limit_low_warn) is null
         and coalesce(f.sensor_limit, f.sensor_limit_warn, f.sensor_limit_low, f.sensor_limit_low_warn) is not null
         or s.sensor_limit not between f.least and f.most or s.sensor_limit_low not between f.least and f.most
         or s.sensor_limit = s.sensor_limit_low or s.sensor_limit_warn = s.sensor_limit_low_warn
         or round(s.sensor_limit * s.sensor_divisor / nullif(s.sensor_multiplier, 0)) = -32768)`,
    [deviceId, JSON.stringify(rows)],
  )
}
