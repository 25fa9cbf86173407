import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../../src/config/settings.ts'
import { createDispatcher } from '../../../../src/core/alerts/dispatcher.ts'
import { createEngine } from '../../../../src/core/alerts/engine.ts'
import type { AlertNotification } from '../../../../src/core/alerts/transports/notification.ts'
import { outboxCounts } from '../../../../src/core/alerts/write-outbox.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'

setDefaultTimeout(240_000)

const log = createLog('silent')
const SWITCHES = 100
const PORTS = 50
const CORE = SWITCHES + 1

let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, status) select n, 'sw-' || n, 1 from generate_series(1, ${SWITCHES}) n`
  await sql`insert into devices (device_id, hostname, status) values (${CORE}, 'core-1', 1)`
  await sql`insert into device_relationships (parent_device_id, child_device_id) select ${CORE}, n from generate_series(1, ${SWITCHES}) n`
  await sql`insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", "ifAdminStatus")
    select d, p, 'Gi1/0/' || p, 'up', 'up' from generate_series(1, ${SWITCHES}) d, generate_series(1, ${PORTS}) p`
  await sql`insert into alert_transports (transport_name, transport_type, is_default) values ('NOC', 'mail', 1)`
  const builder = { condition: 'AND', rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }] }
  await sql`insert into alert_rules (severity, extra, name, query, builder)
    values ('critical', '{}', 'Port down', '', ${JSON.stringify(builder)})`
}, 120_000)
afterEach(async () => {
  await database?.drop()
}, 60_000)

test('5,000 ports down on 100 switches behind one core are one message, and so is their recovery', async () => {
  const { store } = database
  const sent: AlertNotification[] = []
  const engine = createEngine({ store, settings: createSettings({}), log, notified: () => undefined })
  // sent when all is stored, because how much is stored by the time of the first message depends on the machine
  const settled = async () => {
    await engine.round()
    const dispatcher = createDispatcher({
      store,
      log,
      async deliver(_, notification) {
        sent.push(notification)
        return { kind: 'delivered' }
      },
    })
    dispatcher.start()
    await eventually(async () => ((await outboxCounts(store)).waiting === 0 ? true : null))
    await dispatcher.stop()
  }
  try {
    await store.sql`update ports set "ifOperStatus" = 'down'`
    await settled()
    await store.sql`update ports set "ifOperStatus" = 'up'`
    await settled()
  } finally {
    await engine.stop()
  }
  expect(sent.map(({ kind, title, state }) => ({ kind, title, state }))).toEqual([
    { kind: 'alert', title: 'Alert: Port down on 100 devices behind core-1, 5,000 faults', state: 1 },
    { kind: 'recovery', title: 'Recovered: Port down on 100 devices behind core-1', state: 0 },
  ])
  const [down] = sent
  expect(down?.text).toMatch(/^- sw-\d+ Gi1\/0\/\d+ is down.*, and 49 more$/m)
  expect(down?.text).toContain('- and 50 more alerts')
})
