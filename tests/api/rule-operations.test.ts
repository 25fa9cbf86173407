import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type TestApi, testApi } from '../support/api.ts'

setDefaultTimeout(60_000)

let api: TestApi
let noc = 0
let night = 0
beforeAll(async () => {
  api = await testApi({})
  const { transports } = api.services
  const settings = { url: 'https://hooks.example.net/a' }
  noc = await transports.add({ kind: 'webhook', name: 'NOC', isDefault: true, settings, rules: [] })
  await transports.putGroup('night', ['NOC'])
  night = (await transports.groups())[0]?.transport_group_id ?? 0
})
afterAll(() => api.drop())

const BUILDER = { condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: 'ios' }] }
let n = 0
const draft = () => ({ name: `rule ${++n}`, severity: 'warning', devices: [-1], builder: BUILDER })

/** A rule as v0 shows it. */
async function shown(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await api.call('GET', '/api/v0/rules')
  const found = (json as { rules: Record<string, unknown>[] }).rules.find((rule) => rule['name'] === name)
  if (found === undefined) throw new Error(`no rule ${name}`)
  return found
}
async function add(members: object): Promise<Readonly<Record<string, unknown>>> {
  const body = { ...draft(), ...members }
  const answer = await api.call('POST', '/api/v0/rules', { body })
  expect(answer.json).toEqual({ status: 'ok' })
  return await shown(body.name)
}
async function edit(rule: Readonly<Record<string, unknown>>, members: object) {
  const { id: rule_id, name } = rule
  const answer = await api.call('PUT', '/api/v0/rules', { body: { ...draft(), name, rule_id, ...members } })
  expect(answer.json).toEqual({ status: 'ok' })
  return await shown(String(name))
}
const silenced = async ({ id }: Readonly<Record<string, unknown>>) => {
  const [row] = await api.store.sql<{ silenced: number }[]>`select silenced from alert_rules where id = ${Number(id)}`
  return row?.silenced
}
const segment = (members: object) => ({ transports: [noc], ...members })

test('operations of a new rule become one of its own, and are read as they were written', async () => {
  const rule = await add({
    default_operation_step_duration: '5 m',
    operations: [
      segment({ position: 1, escalation_step_from: 6, escalation_step_to: 6, transports: [`g${night}`] }),
      segment({ position: 0, escalation_step_from: '1', escalation_step_to: 5, step_duration_seconds: 60 }),
      segment({ position: 2, operation_phase: 'recovery', transports: [String(noc), { id: `g${night}` }] }),
    ],
  })
  const { alert_operation_id: id, operations, default_operation_step_duration_seconds: step } = rule
  expect([step, id]).toEqual([300, expect.any(Number)])
  const name = `Rule ${String(rule['name'])}`
  const common = { id, name, operation_phase: 'problem', start_in_seconds: 0, step_duration_seconds: 0 }
  expect(operations).toEqual([
    {
      ...{ ...common, position: 0, escalation_step_from: 1, escalation_step_to: 5, step_duration_seconds: 60 },
      transports: [{ id: String(noc), text: 'webhook: NOC' }],
    },
    {
      ...{ ...common, position: 1, escalation_step_from: 6, escalation_step_to: 6 },
      transports: [{ id: `g${night}`, text: 'group: night' }],
    },
    {
      ...{ ...common, position: 2, operation_phase: 'recovery', escalation_step_from: 1, escalation_step_to: null },
      transports: [
        { id: String(noc), text: 'webhook: NOC' },
        { id: `g${night}`, text: 'group: night' },
      ],
    },
  ])
  // sent back as it was read, it stays as it is
  expect(await edit(rule, { alert_operation_id: id, operations })).toMatchObject({ alert_operation_id: id, operations })
  // a client that knows nothing of operations changes nothing about them
  expect(await edit(rule, { severity: 'ok' })).toMatchObject({ alert_operation_id: id, operations, severity: 'ok' })
  // another rule by its id
  const other = await add({ alert_operation_id: id })
  expect(other).toMatchObject({ alert_operation_id: id, operations })
  // the duration is that of the operation, for both rules
  await edit(other, { default_operation_step_duration: '1h' })
  expect(await shown(String(rule['name']))).toMatchObject({ default_operation_step_duration_seconds: 3600 })
  // operations alone make a new one
  const changed = await edit(rule, { operations: [segment({})] })
  expect(changed['alert_operation_id']).not.toBe(id)
  expect(changed['operations']).toMatchObject([{ name: `${name} (2)`, escalation_step_from: 1 }])
})

test('null silences a rule; a rule that is sent back as it was read stays as it was', async () => {
  const silent = await add({ alert_operation_id: null })
  expect(silent).toMatchObject({ alert_operation_id: null, operations: [] })
  expect(await silenced(silent)).toBe(1)
  expect(await silenced(await edit(silent, silent))).toBe(1)
  expect(await silenced(await edit(silent, {}))).toBe(1)

  const loud = await add({})
  expect(await silenced(loud)).toBe(0)
  expect(await silenced(await edit(loud, { alert_operation_id: null, operations: [] }))).toBe(0)
  expect(await silenced(await edit(loud, { alert_operation_id: null }))).toBe(1)
  const [{ id } = { id: 0 }] = await api.services.operations.list(SYSTEM)
  const again = await edit(loud, { alert_operation_id: id })
  expect([again['alert_operation_id'], await silenced(again)]).toEqual([id, 0])
})

test.each([
  ['an operation that does not exist', { alert_operation_id: 2_147_483_647 }, 'Invalid alert_operation_id: 2147483647'],
  ['text', { alert_operation_id: 'x' }, 'Invalid alert_operation_id: "x"'],
  ['a flag', { alert_operation_id: true }, 'Invalid alert_operation_id: true'],
  ['a group', { alert_operation_id: 'g1' }, 'Invalid alert_operation_id: "g1"'],
  ['no list', { operations: { transports: [1] } }, 'Invalid operations: expected a list of segments'],
  ['no transports', { operations: [{}] }, 'Invalid operations: segment 1 has no transports'],
  ['an unknown transport', { operations: [{ transports: ['2147483647'] }] }, 'There is no transport 2147483647'],
  ['an unknown group', { operations: [{ transports: ['g2147483647'] }] }, 'There is no transport group 2147483647'],
  ['no id', { operations: [{ transports: ['x1'] }] }, 'segment 1 has transport "x1", expected ids as in 3 or g2'],
  ['an unknown phase', { operations: [{ transports: [1], operation_phase: 'later' }] }, 'has phase "later"'],
  ['too many segments', { operations: Array(1000).fill({ transports: [1] }) }, '1000 segments, at most 50'],
  ['too many transports', { operations: [{ transports: Array(1000).fill(1) }] }, '1000 transports, at most 50'],
  ['a duration without an operation', { default_operation_step_duration: '5m' }, 'and the rule has none'],
  ...[0, -1, 1e300, 'NaN', 1.5, 1e6].map(
    (step) =>
      [
        `first step ${step}`,
        { operations: [{ transports: [1], escalation_step_from: step }] },
        'the first step is a whole number from 1 to',
      ] as const,
  ),
  ...[-1, 1e300, 'x'].map(
    (seconds) =>
      [
        `a step of ${seconds} s`,
        { operations: [{ transports: [1], step_duration_seconds: seconds }] },
        'a step takes 0 to',
      ] as const,
  ),
] as const)('%s is refused with the reason', async (_, members: object, reason: string) => {
  const body = { ...draft(), ...members }
  const answer = await api.call('POST', '/api/v0/rules', { body })
  expect([answer.status, (answer.json as { message: string }).message]).toEqual([400, expect.stringContaining(reason)])
  const left = await api.store.sql`select from alert_rules where name = ${body.name}`
  expect(left).toHaveLength(0)
})

test('a role that sees no transports sees the steps without them', async () => {
  const rule = await add({ operations: [segment({})] })
  const { token, username } = await api.token([])
  await api.services.users.defineRole('watcher', ['alertrule.viewany'])
  await api.services.users.setRoles(username, ['watcher', 'user'])
  const [device] = await api.store.sql<
    { id: number }[]
  >`insert into devices (hostname) values ('own') returning device_id as id`
  await api.services.users.grant(username, { deviceIds: [device?.id ?? 0] })
  const { json } = await api.call('GET', `/api/v0/rules/${String(rule['id'])}`, { token })
  expect((json as { rules: object[] }).rules[0]).toMatchObject({
    alert_operation_id: rule['alert_operation_id'],
    operations: [{ escalation_step_from: 1, transports: [] }],
  })
})
