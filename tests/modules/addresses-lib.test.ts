import { describe, expect, test } from 'bun:test'
import {
  classfulPrefix,
  expandIpv6,
  formatIpv4,
  formatIpv6,
  ipv4Network,
  ipv6Network,
  parseIpv4,
  parseIpv6,
  prefixOfMask,
} from '@portlight/addresses/ip.ts'
import fc from 'fast-check'
import { decodeIndex } from '../../src/lib/index-decode.ts'
import { parseMac } from '../../src/lib/mac.ts'

describe('IPv4', () => {
  test.each([
    { text: '10.0.0.1', want: 0x0a000001 },
    { text: '255.255.255.255', want: 0xffffffff },
    { text: '256.0.0.1', want: null },
    { text: '10.0.0', want: null },
    { text: '010.0.0.1', want: null },
    { text: ' 10.0.0.1', want: null },
  ])('parse $text', ({ text, want }) => expect(parseIpv4(text)).toBe(want))
  test('every address survives formatting and parsing', () => {
    fc.assert(fc.property(fc.nat(0xffffffff), (n) => expect(parseIpv4(formatIpv4(n))).toBe(n)))
  })
  test.each([
    { mask: '255.255.255.0', want: 24 },
    { mask: '0.0.0.0', want: 0 },
    { mask: '255.255.255.255', want: 32 },
    { mask: '255.0.255.0', want: null },
    { mask: 'x', want: null },
  ])('prefix of $mask', ({ mask, want }) => expect(prefixOfMask(mask)).toBe(want))
  test.each([
    { address: '192.0.2.130', prefix: 25, want: '192.0.2.128/25' },
    { address: '192.0.2.130', prefix: 0, want: '0.0.0.0/0' },
    { address: '192.0.2.130', prefix: 32, want: '192.0.2.130/32' },
  ])('network of $address/$prefix', ({ address, prefix, want }) =>
    expect(ipv4Network(parseIpv4(address) ?? 0, prefix)).toBe(want),
  )
  test('classes', () => {
    const classes = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '224.0.0.1'].map((a) => classfulPrefix(parseIpv4(a) ?? 0))
    expect(classes).toEqual([8, 16, 24, 32])
  })
})

describe('IPv6', () => {
  // RFC 5952 §4 and §5
  test.each([
    { text: '2001:0db8:0:0:0:0:2:1', want: '2001:db8::2:1' },
    { text: '2001:db8:0:1:1:1:1:1', want: '2001:db8:0:1:1:1:1:1' },
    { text: '2001:0:0:1:0:0:0:1', want: '2001:0:0:1::1' },
    { text: '2001:db8:0:0:1:0:0:1', want: '2001:db8::1:0:0:1' },
    { text: '::', want: '::' },
    { text: '::1', want: '::1' },
    { text: '::FFFF:192.0.2.1', want: '::ffff:c000:201' },
    { text: '1::', want: '1::' },
  ])('$text is written $want', ({ text, want }) => {
    const octets = parseIpv6(text)
    expect(octets === null ? null : formatIpv6(octets)).toBe(want)
  })
  test.each([
    '',
    ':',
    '1:2',
    '1::2::3',
    '12345::',
    '::1%eth0',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '::1.2.3',
    'g::',
  ])('%p is not an address', (text) => expect(parseIpv6(text)).toBeNull())
  test('every address survives both text forms', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (octets) => {
        expect(parseIpv6(formatIpv6(octets))).toEqual(octets)
        expect(parseIpv6(expandIpv6(octets))).toEqual(octets)
        expect(expandIpv6(octets).length).toBe(39)
      }),
    )
  })
  test('network', () => {
    const octets = parseIpv6('2001:db8:1234:5678:9abc::1') ?? new Uint8Array(16)
    expect([0, 64, 52, 128].map((prefix) => ipv6Network(octets, prefix))).toEqual([
      '::/0',
      '2001:db8:1234:5678::/64',
      '2001:db8:1234:5000::/52',
      '2001:db8:1234:5678:9abc::1/128',
    ])
  })
})

test.each([
  { text: '00:1A:2b:3c:4d:5e', want: '001a2b3c4d5e' },
  { text: '0:1a:2b:3c:4d:5e', want: '001a2b3c4d5e' },
  { text: '001a.2b3c.4d5e', want: '001a2b3c4d5e' },
  { text: '00 1A 2B 3C 4D 5E', want: '001a2b3c4d5e' },
  { text: '00:1a:2b:3c:4d', want: null },
  { text: '', want: null },
])('MAC address $text', ({ text, want }) => expect(parseMac(text)).toBe(want))

describe('decodeIndex', () => {
  test('several components, as RFC 2578 §7.7 encodes them', () => {
    expect(decodeIndex('7.10.0.0.1.2.97.98.3.1.3.6', ['integer', 'ipAddress', 'text', 'oid'])).toEqual([
      7,
      '10.0.0.1',
      'ab',
      '1.3.6',
    ])
    expect(decodeIndex('1.0.26.43.60.77.94', ['integer', 'mac'])).toEqual([1, '001a2b3c4d5e'])
    expect(decodeIndex('5.118.108.97.110', ['integer', 'impliedText'])).toEqual([5, 'vlan'])
    expect(decodeIndex('5.1.3.6.1', ['integer', 'impliedOid'])).toEqual([5, '1.3.6.1'])
  })
  test.each([
    { name: 'ipv4', index: '1.4.192.0.2.1', type: 'ipv4', length: 4, zone: null },
    { name: 'ipv4z', index: '3.8.192.0.2.1.0.0.1.2', type: 'ipv4z', length: 4, zone: 258 },
    { name: 'ipv6', index: `2.16.${Array(16).fill(1).join('.')}`, type: 'ipv6', length: 16, zone: null },
    { name: 'ipv6z', index: `4.20.${Array(16).fill(1).join('.')}.0.0.0.9`, type: 'ipv6z', length: 16, zone: 9 },
  ])('InetAddress $name (RFC 4001)', ({ index, type, length, zone }) => {
    const address = decodeIndex(index, ['inetAddress'])?.[0]
    expect([address?.type, address?.octets.length, address?.zone]).toEqual([type, length, zone] as never)
  })
  test.each([
    { name: 'short', index: '7.10.0', parts: ['integer', 'ipAddress'] },
    { name: 'something left over', index: '7.8', parts: ['integer'] },
    { name: 'no octet', index: '300.0.0.1', parts: ['ipAddress'] },
    { name: 'a length beyond the end', index: '5.97.98', parts: ['text'] },
    { name: 'an address of the wrong length', index: '1.16.1.2.3.4', parts: ['inetAddress'] },
    { name: 'an unknown address type', index: '9.4.1.2.3.4', parts: ['inetAddress'] },
    { name: 'nothing', index: '', parts: ['integer'] },
    { name: 'text', index: 'a.b', parts: ['integer', 'integer'] },
    { name: 'a sub-identifier beyond 32 bits', index: '4294967296', parts: ['integer'] },
  ] as const)('$name: null', ({ index, parts }) => expect(decodeIndex(index, parts)).toBeNull())
  test('never throws', () => {
    const parts = fc.array(
      fc.constantFrom(
        'integer',
        'ipAddress',
        'mac',
        'octets',
        'text',
        'impliedText',
        'oid',
        'impliedOid',
        'ipv6',
        'inetAddress',
      ),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 30 }), parts, (ids, kinds) => {
        decodeIndex(ids.join('.'), kinds as never)
      }),
    )
  })
})
