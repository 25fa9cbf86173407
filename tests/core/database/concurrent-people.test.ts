import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import { acknowledgeFaults, lockAlertsOf, wakeEngine } from '../../../src/core/alerts/faults/write-people.ts'
import { type AlertRuleValues, insertAlertRule, replaceAlertRule } from '../../../src/core/alerts/rules/write.ts'
import { changeAlert } from '../../../src/core/alerts/write.ts'
import { recordHost } from '../../../src/core/candidates/record-host.ts'
import { dropOldCandidates } from '../../../src/core/candidates/write-candidates.ts'
import { noteSources } from '../../../src/core/candidates/write-sources.ts'
import { writeCheckedStates } from '../../../src/core/checks/write-results.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { deleteDevice, updateDevice } from '../../../src/core/devices/write.ts'
import {
  deleteDeviceGroup,
  insertDeviceGroup,
  syncDynamicMembers,
  updateDeviceGroup,
} from '../../../src/core/groups/write.ts'
import { deleteLocation } from '../../../src/core/locations/write.ts'
import { insertSchedule } from '../../../src/core/maintenance/write.ts'
import { deletePollerGroup } from '../../../src/core/pollers/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { answering, SCAN } from '../candidates/hosts.ts'
import { newDevice } from '../discovery/factories.ts'
import { RARE, writeTogether } from './together.ts'

// People, the alert engine, searches for devices and the writers of groups and checks, all at the same time and as fast as
// they can, while devices are deleted. None of them may fail because something is deleted meanwhile, and none may
// lock in another order than the rest.

setDefaultTimeout(120_000)
const MONITORED = 20
const DELETIONS = 12
const RULES = 6
const GROUPS = 4
/** The location Hall 0, which stays. */
const HALL = 1
const ADDRESSES = 30
const EVERYTHING = { kind: 'all' } as const
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const any = (below: number): number => Math.floor(Math.random() * below)
const known = new Set<number>()
const one = (): number => [...known][any(known.size)] ?? 0

/** A device that is down or up, with three services. */
async function add(store: Store): Promise<void> {
  const id = await newDevice(store, { status: any(2), os: 'ios', ip: `10.1.0.${any(ADDRESSES) + 1}` })
  await store.sql`
    insert into services (device_id, service_ip, service_type, service_desc, service_param, service_ignore, service_changed,
      service_disabled, service_ds, service_message, service_status)
    select ${id}, '', 'http', '', '', 0, 0, 0, '{}', '', 0 from generate_series(1, 3)`
  known.add(id)
}

let named = 0
/** A rule that is met by devices that are down, mapped to some devices or none. */
const rule = (devices: readonly number[]): AlertRuleValues => ({
  severity: 'critical',
  extra: JSON.stringify({ delay: 0, interval: 1, count: -1 }),
  disabled: any(6) === 0 ? 1 : 0,
  name: `rule ${++named}`,
  query: '',
  builder: JSON.stringify({
    condition: 'AND',
    rules: [{ field: 'devices.status', operator: 'equal', value: '0' }],
  }),
  proc: null,
  invert_map: 0,
  notes: null,
  alert_operation_id: null,
  silenced: 0,
  newOperation: null,
  stepDurationS: null,
  runbook: undefined,
  devices,
  groups: [],
  locations: [],
})

const settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
const engineOf = (store: Store) =>
  createEngine({ store, settings, log: createLog('silent'), notified: () => undefined })
const engines = new Map<Store, ReturnType<typeof engineOf>>()

/** What each writer does in one turn. */
const writers = {
  async deletions(store: Store) {
    const id = one()
    known.delete(id)
    await deleteDevice(store, id, 'gone', '')
    await add(store)
  },
  async statuses({ sql }: Store) {
    await sql`update devices set status = 1 - status where device_id = ${one()}`
  },
  async engine(store: Store) {
    const engine = engines.get(store) ?? engineOf(store)
    engines.set(store, engine)
    await engine.round()
  },
  async people(store: Store) {
    const rows = await store.sql<{ id: number; state: number }[]>`
      select id, state from alerts where state in (1, 2) order by random() limit 1`
    for (const { id, state } of rows)
      await changeAlert(store, EVERYTHING, {
        ...{ id, state: state === 1 ? 2 : 1, until: null, username: 'anna' },
        ...{ line: 'seen', event: 'Alert acknowledged' },
      })
  },
  async peopleWithMany(store: Store) {
    const rows = await store.sql<{ id: number }[]>`select id from faults where live = 1 order by random() limit 10`
    const ids = rows.map(({ id }) => id)
    await store.sql.begin(async (tx) => {
      const alerts = await lockAlertsOf(store, tx, EVERYTHING, ids)
      await acknowledgeFaults(tx, { ids }, { by: 'anna', note: '', until: 'clear', untilAt: null })
      await wakeEngine(
        tx,
        alerts.map(({ id }) => id),
      )
    })
  },
  async rules(store: Store) {
    // mapped to no device: naming one that somebody else deletes is refused, rightly
    await replaceAlertRule(store, 1 + any(RULES), rule([]))
  },
  async refreshes(store: Store) {
    for (let id = 1; id <= GROUPS; id++)
      await syncDynamicMembers(store, id, {
        ...{ faults: { all: '', some: '' }, params: [], patterns: [] },
        members: `select device_id from devices where (device_id + ${any(4)}) % 4 < 2`,
      })
  },
  async groups(store: Store) {
    await updateDeviceGroup(store, 1 + any(GROUPS), { desc: `${any(100)}` }, [])
    const id = await insertDeviceGroup(store, { name: `${++named}`, desc: null, type: 'static', rules: null }, [])
    await deleteDeviceGroup(store, id)
  },
  async search(store: Store) {
    const deps = { ...{ store, settings }, limits: { candidates: 15, perDevice: 5 }, gateway: {} as never }
    const host = { sysName: `host${any(20)}`, serials: [`S${any(20)}`] }
    await recordHost({ ...deps, reverse: async () => null }, answering(anyAddress(), host, 0, heardFrom(one())))
  },
  async neighbours(store: Store) {
    const target = () => ({ address: anyAddress(), pollerGroup: 0, source: heardFrom(one()) })
    await noteSources(store, Array.from({ length: 10 }, target))
    await dropOldCandidates(store, 1)
  },
  async checks(store: Store) {
    const rows = await store.sql<{ id: number }[]>`select service_id as id from services order by random() limit 40`
    const state = { changed: 1, message: '', ds: null, attempt: 1, tookMs: 1, lastStatus: 0, lastMessage: '' }
    const states = rows.map(({ id }) => ({ ...state, serviceId: id, status: any(2), at: Date.now() }))
    await writeCheckedStates(store, states, [])
  },
  async edits(store: Store) {
    await updateDevice(store, one(), { purpose: `${any(1000)}`, poller_group: any(3) }, `Hall ${any(4)}`)
  },
  async places(store: Store) {
    const [place] = await store.sql<{ id: number }[]>`
      select id from locations where id <> ${HALL} order by random() limit 1`
    if (place !== undefined) await deleteLocation(store, place.id)
    await deletePollerGroup(store, 1 + any(2))
  },
  async maintenance(store: Store) {
    const now = new Date()
    const window = { title: 'works', notes: '', behavior: 1, start: now, end: now } as const
    await insertSchedule(store, { ...window, target: { kind: 'location', id: HALL } }, { userId: 1, line: 'works' })
  },
}

const anyAddress = (): string => `10.1.0.${any(ADDRESSES) + 1}`
const heardFrom = (deviceId: number) => ({
  ...SCAN,
  ...({ kind: 'lldp', scanId: null, deviceId, remoteName: `host${any(20)}`, remotePort: `${any(2)}` } as const),
})

test('people, the alert engine and searches for devices do not deadlock', async () => {
  const { store } = database
  for (let n = 0; n < MONITORED; n++) await add(store)
  await store.sql`insert into alert_transports (transport_name, transport_type, is_default, transport_config)
    values ('first', 'webhook', 1, '{}'), ('second', 'webhook', 1, '{}')`
  await store.sql`insert into locations (id, location) overriding system value values (${HALL}, 'Hall 0')`
  await store.sql`select setval(pg_get_serial_sequence('locations', 'id'), ${HALL})`
  await store.sql`insert into users (user_id, username) overriding system value values (1, 'anna')`
  await store.sql`insert into users_prefs (user_id, pref, value) values (1, 'add_schedule_note_to_device', '1')`
  for (let n = 0; n < RULES; n++) expect(await insertAlertRule(store, rule([]))).toBeLessThanOrEqual(RULES)
  const group = { desc: null, type: 'dynamic', rules: '{}' } as const
  for (let n = 0; n < GROUPS; n++) await insertDeviceGroup(store, { ...group, name: `group ${n}` }, [])

  const all = Object.entries(writers)
  const { done, deadlocks } = await writeTogether(
    database,
    [...all, ['deletions', writers.deletions], ['people', writers.people]],
    DELETIONS,
  )
  for (const engine of engines.values()) await engine.stop()
  for (const name of Object.keys(writers)) expect([name, done[name]]).toEqual([name, expect.any(Number)])
  expect(deadlocks).toBeLessThan(RARE)
})
