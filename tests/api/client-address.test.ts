import { expect, test } from 'bun:test'
import { clientAddress } from '../../src/api/client-address.ts'
import { createSettings } from '../../src/config/settings.ts'

const settings = createSettings({ flags: { 'api.trusted_proxies': '127.0.0.1,10.0.0.0/8,2001:db8::/32' } })
const seen = (peer: string, forwarded?: string) => {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  return clientAddress(new Request('http://localhost/', { headers }), 'http://localhost', peer, settings).address
}

test.each([
  ['a client', '192.0.2.9', undefined, '192.0.2.9'],
  ['a client that claims to be another', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
  ['behind a proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['behind one of a network', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['behind one of an IPv6 network', '2001:db8:7::1', '2001:db9::5', '2001:db9::5'],
  ['behind one that came over an IPv6 socket', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['behind two', '10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['that claims to be another, behind a proxy', '10.1.2.3', '203.0.113.1, 198.51.100.1', '198.51.100.1'],
  ['with its port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['with its port, IPv6', '10.1.2.3', '[2001:db9::5]:4711', '2001:db9::5'],
  ['that is no address', '10.1.2.3', '203.0.113.1, unknown', '10.1.2.3'],
  ['that the proxy does not send', '10.1.2.3', undefined, '10.1.2.3'],
  ['of trusted addresses alone', '10.1.2.3', '10.9.9.9', '10.1.2.3'],
])('%s', (_, peer, forwarded, address) => {
  expect(seen(peer, forwarded)).toBe(address)
})
