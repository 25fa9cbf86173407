import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { portListReader } from '../../src/modules/vlans/port-list.ts'
import { agentOf, discover, gauge, int, moduleOf, octets, only, row, text } from './agent.ts'

const BASE_PORT = '1.3.6.1.2.1.17.1.4.1.2'
const PLAIN_FDB = '1.3.6.1.2.1.17.4.3.1.2'
const Q_FDB = '1.3.6.1.2.1.17.7.1.2.2.1.2'
const EGRESS = '1.3.6.1.2.1.17.7.1.4.2.1.4'
const UNTAGGED = '1.3.6.1.2.1.17.7.1.4.2.1.5'
const NAME = '1.3.6.1.2.1.17.7.1.4.3.1.1'
const PVID = '1.3.6.1.2.1.17.7.1.4.5.1.1'
const VTP = '1.3.6.1.4.1.9.9.46.1.3.1.1'
const TRUNK = '1.3.6.1.4.1.9.9.46.1.6.1.1'
const VM_VLAN = '1.3.6.1.4.1.9.9.68.1.2.2.1.2'
const IEEE_FDB = '1.3.111.2.802.1.1.4.1.2.2.1.2'
/** 02:00:00:00:00, as the start of an index. */
const MAC = '2.0.0.0.0'

const OTHER = '1.3.6.1.4.1.99999.1'
type Cells = Readonly<Record<string, SnmpValue>>

const run = (module: string, cells: Cells, sysObjectID = OTHER) =>
  discover([moduleOf(MODULES, module)], agentOf(cells), { sysObjectID })
const members = async (cells: Cells, sysObjectID?: string) =>
  only(await run('vlans', cells, sysObjectID), 'port-vlans').rows.map((r) => [
    r.vlan,
    r.ifIndex,
    r.baseport,
    r.untagged,
  ])
const addresses = async (cells: Cells, sysObjectID?: string) =>
  only(await run('fdb', cells, sysObjectID), 'fdb').rows.map((r) => [r.mac_address, r.vlan, r.ifIndex])

describe('port lists', () => {
  const bytes = (sent: string) => new TextEncoder().encode(sent)

  test('pairs of hex digits are text; a single digit is an empty list', () => {
    const read = portListReader([bytes('c0 00 01'), bytes('0'), undefined, bytes('')])
    expect(read(bytes('c0 00 01'))).toEqual([1, 2, 24])
    expect(read(bytes('80 00 00 '))).toEqual([1])
    expect(read(bytes('0'))).toEqual([])
    expect(read(bytes(''))).toEqual([])
    expect(read(undefined)).toEqual([])
  })

  test('octets that merely look like digits are a mask, and one mask shows that all are', () => {
    // ports 3 and 4 of an agent with eight ports
    expect(portListReader([bytes('0')])(bytes('0'))).toEqual([3, 4])
    const read = portListReader([bytes('00 00'), Uint8Array.of(0, 0x80)])
    expect(read(Uint8Array.of(0, 0x80))).toEqual([9])
    expect(read(bytes('0'))).toEqual([3, 4])
  })

  test('a million octets are read', () => {
    const many = bytes('ff '.repeat(350_000))
    expect(portListReader([many])(many)).toHaveLength(8 * 350_000)
  })

  test('an agent that sends text has members', async () => {
    const cells = {
      [`${BASE_PORT}.1`]: int(101),
      [`${BASE_PORT}.10`]: int(110),
      [`${NAME}.7`]: text('seven'),
      [`${EGRESS}.0.7`]: text('80 40'),
      [`${UNTAGGED}.0.7`]: text('00 40'),
      [`${EGRESS}.0.8`]: text('0'),
    }
    expect(await members(cells)).toEqual([
      [7, 101, 1, 0],
      [7, 110, 10, 1],
    ])
  })
})

describe('bridge ports that are counted from 0', () => {
  const base = { [`${BASE_PORT}.0`]: int(1), [`${BASE_PORT}.1`]: int(2), [`${BASE_PORT}.4`]: int(5) }

  test('are one less than the numbers in other tables', async () => {
    const cells = { ...base, [`${NAME}.7`]: text('seven'), [`${EGRESS}.0.7`]: octets('c8') }
    expect(await members(cells)).toEqual([
      [7, 1, 0, 0],
      [7, 2, 1, 0],
      [7, 5, 4, 0],
    ])
    expect(await addresses({ ...base, [`${Q_FDB}.7.${MAC}.1`]: int(5), [`${Q_FDB}.7.${MAC}.2`]: int(1) })).toEqual([
      ['020000000001', 7, 5],
      ['020000000002', 7, 1],
    ])
  })

  test('are the numbers themselves if those are all known', async () => {
    expect(await addresses({ ...base, [`${Q_FDB}.7.${MAC}.1`]: int(4), [`${Q_FDB}.7.${MAC}.2`]: int(1) })).toEqual([
      ['020000000001', 7, 5],
      ['020000000002', 7, 2],
    ])
  })
})

describe('a bridge that lists no VLANs', () => {
  const vlans = async (cells: Cells) => only(await run('vlans', cells), 'vlans').rows.map((r) => r.vlan_vlan)

  test('has those of its ports and of its learned addresses', async () => {
    const cells = {
      [`${BASE_PORT}.1`]: int(101),
      [`${PVID}.1`]: gauge(200),
      [`${PVID}.2`]: gauge(0),
      [`${PVID}.3`]: gauge(16_777_217),
      [`${Q_FDB}.30.${MAC}.1`]: int(1),
      [`${Q_FDB}.30.${MAC}.2`]: int(1),
      [`${Q_FDB}.0.${MAC}.3`]: int(1),
      [`${Q_FDB}.524288.${MAC}.3`]: int(1),
      [`${Q_FDB}.${MAC}.3`]: int(1),
    }
    expect(await vlans(cells)).toEqual([30, 200])
    expect(only(await run('vlans', cells), 'vlans').rows[0]).toEqual({
      vlan_vlan: 30,
      vlan_domain: 1,
      vlan_name: 'VLAN 30',
      vlan_type: null,
      vlan_state: 1,
    })
  })

  test('others have those that they list', async () => {
    const cells = { [`${NAME}.7`]: text('seven'), [`${PVID}.1`]: gauge(200), [`${Q_FDB}.30.${MAC}.1`]: int(1) }
    expect(await vlans(cells)).toEqual([7])
  })

  test('a truncated forwarding database is not complete', async () => {
    const agent = agentOf({ [`${Q_FDB}.30.${MAC}.1`]: int(1) }, { truncated: { [Q_FDB]: 0 } })
    const found = await discover([moduleOf(MODULES, 'vlans')], agent, { sysObjectID: OTHER })
    expect(only(found, 'vlans').complete).toBe(false)
  })
})

test('Cisco: an access port is one despite its encapsulation; the native VLAN of a trunk is untagged, even while it is down', async () => {
  const vlan = (number: number) => row(VTP, `1.${number}`, { 2: int(1), 3: int(1), 4: text(`v${number}`) })
  const cells = {
    ...vlan(1),
    ...vlan(10),
    [`${VM_VLAN}.101`]: int(10),
    [`${TRUNK}.5.101`]: int(1),
    [`${TRUNK}.16.101`]: int(4),
    [`${TRUNK}.5.102`]: int(10),
    [`${TRUNK}.16.102`]: int(4),
    [`${TRUNK}.5.103`]: int(1),
    [`${TRUNK}.16.103`]: int(6),
    [`${VM_VLAN}.104`]: int(0),
    [`${TRUNK}.5.104`]: int(0),
  }
  expect(await members(cells, '1.3.6.1.4.1.9.12.3.1.3.1')).toEqual([
    [1, 103, 0, 1],
    [10, 101, 0, 1],
    [10, 102, 0, 1],
  ])
})

describe('forwarding databases of vendors', () => {
  test('Nokia: addresses on access points of VPLS services; those behind tunnels have no port', async () => {
    const entry = '1.3.6.1.4.1.6527.3.1.2.4.2.4.1'
    const cells = {
      ...row(entry, `70.${MAC}.1`, { 4: int(1), 5: gauge(1_342_177_281), 6: gauge(0x0fff_0046) }),
      ...row(entry, `70.${MAC}.2`, { 4: int(2), 5: gauge(0), 6: gauge(0) }),
      ...row(entry, `70.${MAC}.3`, { 4: int(1), 5: gauge(35_684_352), 6: gauge(0) }),
      ...row(entry, '70.2.0', { 4: int(1), 5: gauge(35_684_352) }),
      [`${PLAIN_FDB}.${MAC}.9`]: int(1),
    }
    expect(await addresses(cells, '1.3.6.1.4.1.6527.1.3.23')).toEqual([
      ['020000000001', 70, 1_342_177_281],
      ['020000000003', null, 35_684_352],
    ])
  })

  test('Alcatel: AOS 6 by interface and VLAN, later versions only the domain of VLANs', async () => {
    const old = '1.3.6.1.4.1.6486.800.1.2.1.8.1.1.1.1'
    expect(
      await addresses(
        {
          ...row(old, `1001.20.${MAC}.1`, { 3: int(1) }),
          ...row(old, `1002.0.${MAC}.2`, { 3: int(1) }),
          ...row(old, `1003.20.${MAC}.3`, { 3: int(2) }),
        },
        '1.3.6.1.4.1.6486.800.1.1.2.1.11.2.1',
      ),
    ).toEqual([
      ['020000000001', 20, 1001],
      ['020000000002', null, 1002],
    ])
    const now = '1.3.6.1.4.1.6486.801.1.2.1.8.1.1.8.1'
    expect(
      await addresses(
        {
          ...row(now, `1.0.1001.20.0.${MAC}.1`, { 8: int(1) }),
          ...row(now, `3.1.1002.20.0.${MAC}.2`, { 8: int(1) }),
          ...row(now, `1.0.0.20.0.${MAC}.3`, { 8: int(1) }),
        },
        '1.3.6.1.4.1.6486.801.1.1.2.1.11.1.4',
      ),
    ).toEqual([['020000000001', 20, 1001]])
  })

  test("IEEE8021-Q-BRIDGE-MIB is read from bridges without addresses in RFC 4363's and 4188's tables", async () => {
    const ieee = { [`${IEEE_FDB}.1.20.${MAC}.1`]: gauge(1), [`${IEEE_FDB}.1.20.${MAC}.2`]: gauge(0) }
    const base = { [`${BASE_PORT}.1`]: int(101) }
    expect(await addresses({ ...base, ...ieee })).toEqual([['020000000001', 20, 101]])
    expect(await addresses({ ...base, ...ieee, [`${PLAIN_FDB}.${MAC}.9`]: int(1) })).toEqual([
      ['020000000009', null, 101],
    ])
    const agent = agentOf(ieee)
    await discover([moduleOf(MODULES, 'fdb')], agent, { sysObjectID: OTHER })
    expect(agent.asked).not.toContain(IEEE_FDB)
  })

  test('a database with number 0 has no VLAN', async () => {
    expect(await addresses({ [`${Q_FDB}.0.${MAC}.1`]: int(4) })).toEqual([['020000000001', null, 4]])
  })
})

describe('VLANs in the MIBs of vendors', () => {
  const found = async (cells: Cells, sysObjectID: string) => {
    const observations = await run('vlans', cells, sysObjectID)
    const { rows } = only(observations, 'port-vlans')
    return {
      vlans: only(observations, 'vlans').rows.map((r) => [r.vlan_vlan, r.vlan_name, r.vlan_state]),
      members: rows.map((r) => [r.vlan, r.ifIndex, r.baseport, r.untagged]),
    }
  }

  test('IronWare: VLANs by port, with bridge ports if they are known', async () => {
    const vlans = '1.3.6.1.4.1.1991.1.1.3.2.7.1.21'
    const ports = '1.3.6.1.4.1.1991.1.1.3.2.6.1.4'
    const cells = {
      [`${vlans}.1`]: text('DEFAULT-VLAN'),
      [`${vlans}.20`]: text(''),
      [`${vlans}.4095`]: text('internal'),
      [`${ports}.20.5`]: int(1),
      [`${ports}.1.6`]: int(2),
      [`${ports}.20`]: int(2),
      [`${BASE_PORT}.7`]: int(5),
    }
    expect(await found(cells, '1.3.6.1.4.1.1991.1.3.57')).toEqual({
      vlans: [
        [1, 'DEFAULT-VLAN', 1],
        [20, 'VLAN 20', 1],
      ],
      members: [
        [20, 5, 7, 0],
        [1, 6, 0, 1],
      ],
    })
    expect(await found(cells, OTHER)).toEqual({ vlans: [], members: [] })
  })

  test.each([
    ['1.3.6.1.4.1.6486.800', 3, 4, 6],
    ['1.3.6.1.4.1.6486.801', 9, 7, 10],
  ])('AOS (%s): associations of VLANs and ports by type', async (branch, untagged, none, tagged) => {
    const vlans = `${branch}.1.2.1.3.1.1.1.1.1`
    const ports = `${branch}.1.2.1.3.1.1.2.1.1.3`
    const cells = {
      ...row(vlans, '10', { 2: text('office'), 4: int(1) }),
      ...row(vlans, '11', { 2: text('lab'), 4: int(2) }),
      [`${ports}.10.1001`]: int(1),
      [`${ports}.10.1002`]: int(2),
      [`${ports}.11.1003`]: int(untagged),
      [`${ports}.11.1004`]: int(none),
      [`${ports}.11.1005`]: int(tagged),
    }
    expect(await found(cells, `${branch}.1.1.2.1.11.2.1`)).toEqual({
      vlans: [
        [10, 'office', 1],
        [11, 'lab', 0],
      ],
      members: [
        [10, 1001, 0, 1],
        [10, 1002, 0, 0],
        [11, 1003, 0, 1],
        [11, 1005, 0, 0],
      ],
    })
  })

  test('EXOS: PortLists of each slot', async () => {
    const vlans = '1.3.6.1.4.1.1916.1.2.1.2.1'
    const lists = '1.3.6.1.4.1.1916.1.2.6.1.1'
    const cells = {
      ...row(vlans, '1000004', { 2: text('Default'), 10: int(1) }),
      ...row(vlans, '1000007', { 2: text('users'), 10: int(30) }),
      ...row(vlans, '1000009', { 2: text('none'), 10: int(-1) }),
      ...row(lists, '1000007.1', { 1: octets('80'), 2: octets('40') }),
      ...row(lists, '1000007.2', { 1: octets('01'), 2: octets('') }),
      ...row(lists, '1000007.900', { 1: octets('01') }),
      ...row(lists, '1000099.1', { 1: octets('01') }),
    }
    expect(await found(cells, '1.3.6.1.4.1.1916.2.134')).toEqual({
      vlans: [
        [1, 'Default', 1],
        [30, 'users', 1],
      ],
      members: [
        [30, 1001, 0, 0],
        [30, 1002, 0, 1],
        [30, 2008, 0, 0],
      ],
    })
  })
})
