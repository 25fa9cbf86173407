import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, counter32, discover, gauge, int, moduleOf, octets, only } from './agent.ts'

const LOCAL_AS = '1.3.6.1.2.1.15.2.0'

/** Cells of a table row: `{ column: value }` at an index. */
function row(entry: string, index: string, cells: Readonly<Record<number, SnmpValue>>): Record<string, SnmpValue> {
  return Object.fromEntries(Object.entries(cells).map(([column, value]) => [`${entry}.${column}.${index}`, value]))
}

describe('sessions to the same address in several routing instances stay separate', () => {
  const sessions = async (cells: Readonly<Record<string, SnmpValue>>, sysObjectID: string) => {
    const found = await discover([moduleOf(MODULES, 'bgp')], agentOf({ [LOCAL_AS]: int(64500), ...cells }), {
      sysObjectID,
    })
    return {
      peers: only(found, 'bgp').rows.map((peer) => [
        peer.bgpPeerIdentifier,
        peer.context_name,
        peer.vrf_oid,
        peer.bgpPeerRemoteAs,
      ]),
      counters: only(found, 'bgp_counters').rows.map((counter) => [
        counter.context_name,
        counter.safi,
        counter.AcceptedPrefixes,
      ]),
    }
  }

  test('SR OS: the session of the base router is the one in BGP4-MIB', async () => {
    const entry = '1.3.6.1.4.1.6527.3.1.2.14.4.7.1'
    const { peers } = await sessions(
      {
        ...row('1.3.6.1.2.1.15.3.1', '192.0.2.2', { 2: int(6), 9: int(64501) }),
        ...row(entry, '1.1.4.192.0.2.2', { 59: int(6), 66: gauge(64501) }),
        ...row(entry, '5.1.4.192.0.2.2', { 59: int(1), 66: gauge(64505) }),
        ...row(entry, '12.1.4.192.0.2.2', { 59: int(6), 66: gauge(64512) }),
      },
      '1.3.6.1.4.1.6527.1.3.17',
    )
    expect(peers).toEqual([
      ['192.0.2.2', '', '1', 64501],
      ['192.0.2.2', '5', '5', 64505],
      ['192.0.2.2', '12', '12', 64512],
    ])
  })

  test('Huawei: with the prefixes and messages of each', async () => {
    const peers = '1.3.6.1.4.1.2011.5.25.177.1.1.2.1'
    const routes = '1.3.6.1.4.1.2011.5.25.177.1.1.3.1'
    const found = await sessions(
      {
        ...row(peers, '0.1.1.1.4.192.0.2.2', { 2: gauge(64501), 5: int(6) }),
        ...row(peers, '3.1.1.1.4.192.0.2.2', { 2: gauge(64503), 5: int(6) }),
        ...row(routes, '0.1.1.1.4.192.0.2.2', { 1: counter32(10) }),
        ...row(routes, '3.1.1.1.4.192.0.2.2', { 1: counter32(30) }),
      },
      '1.3.6.1.4.1.2011.2.360.1.5',
    )
    expect(found.peers.map(([, context, , as]) => [context, as])).toEqual([
      ['', 64501],
      ['3', 64503],
    ])
    expect(found.counters).toEqual([
      ['', 'unicast', 10],
      ['3', 'unicast', 30],
    ])
  })

  test('Junos: the prefixes of each, by peer index', async () => {
    const entry = '1.3.6.1.4.1.2636.5.1.1.2.1.1.1'
    const index = (instance: number) => `${instance}.1.192.0.2.1.1.192.0.2.2`
    const found = await sessions(
      {
        ...row(entry, index(0), { 14: gauge(100), 2: int(6), 11: octets('c0000202'), 13: gauge(64501) }),
        ...row(entry, index(7), { 14: gauge(107), 2: int(6), 11: octets('c0000202'), 13: gauge(64507) }),
        ...row('1.3.6.1.4.1.2636.5.1.1.2.6.2.1', '100.1.1', { 8: gauge(10) }),
        ...row('1.3.6.1.4.1.2636.5.1.1.2.6.2.1', '107.1.1', { 8: gauge(70) }),
      },
      '1.3.6.1.4.1.2636.1.1.1.2.29',
    )
    expect(found.peers.map(([, context, , as]) => [context, as])).toEqual([
      ['', 64501],
      ['7', 64507],
    ])
    expect(found.counters).toEqual([
      ['', 'unicast', 10],
      ['7', 'unicast', 70],
    ])
  })

  test('BGP4V2-MIB: IPv4 and IPv6 peers in two instances', async () => {
    const entry = '1.3.6.1.3.5.1.1.2.1'
    const ipv6 = '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.2'
    const { peers } = await sessions(
      {
        ...row(entry, '1.1.192.0.2.2', { 10: gauge(64501), 13: int(6) }),
        ...row(entry, '4.1.192.0.2.2', { 10: gauge(64504), 13: int(6) }),
        ...row(entry, `1.2.${ipv6}`, { 10: gauge(64501), 13: int(6) }),
        ...row(entry, `4.2.${ipv6}`, { 10: gauge(64504), 13: int(6) }),
      },
      '1.3.6.1.4.1.99999',
    )
    expect(peers.map(([address, context, , as]) => [address, context, as])).toEqual([
      ['192.0.2.2', '', 64501],
      ['192.0.2.2', '4', 64504],
      ['2001:0db8:0000:0000:0000:0000:0000:0002', '', 64501],
      ['2001:0db8:0000:0000:0000:0000:0000:0002', '4', 64504],
    ])
  })

  test('Cumulus: IPv4, IPv6 and interfaces of all VRFs', async () => {
    const entry = '1.3.6.1.4.1.40310.7.3.1.1'
    const session = (as: number, remote: string) => ({ 2: int(6), 3: int(2), 7: octets(remote), 9: int(as) })
    const { peers } = await sessions(
      {
        ...row(entry, '0.1.192.0.2.2', session(64501, 'c0000202')),
        ...row(entry, '10.1.192.0.2.2', session(64510, 'c0000202')),
        ...row(entry, '10.2.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.2', session(64510, '00000000')),
        ...row(entry, '0.0.0.0.0.3', session(64503, 'fe800000000000000000000000000001')),
        ...row(entry, '0.0.0.0.0.4', session(64504, '00000000')),
      },
      '1.3.6.1.4.1.40310',
    )
    expect(peers.map(([address, context, , as]) => [address, context, as])).toEqual([
      ['192.0.2.2', '', 64501],
      ['192.0.2.2', '10', 64510],
      ['2001:0db8:0000:0000:0000:0000:0000:0002', '', 64510],
      ['fe80:0000:0000:0000:0000:0000:0000:0001', '', 64503],
    ])
  })
})
