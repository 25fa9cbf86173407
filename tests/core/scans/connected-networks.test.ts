import { expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { connectedNetworks } from '../../../src/core/scans/connected-networks.ts'

const at = (cidr: string, internal = false): NetworkInterfaceInfo => {
  const [address = ''] = cidr.split('/')
  const family = address.includes(':') ? ({ family: 'IPv6', scopeid: 0 } as const) : ({ family: 'IPv4' } as const)
  return { address, cidr, internal, netmask: '', mac: '', ...family }
}

test('the IPv4 networks of this host, each once, without loopback, link-local, point-to-point and IPv6 ones', () => {
  const found = connectedNetworks({
    lo: [at('127.0.0.1/8', true)],
    eth0: [at('192.0.2.17/24'), at('2001:db8::1/64'), at('192.0.2.18/24')],
    eth1: [at('169.254.3.4/16'), at('198.51.100.130/26')],
    tun0: [at('203.0.113.1/32'), at('203.0.113.4/31')],
    none: undefined,
  })
  expect(found).toEqual([
    { network: '192.0.2.0/24', via: 'eth0' },
    { network: '198.51.100.128/26', via: 'eth1' },
  ])
})

test('a network that is too large to scan is cut around the address; many are cut off', () => {
  expect(connectedNetworks({ eth0: [at('10.20.30.40/8')] })).toEqual([{ network: '10.20.0.0/16', via: 'eth0' }])
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`br${i}`, [at(`172.16.${i}.1/24`)]]))
  expect(connectedNetworks(many)).toHaveLength(12)
  expect(connectedNetworks()).toEqual(connectedNetworks(undefined))
})
