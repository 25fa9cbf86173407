import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAs } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { isPlausible } from '../../src/lib/plausible.ts'
import type { SensorRow } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { discover } from './agent.ts'
import { load } from './recorded.ts'

/** Recordings of real devices; not in this repository. */
const FOLDERS = ['devices', 'devices-more'].map((name) => join(import.meta.dir, '../../../shared', name))
const present = FOLDERS.filter((folder) => existsSync(folder))
if (present.length === 0) console.warn(`no device recordings in ${FOLDERS}: limits of sensors are not tried on them`)

const NAMES = new Set(['defined-health', 'entity-sensors', 'lm-sensors'])
const modules = MODULES.filter(({ name }) => NAMES.has(name))

const textOf = (value: SnmpValue | undefined): string | null =>
  value === undefined ? null : (readAs(value, 'DisplayString') ?? null)

/** The sensors that the built-in modules find in a recording. */
async function sensorsOf(folder: string, name: string): Promise<readonly SensorRow[]> {
  const values = load(folder, name)
  const [, os = null] = /"os": ?"([\w.-]+)"/.exec(readFileSync(join(folder, `${name}.expected.json`), 'utf8')) ?? []
  const sysObjectID = textOf(values.get('1.3.6.1.2.1.1.2.0'))
  const facts = { os, sysObjectID, sysDescr: textOf(values.get('1.3.6.1.2.1.1.1.0')) }
  const found = await discover(modules, { values, asked: [] }, facts)
  return found.flatMap((o) => (o.kind === 'sensors' ? [...o.rows] : []))
}

/** An optic that sends or receives no light: below any budget, no bias current, or the 0 that some send instead. */
const isDark = ({ sensor_class, sensor_current: value }: SensorRow): boolean =>
  value !== null &&
  ((sensor_class === 'dbm' && (value <= -20 || value === 0)) || (sensor_class === 'current' && value === 0))

const isBeyond = ({ sensor_current: value, sensor_limit: high, sensor_limit_low: low }: SensorRow): boolean =>
  value !== null && ((high !== null && value > high) || (low !== null && value < low))

/** Each sensor whose limits cannot be. */
function impossible(row: SensorRow): boolean {
  const { sensor_limit: high, sensor_limit_low: low, sensor_limit_warn: warn, sensor_limit_low_warn: lowWarn } = row
  const factor = row.sensor_multiplier / (row.sensor_divisor || 1)
  const limits = [high, low, warn, lowWarn].filter((limit) => limit !== null)
  return (
    limits.some((limit) => !isPlausible(row.sensor_class, limit) || Math.round(limit / factor) === -(2 ** 15)) ||
    (high !== null && high === low) ||
    (warn !== null && warn === lowWarn)
  )
}

describe.skipIf(present.length === 0)('limits on recordings of real devices', () => {
  test('every limit can be, and no device is critical in more than a few values without a stated reason', async () => {
    const wrong: string[] = []
    const critical: string[] = []
    for (const folder of present) {
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.expected.json'))) {
        const name = file.slice(0, -'.expected.json'.length)
        const rows = await sensorsOf(folder, name)
        wrong.push(...rows.filter(impossible).map((row) => `${name} ${row.sensor_class} ${row.sensor_descr}`))
        // the weather, of which the guessed limits know nothing
        const beyond = rows.filter(
          (row) => isBeyond(row) && !isDark(row) && !(row.sensor_class === 'humidity' && row.limits_guessed === 1),
        )
        if (beyond.length > 2) critical.push(`${name}: ${beyond.map((row) => row.sensor_descr).join(', ')}`)
      }
    }
    expect(wrong).toEqual([])
    // one optic that is out of its specification in power and current
    expect(critical.filter((line) => !line.startsWith('timos: 3/1/1'))).toEqual([])
  }, 600_000)
})
