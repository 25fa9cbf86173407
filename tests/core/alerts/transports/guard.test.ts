import { expect, test } from 'bun:test'
import { formatIpv4 } from '@portlight/addresses/ip.ts'
import fc from 'fast-check'
import { addressRefusal, addressRules } from '../../../../src/core/alerts/transports/guard.ts'

const byDefault = addressRules([], true)

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['169.254.169.254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['169.254.1.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['192.0.0.8', 'reserved'],
  ['fec0::1', 'reserved'],
  ['100::1', 'reserved'],
  // embedded IPv4 addresses
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::169.254.169.254', 'metadata'],
  ['64:ff9b:1::7f00:1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:a9fe:a9fe::1', 'metadata'],
  ['2001::1', 'Teredo'],
  // not addresses
  ['fe80::1%eth0', 'not an IP address'],
  ['0177.0.0.1', 'not an IP address'],
  ['127.1', 'not an IP address'],
  ['localhost', 'not an IP address'],
  ['', 'not an IP address'],
])('%s is refused: %s', (address, refusal) => {
  expect(addressRefusal(address, byDefault)).toBe(refusal)
})

test.each([
  '192.0.2.1',
  '8.8.8.8',
  '2001:db8::1',
  '2606:4700::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'fd12::1',
])('%s is allowed', (address) => {
  expect(addressRefusal(address, byDefault)).toBeNull()
})

test.each(['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.127.0.1', 'fd12::1', '::ffff:10.0.0.1'])(
  '%s is refused if private addresses are not allowed, unless it is listed',
  (address) => {
    expect(addressRefusal(address, addressRules([], false))).toBe('private')
    expect(
      addressRefusal(
        address,
        addressRules(['10.0.0.0/8', '172.31.0.1', '192.168.0.0/16', '100.127.0.0/16', 'fd00::/8'], false),
      ),
    ).toBeNull()
  },
)

test('listed addresses are allowed, and no others', () => {
  const rules = addressRules(['127.0.0.2/32', '::1', '169.254.10.0/23'], true)
  expect(['127.0.0.2', '::ffff:127.0.0.2', '::1', '169.254.11.255'].map((a) => addressRefusal(a, rules))).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(['127.0.0.1', '127.0.0.3', '::2', '169.254.12.0'].map((a) => addressRefusal(a, rules))).toEqual([
    'loopback',
    'loopback',
    'unspecified',
    'link-local',
  ])
})

test('an IPv4 address is treated the same in every IPv6 form', () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), (number) => {
      const dotted = formatIpv4(number)
      const hex = `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`
      const plain = addressRefusal(dotted, byDefault)
      for (const form of [`::ffff:${dotted}`, `64:ff9b::${dotted}`, `2002:${hex}::1`])
        expect([form, addressRefusal(form, byDefault)]).toEqual([form, plain])
    }),
  )
})
