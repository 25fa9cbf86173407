import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { encodeMessage, FLAG, MessageView } from '@portlight/snmp/message.ts'
import { TrapEncoder, userKeys } from '@portlight/snmp/own-message.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import { digest } from '@portlight/snmp/usm/auth.ts'
import { KeyCache } from '@portlight/snmp/usm/key.ts'
import { trapEvent } from '../../../../src/core/logs/receive/traps/event.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'
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

/** The user's level, and a trap of it whose msgFlags have the reportable flag, which net-snmp cannot set. */
function flaggedTrap(
  level: 'noAuthNoPriv' | 'authNoPriv' | 'authPriv',
  authname: string,
  bootsOfEngine: number,
): Uint8Array {
  const user = { ...USER, authlevel: level, authname }
  const engine = { id: Uint8Array.fromHex('8000000001020307'), boots: bootsOfEngine, time: 10 }
  const message = new TrapEncoder().encode(engine, user, 7, { oid: LINK_UP, upTime: 1, varbinds: [] })
  // msgFlags: an OCTET STRING of one octet, before msgSecurityModel 3
  const at = message.findIndex(
    (_, i) => message.subarray(i, i + 2).toHex() === '0401' && message.subarray(i + 3, i + 6).toHex() === '020103',
  )
  message[at + 2] = (message[at + 2] ?? 0) | FLAG.reportable
  const auth = userKeys(user, engine.id, new KeyCache())?.auth ?? null
  if (auth !== null) {
    const view = new MessageView()
    view.decode(message)
    const { start, end } = view.authParameters
    message.fill(0, start, end)
    message.set(digest(auth.protocol, auth.key, message), start)
  }
  return message
}

test('v3 traps with the reportable flag are stored, and those that are refused are counted by reason', async () => {
  const plain = { ...USER, authlevel: 'noAuthNoPriv', authname: 'plain' } as const
  const signed = { ...USER, authlevel: 'authNoPriv', authname: 'signed' } as const
  const { ports, dropped, counts } = await start({ users: [plain, signed, USER] })
  const answers: Uint8Array[] = []
  const socket = await Bun.udpSocket({
    hostname: LOCAL,
    binaryType: 'uint8array',
    socket: { data: (_socket, data) => void answers.push(data.slice()) },
  })
  const send = (message: Uint8Array) => socket.send(message, ports['traps.udp'] ?? 0, LOCAL)
  send(flaggedTrap('noAuthNoPriv', 'plain', 5))
  send(flaggedTrap('authNoPriv', 'signed', 5))
  send(flaggedTrap('authPriv', USER.authname, 5))
  expect(await events(3)).toHaveLength(3)
  send(flaggedTrap('authNoPriv', 'signed', 4))
  await eventually(async () => (dropped('traps', 'clock') === 1 ? true : null))
  send(flaggedTrap('noAuthNoPriv', 'nobody', 5))
  send(flaggedTrap('authPriv', 'nobody', 5))
  await eventually(async () => (dropped('traps', 'credentials') === 2 ? true : null))
  const { received, stored, dropped: all } = counts().traps
  expect({ received, stored, lost: Object.values(all).reduce((sum, count) => sum + count, 0) }).toEqual({
    received: 6,
    stored: 3,
    lost: 3,
  })
  // what may be an inform for another engine is told ours
  await eventually(async () => (answers.length === 1 ? true : null))
  socket.close()
})

test('well-known notifications have the severity of what they say, in either form of their OID', () => {
  const severityOf = (trap: string) =>
    trapEvent({ version: 'v2c', community: '', trap, agentAddr: null, requestId: 1, varbinds: [], response: null })
  expect(severityOf('1.3.6.1.2.1.33.2.0.1')).toMatchObject({
    severity: 4,
    message: 'SNMP trap UPS-MIB::upsTrapOnBattery',
  })
  expect(severityOf('1.3.6.1.2.1.33.2.1')).toMatchObject({
    severity: 4,
    message: 'SNMP trap UPS-MIB::upsTrapOnBattery',
  })
  expect(severityOf('1.3.6.1.2.1.33.2.4').severity).toBe(1)
  expect(severityOf('1.3.6.1.4.1.318.0.5')).toMatchObject({
    severity: 4,
    message: 'SNMP trap PowerNet-MIB::upsOnBattery',
  })
  expect(severityOf('1.3.6.1.4.1.318.0.7').severity).toBe(5)
  expect(severityOf('1.3.6.1.4.1.318.0.9').severity).toBe(1)
  expect(severityOf('1.3.6.1.4.1.534.1.11.4.1.0.3').severity).toBe(4)
  expect(severityOf('1.3.6.1.2.1.15.0.2').severity).toBe(4)
  expect(severityOf('1.3.6.1.2.1.15.7.1').severity).toBe(1)
  expect(severityOf('1.3.6.1.4.1.9.9.13.3.0.4').severity).toBe(5)
  expect(severityOf('1.3.6.1.4.1.99999.0.1')).toMatchObject({ severity: 2, poll: false })
  expect(severityOf('1.3.6.1.6.3.1.1.5.3')).toMatchObject({ severity: 4, poll: true })
})
