import { afterEach, beforeEach, setDefaultTimeout } from 'bun:test'
import { createSettings, type SettingsHolder } from '../../../src/config/settings.ts'
import { createEngine, type Engine } from '../../../src/core/alerts/engine.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(120_000)

export const log = createLog('silent')
export const MINUTE_MS = 60_000

export let database: TestDatabase
export let settings: SettingsHolder
export let engine: Engine
export let now: number

/** Gives each test of a file a database with two devices and a transport, and an engine whose clock stands still. */
export function useEngine(): void {
  beforeEach(async () => {
    database = await testDatabase()
    settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
    now = Date.now()
    engine = createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined })
    const { sql } = database.store
    await sql`
    insert into devices (device_id, hostname, status, community, authpass, authname, cryptopass)
    values (1, 'sw1', 1, 'secret-1', 'secret-2', 'secret-3', 'secret-4'), (2, 'sw2', 1, null, null, null, null)`
    await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default, transport_config)
    values (1, 'first', 'webhook', 1, '{"url": "secret-5"}')`
  }, 60_000)
  afterEach(async () => {
    await engine?.stop()
    await database?.drop()
  }, 60_000)
}

/** Replaces the engine of the test, which has been stopped. */
export const replaceEngine = (other: Engine): void => {
  engine = other
}

interface Options {
  readonly rules?: readonly (readonly [field: string, operator: string, value: string])[]
  readonly extra?: object
  readonly invertMap?: boolean
}

export async function addRule(name: string, { rules, extra = {}, invertMap = false }: Options = {}): Promise<number> {
  const compared = (rules ?? [['devices.status', 'equal', '0']]).map(([field, operator, value]) => ({
    field,
    operator,
    value,
  }))
  const [row] = await database.store.sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder, invert_map)
    values ('critical', ${JSON.stringify(extra)}, ${name}, '', ${JSON.stringify({ condition: 'AND', rules: compared })},
      ${invertMap ? 1 : 0}) returning id`
  return row?.id ?? 0
}

export const setStatus = (device: number, status: number) =>
  database.store.sql`update devices set status = ${status} where device_id = ${device}`

/** States by rule and device. */
export async function states(): Promise<Record<string, number>> {
  const rows = await database.store.sql<{ key: string; state: number }[]>`
    select rule_id || '/' || device_id as key, state from alerts order by rule_id, device_id`
  return Object.fromEntries(rows.map(({ key, state }) => [key, state]))
}

/** Kinds in the outbox, oldest first. */
export async function outbox(): Promise<string[]> {
  const rows = await database.store.sql<{ kind: string }[]>`select kind from alert_outbox order by id`
  return rows.map(({ kind }) => kind)
}

export const later = async (ms: number): Promise<void> => {
  now += ms
  await engine.round()
}
