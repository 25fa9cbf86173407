import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Actor } from '../../../src/core/base/actor.ts'
import { RULE_TABLES } from '../../../src/core/rules/read-tables.ts'
import { mint } from '../../support/api.ts'
import { createWorld, type World } from './world.ts'

setDefaultTimeout(120_000)

let world: World
/** May do everything, with one granted device. */
let author: Actor
/** Role `user` with the same device, and no more permissions than this role has. */
let user: Actor
beforeAll(async () => {
  world = await createWorld()
  author = await actorOf(world.token)
  const { services } = world.api
  const person = await world.api.token(['user'])
  await services.users.grant(person.username, { deviceIds: [world.mine('devices')] })
  user = await actorOf(person.token)
})
afterAll(() => world.api.drop())

async function actorOf(token: string): Promise<Actor> {
  const actor = await world.api.services.auth.authenticate(token, () => '127.0.0.1')
  if (actor === null) throw new Error('no actor')
  return actor
}

const builderOf = (...rules: readonly (readonly [field: string, operator: string, value?: string])[]) =>
  JSON.stringify({ condition: 'AND', rules: rules.map(([field, operator, value]) => ({ field, operator, value })) })

const tried = (actor: Actor, builder: string, invert = false) =>
  world.api.services.ruleTrial.run(actor, {
    ...{ builder, invert, invertMap: false, devices: [], groups: [], locations: [] },
  })

test('no rule sees a row of a device or bill that is not granted, whatever table it reads', async () => {
  const seen: unknown[] = []
  const broken: unknown[] = []
  for (const table of RULE_TABLES.values()) {
    const [column] = table.columns.keys()
    const field = `${table.name === 'ports_live' ? 'ports' : table.name}.${column}`
    for (const invert of [false, true]) {
      const trial = await tried(author, builderOf([field, 'is_not_null']), invert)
      if (trial.kind === 'broken') broken.push([field, trial.why])
      else if (/foreign|\b9000\d{5}\b/.test(JSON.stringify(trial.shown))) seen.push([field, trial.shown])
      else if (trial.devices > 1) seen.push([field, trial.devices])
    }
  }
  expect({ seen, broken }).toEqual({ seen: [], broken: [] })
})

test('a bill of a granted port tells nothing to those who do not see the bill', async () => {
  const { sql } = world.api.store
  const [bill] = await sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('secret customer', 'quota', 'in', '', '', '') returning bill_id as id`
  await sql`insert into bill_ports (bill_id, port_id) values (${bill?.id ?? 0}, ${world.mine('ports')})`
  const named = builderOf(['bills.bill_name', 'begins_with', 's'])
  const joined = builderOf(['bill_ports.bill_id', 'equal', String(bill?.id)])
  const macro = builderOf(['bills.bill_name', 'begins_with', 'secret'], ['macros.bill_quota_over_quota', 'is_null'])
  const shared = builderOf(['bills.bill_name', 'equal', 'shared bill'])
  for (const builder of [named, joined, macro]) {
    const rows = (await tried(author, builder)) as { rows: number }
    // `shared bill` also begins with s and is granted
    expect([builder, rows.rows]).toEqual([builder, builder === named ? 1 : 0])
  }
  expect(await tried(author, shared)).toMatchObject({ kind: 'matches', devices: 1, rows: 1 })
  await sql`delete from bills where bill_id = ${bill?.id ?? 0}`
})

test('hidden columns cannot be compared, not even by an administrator', async () => {
  const hidden = ['devices.community', 'devices.authpass', 'devices.CryptoPass', 'devices.authname']
  const texts = ['services.service_param', 'SERVICES.service_param', 'devices_attribs.attrib_value']
  for (const field of [...hidden, ...texts, 'ospf_ports.ospfIfAuthKey']) {
    const own = builderOf([field, 'begins_with', 'a'])
    const asValue = builderOf(['devices.hostname', 'contains', `\`${field}\``])
    for (const builder of [own, asValue]) {
      const { json, status } = await world.api.call('POST', '/api/v0/rules', {
        body: { name: `h ${mint()}`, severity: 'ok', devices: [-1], builder: JSON.parse(builder) },
      })
      expect([field, status, (json as { status: string }).status]).toEqual([field, 400, 'error'])
      expect(await tried(author, builder)).toMatchObject({ kind: 'broken' })
    }
  }
})

test('a table that the person may not list cannot be queried', async () => {
  for (const field of ['vlans.vlan_name', 'ports_vlans.vlan', 'device_claims.poller'])
    expect(await tried(user, builderOf([field, 'is_not_null']))).toMatchObject({
      kind: 'broken',
      why: expect.stringContaining('which you may not see'),
    })
})

test('a stored rule or group reads only what its author sees of every device that it applies to', async () => {
  const rule = (field: string) => ({
    body: {
      ...{ name: `s ${mint()}`, severity: 'ok', devices: [world.mine('devices')] },
      builder: { condition: 'AND', rules: [{ field, operator: 'is_not_null' }] },
    },
    token: world.token,
  })
  const status = async (field: string) => (await world.api.call('POST', '/api/v0/rules', rule(field))).status
  expect(await status('bills.bill_name')).toBe(403)
  expect(await status('bill_ports.port_id')).toBe(403)
  expect(await status('macros.bill_quota_over_quota')).toBe(403)
  expect(await status('sensors.sensor_current')).toBe(200)
  await world.api.services.users.defineRole('rules-only', ['alertrule.create', 'devicegroup.create'])
  const { token, username } = await world.api.token([])
  await world.api.services.users.setRoles(username, ['rules-only', 'global-read'])
  const builder = (field: string) => ({ condition: 'AND', rules: [{ field, operator: 'is_not_null' }] })
  const group = (field: string) => ({
    body: { name: `g ${mint()}`, type: 'dynamic', rules: JSON.stringify(builder(field)) },
    token,
  })
  expect((await world.api.call('POST', '/api/v0/devicegroups', group('bills.bill_name'))).status).toBe(201)
  await world.api.services.users.setRoles(username, ['rules-only'])
  await world.api.services.users.grant(username, { deviceIds: [world.mine('devices')] })
  const answer = await world.api.call('POST', '/api/v0/rules', { ...rule('eventlog.message'), token })
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('eventlog')])
  expect((await world.api.call('POST', '/api/v0/rules', { ...rule('devices.os'), token })).status).toBe(200)
})
