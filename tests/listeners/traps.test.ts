import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { BerWriter } from '../../src/snmp/ber.ts'
import { encodeMessage } from '../../src/snmp/message.ts'
import { PDU } from '../../src/snmp/pdu.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { LIVE, listening, NOTHING, type Running, ran } from './support.ts'

setDefaultTimeout(60_000)

const LOCAL = '127.0.0.1'
const LINK_DOWN = '1.3.6.1.6.3.1.1.5.3'
const LINK_UP = '1.3.6.1.6.3.1.1.5.4'
let database: TestDatabase
let running: Running | null = null
beforeEach(async () => {
  database = await testDatabase()
  await database.store.sql`
    insert into devices (device_id, hostname, ip, community, snmpver) values
      (1, 'sw1.example.net', ${LOCAL}, 'secret1', 'v2c'), (2, 'sw2.example.net', '192.0.2.7', 'secret2', 'v2c')`
  await database.store.sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName") values (77, 1, 3, 'Gi0/3')`
})
afterEach(async () => {
  await running?.stop(2000)
  running = null
  await database.drop()
})

async function start(live: Partial<typeof LIVE> = {}): Promise<Running & { readonly at: string }> {
  running = await listening(database, {
    addresses: { ...NOTHING, trapsUdp: `${LOCAL}:0` },
    live: { ...LIVE, ...live },
  })
  return { ...running, at: `${LOCAL}:${running.ports['traps.udp']}` }
}

interface Event {
  readonly device_id: number
  readonly message: string
  readonly reference: string | null
  readonly severity: number
}

async function events(count: number): Promise<Event[]> {
  return await eventually(async () => {
    const rows = await database.store.sql<Event[]>`
      select device_id, message, reference, severity from eventlog where type = 'trap' order by event_id`
    return rows.length >= count ? [...rows] : null
  })
}

const has = Bun.which('snmptrap') !== null
if (!has) console.warn('snmptrap is missing: traps are not tested')

test.skipIf(!has)('v1 and v2c traps become events with names, port and severity, and ask for a poll', async () => {
  const { at, polls, stored } = await start()
  const ifIndex = ['1.3.6.1.2.1.2.2.1.1.3', 'i', '3', '1.3.6.1.2.1.2.2.1.2.3', 's', 'GigabitEthernet0/3']
  await ran('snmptrap', '-v2c', '-c', 'secret1', at, '', LINK_DOWN, ...ifIndex)
  await events(1)
  await ran('snmptrap', '-v1', '-c', 'secret1', at, '1.3.6.1.4.1.8072', '192.0.2.7', '3', '0', '', ...ifIndex)
  await events(2)
  await ran(
    'snmptrap',
    '-v1',
    '-c',
    'secret1',
    at,
    '1.3.6.1.4.1.99999',
    '',
    '6',
    '17',
    '',
    '1.3.6.1.4.1.99999.1',
    'x',
    'ffee',
  )
  await events(3)
  await ran(
    'snmptrap',
    '-v2c',
    '-c',
    'secret1',
    at,
    '',
    '1.3.6.1.6.3.1.1.5.5',
    '1.3.6.1.6.3.18.1.4.0',
    's',
    'tellnobody',
  )
  expect(await events(4)).toEqual([
    {
      device_id: 1,
      message: 'SNMP trap IF-MIB::linkDown: IF-MIB::ifIndex.3 = 3, IF-MIB::ifDescr.3 = "GigabitEthernet0/3"',
      reference: '77',
      severity: 4,
    },
    {
      device_id: 1,
      message: 'SNMP trap IF-MIB::linkUp: IF-MIB::ifIndex.3 = 3, IF-MIB::ifDescr.3 = "GigabitEthernet0/3"',
      reference: '77',
      severity: 1,
    },
    {
      device_id: 1,
      message: 'SNMP trap 1.3.6.1.4.1.99999.0.17: 1.3.6.1.4.1.99999.1 = FF EE',
      reference: null,
      severity: 2,
    },
    { device_id: 1, message: 'SNMP trap SNMPv2-MIB::authenticationFailure', reference: null, severity: 3 },
  ])
  await eventually(async () => (stored.length === 4 ? true : null))
  expect(polls).toEqual([1, 1])
  expect(stored[0]).toEqual({ table: 'eventlog', deviceIds: [1] })
})

test.skipIf(!has)('the community must be that of the device or in the setting', async () => {
  const { at, dropped } = await start({ communities: ['shared'] })
  await ran('snmptrap', '-v2c', '-c', 'wrong', at, '', LINK_DOWN)
  await ran('snmptrap', '-v2c', '-c', 'secret2', at, '', LINK_DOWN)
  await ran('snmptrap', '-v2c', '-c', 'shared', at, '', LINK_UP)
  expect((await events(1)).map(({ message }) => message)).toEqual(['SNMP trap IF-MIB::linkUp'])
  await eventually(async () => (dropped('traps', 'credentials') === 2 ? true : null))
})

test.skipIf(!has)('the agent address is trusted only from relays', async () => {
  const { at, configure } = await start({ communities: ['shared'] })
  const v1 = ['-v1', '-c', 'shared', at, '1.3.6.1.4.1.8072', '192.0.2.7', '2', '0', '']
  await ran('snmptrap', ...v1)
  expect((await events(1))[0]?.device_id).toBe(1)
  configure({ ...LIVE, communities: ['shared'], trapRelays: [LOCAL] })
  await ran('snmptrap', ...v1)
  expect((await events(2))[1]?.device_id).toBe(2)
  await ran('snmptrap', '-v2c', '-c', 'shared', at, '', LINK_UP, '1.3.6.1.6.3.18.1.3.0', 'a', '192.0.2.7')
  expect((await events(3))[2]).toMatchObject({ device_id: 2, message: 'SNMP trap IF-MIB::linkUp' })
})

test.skipIf(!has)('informs are acknowledged and stored once', async () => {
  const { at, counts } = await start()
  await ran('snmpinform', '-v2c', '-c', 'secret1', '-r', '1', '-t', '20', at, '', LINK_UP)
  expect(await events(1)).toHaveLength(1)
  const refused = ran('snmpinform', '-v2c', '-c', 'wrong', '-r', '0', '-t', '1', at, '', LINK_UP)
  expect(await refused.catch((error: unknown) => String(error))).toContain('Timeout')
  await eventually(async () => (counts().traps.received === 2 ? true : null))
  expect(await events(1)).toHaveLength(1)
})

const USER = {
  authlevel: 'authPriv',
  authname: 'trapper',
  authpass: 'authauth1',
  authalgo: 'SHA',
  cryptopass: 'privpriv1',
  cryptoalgo: 'AES',
} as const
const V3 = ['-v3', '-u', 'trapper', '-l', 'authPriv', '-a', 'SHA', '-A', 'authauth1', '-x', 'AES', '-X', 'privpriv1']

test.skipIf(!has)('v3 traps and informs are authenticated, decrypted and answered', async () => {
  const { at, dropped } = await start({ users: [USER] })
  const engine = ['-e', '0x8000000001020304']
  await ran('snmptrap', ...V3, ...engine, at, '', LINK_DOWN)
  await events(1)
  await ran('snmpinform', ...V3, '-r', '1', '-t', '20', at, '', LINK_UP)
  expect((await events(2)).map(({ message }) => message)).toEqual([
    'SNMP trap IF-MIB::linkDown',
    'SNMP trap IF-MIB::linkUp',
  ])
  const weak = ['-v3', '-u', 'trapper', '-l', 'authNoPriv', '-a', 'SHA', '-A', 'authauth1']
  await ran('snmptrap', ...weak, ...engine, at, '', LINK_DOWN)
  const wrong = V3.map((word) => (word === 'authauth1' ? 'authauth2' : word))
  await ran('snmptrap', ...wrong, ...engine, at, '', LINK_DOWN)
  await ran('snmptrap', '-v3', '-u', 'nobody', '-l', 'noAuthNoPriv', ...engine, at, '', LINK_DOWN)
  await eventually(async () => (dropped('traps', 'credentials') === 3 ? true : null))
  expect(await events(2)).toHaveLength(2)
})

test.skipIf(!has)("traps with the device's own v3 user are accepted", async () => {
  await database.store.sql`
    update devices set snmpver = 'v3', authlevel = 'authNoPriv', authname = 'own', authpass = 'ownownown', authalgo = 'SHA-256'
    where device_id = 1`
  const { at } = await start()
  const own = ['-v3', '-u', 'own', '-l', 'authNoPriv', '-a', 'SHA-256', '-A', 'ownownown', '-e', '0x8000000001020304']
  await ran('snmptrap', ...own, at, '', '1.3.6.1.6.3.1.1.5.1')
  expect((await events(1))[0]).toMatchObject({ message: 'SNMP trap SNMPv2-MIB::coldStart', severity: 4 })
})

test('malformed datagrams are counted, and a device that floods is limited', async () => {
  const { ports, dropped, counts } = await start({ communities: ['public'] })
  const socket = await Bun.udpSocket({ hostname: LOCAL })
  const port = ports['traps.udp'] ?? 0
  for (let i = 0; i < 50; i++) socket.send(crypto.getRandomValues(new Uint8Array(1 + i * 20)), port, LOCAL)
  socket.send(Uint8Array.fromHex('3003020101'), port, LOCAL)
  await eventually(async () => (dropped('traps', 'malformed') === 51 ? true : null))
  const trap = encodeMessage(new BerWriter(), {
    version: 'v2c',
    community: new TextEncoder().encode('public'),
    type: PDU.TrapV2,
    requestId: 1,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [{ oid: '1.3.6.1.6.3.1.1.4.1.0', value: { kind: 'ObjectIdentifier', value: LINK_UP } }],
  })
  for (let i = 0; i < 700; i++) {
    socket.send(trap, port, LOCAL)
    if (i % 50 === 0) await Bun.sleep(1)
  }
  socket.close()
  await eventually(async () => (dropped('traps', 'rate') > 0 ? true : null))
  await eventually(async () => (counts().traps.waiting === 0 ? true : null))
  expect(counts().traps.stored).toBeLessThanOrEqual(600)
})
