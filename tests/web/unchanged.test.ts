import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { PAGES } from '../../src/web/pages.ts'
import { everyPermission } from '../core/access/world.ts'
import { fillDevice } from '../support/fill.ts'
import { addressOf } from './page-addresses.ts'
import { type SentForm, sentForms } from './sent-forms.ts'
import { ORIGIN, type Person, type TestWeb, testWeb } from './support.ts'

// A form that is stored as it was shown changes nothing: neither for lists that are longer than a page shows, nor for
// people who see only a part of what is stored. A page is tested as soon as it is in the table of pages.

setDefaultTimeout(600_000)

/** More than a form lists. */
const MANY = 2600
/** Buttons that store what the form shows. */
const STORES = new Set([
  'save',
  'identity',
  'snmp',
  'watching',
  'modules',
  'groups',
  'parents',
  'limits',
  'settings',
  'change',
  'roles',
  'define',
])
/** What requests write besides: who signed in, what was done when, and counts of it. */
const LOGS = new Set(['authlog', 'eventlog', 'sessions', 'log_counts', 'log_totals', 'alert_log', 'audits', 'users'])

let web: TestWeb
let ids: ReadonlyMap<string, number>
let own: number
beforeAll(async () => {
  web = await testWeb({ enable_billing: 'true', show_services: 'true' })
  const { store } = web.api
  ;({ ids } = await fillDevice(store, 10_000, 'filled'))
  own = ids.get('devices') ?? 0
  const { sql } = store
  await sql`update devices set no_parents = 0, timeout = null, retries = null`
  await sql`delete from device_relationships`
  await sql`delete from computed_parents`
  await sql`update bills set bill_quota = 0`
  await sql`update device_groups set rules = null, pattern = null`
  await sql`update alert_rules set runbook = null`
  await sql`insert into devices (device_id, hostname, snmpver, community, port, transport)
    select 100000 + n, 'many' || n, 'v2c', 'x', 161, 'udp' from generate_series(1, ${MANY}) n`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName") select 100000 + n, 100000 + n, 1, 'eth' || n from generate_series(1, ${MANY}) n`
  await sql`insert into device_group_device (device_group_id, device_id)
    select ${ids.get('device_groups') ?? 0}, 100000 + n from generate_series(1, ${MANY}) n`
  await sql`insert into port_group_port (port_group_id, port_id)
    select ${ids.get('port_groups') ?? 0}, 100000 + n from generate_series(1, ${MANY}) n`
  await sql`insert into bill_ports (bill_id, port_id) select ${ids.get('bills') ?? 0}, 100000 + n from generate_series(1, ${MANY}) n`
  await sql`delete from on_call_layers`
  await sql`insert into alert_device_map (rule_id, device_id)
    select ${ids.get('alert_rules') ?? 0}, 100000 + n from generate_series(1, ${MANY}) n`
})
afterAll(() => web.drop())

type Rows = ReadonlyMap<string, ReadonlySet<string>>

async function stored(): Promise<Rows> {
  const { sql } = web.api.store
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  const rows = new Map<string, ReadonlySet<string>>()
  for (const { name } of tables) {
    if (LOGS.has(name)) continue
    const found = await sql.unsafe<{ row: string }[]>(
      `select (to_jsonb(t) - array['updated_at', 'updated', 'changed_at', 'last_changed'])::text as row from "${name}" t`,
    )
    rows.set(name, new Set(found.map(({ row }) => row)))
  }
  return rows
}

/** What a form changed in a table: rows that are gone and new ones, and the columns in which the first ones differ. */
interface Change {
  readonly table: string
  readonly gone: number
  readonly made: number
  readonly columns: readonly string[]
}

function difference(before: Rows, after: Rows): Change[] {
  return [...before].flatMap(([table, rows]) => {
    const now = after.get(table) ?? new Set<string>()
    const gone = [...rows].filter((row) => !now.has(row))
    const made = [...now].filter((row) => !rows.has(row))
    if (gone.length + made.length === 0) return []
    const [old, young] = [gone[0], made[0]].map((row) => JSON.parse(row ?? '{}') as Readonly<Record<string, unknown>>)
    const columns = Object.keys({ ...old, ...young }).filter(
      (name) => JSON.stringify(old?.[name]) !== JSON.stringify(young?.[name]),
    )
    return [{ table, gone: gone.length, made: made.length, columns }]
  })
}

async function send({ cookie, csrf }: Person, address: string, { fields, button }: SentForm): Promise<number> {
  const body = new URLSearchParams()
  for (const [name, value] of fields) if (name !== 'csrf') body.append(name, value)
  body.append('csrf', csrf)
  body.append('do', button)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }
  return (await web.send(address, { method: 'POST', cookie, headers, body: body.toString() })).status
}

/** Sends every form that stores something, as it is shown. Statuses by form, and what was changed. */
async function sentAsShown(person: Person) {
  const changes: (Change & { readonly form: string })[] = []
  const statuses = new Map<string, number>()
  let before = await stored()
  for (const { path, actions } of PAGES) {
    const stores = Object.keys(actions ?? {}).some((name) => STORES.has(name))
    if (!stores || path.endsWith('/new')) continue
    const address = addressOf(path, ids, person.userId)
    const html = await (await web.send(address, { cookie: person.cookie })).text()
    for (const [at, form] of (await sentForms(html)).entries()) {
      if (!STORES.has(form.button)) continue
      const name = `${address} ${form.button} ${at}`
      statuses.set(name, await send(person, form.address ?? address, form))
      const after = await stored()
      for (const change of difference(before, after)) changes.push({ form: name, ...change })
      before = after
    }
  }
  return { changes, statuses }
}

test('what an administrator stores as it is shown loses nothing, and changes nothing the second time', async () => {
  const admin = await web.signedIn(['admin'])
  // the first time rules get the form in which they are stored
  const first = await sentAsShown(admin)
  expect(first.changes.filter(({ gone, made }) => gone > made)).toEqual([])
  const { changes, statuses } = await sentAsShown(admin)
  expect(changes).toEqual([])
  // 422: what the world holds there is not valid
  expect([...statuses].filter(([, status]) => ![200, 303, 422].includes(status))).toEqual([])
  expect(statuses.size).toBeGreaterThan(15)
})

test('nor does what is stored by people who see one device of those that a list names', async () => {
  const { users } = web.api.services
  await users.defineRole('everything', everyPermission(web.api))
  const person = await web.signedIn([])
  await users.setRoles(person.username, ['everything'])
  await users.grant(person.username, { deviceIds: [own], billIds: [ids.get('bills') ?? 0] })
  const { changes, statuses } = await sentAsShown(person)
  expect(changes).toEqual([])
  expect([...statuses.values()].filter((status) => status === 200 || status === 303).length).toBeGreaterThan(5)
})
