import { makeAlertScenario } from './alert-scenario.ts'
import { testLooks } from './looks.ts'
import { alerting } from './looks-addresses.ts'

const at = { alert: 0, over: 0, open: 0 }

testLooks(
  'alerts and their faults',
  () => alerting({ alert: at.alert, faults: [at.open, at.over] }),
  async ({ api }) => {
    const { alertId } = await makeAlertScenario(api)
    const rows = await api.store.sql<{ id: number; state: number }[]>`
      select id::int, state from faults where alert_id = ${alertId} order by id`
    at.alert = alertId
    at.over = rows.find(({ state }) => state === 0)?.id ?? 0
    at.open = rows.find(({ state }) => state === 1)?.id ?? 0
    const long = 'waiting for-a-part-with-a-very-long-number-'.repeat(8)
    const { sql } = api.store
    await sql`insert into fault_history (fault_id, what, by, note) values (${at.open}, 'note', 'anna', ${long})`
    await sql`update faults set message = message || ', ' || ${'x'.repeat(200)} where id = ${at.open}`
  },
)
