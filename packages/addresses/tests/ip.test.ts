import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { formatIp, formatIpv6, parseIpv4, parseIpv6 } from '../src/ip.ts'
import { addressOctets, networkText, parseNetwork } from '../src/networks.ts'

const pieces = ['0', '1', 'ff', 'A0', '::', ':', '.', '1.2.3.4', '010.1.1.1', '01', '255', '256', '%eth0', 'fffff', ' ']
const nearAddress = fc
  .array(fc.constantFrom(...pieces, '::ffff:', '1:2:3:4:5:6:'), { maxLength: 12 })
  .map((p) => p.join(''))

describe('addresses', () => {
  test('the same texts are addresses as for the system, except those with a zone', () => {
    fc.assert(
      fc.property(nearAddress, (text) => {
        const family = text.includes('%') ? 0 : isIP(text)
        expect([text, parseIpv4(text) !== null, parseIpv6(text) !== null]).toEqual([text, family === 4, family === 6])
        expect(addressOctets(text)?.length).toBe({ 0: undefined, 4: 4, 6: 16 }[family])
      }),
      { numRuns: 5000 },
    )
  })

  test('what is written as RFC 5952 is read as the same octets, and as the URL parser writes it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 }), (values) => {
        const octets = Uint8Array.from(values)
        const text = formatIpv6(octets)
        expect(parseIpv6(text)).toEqual(octets)
        expect(URL.parse(`http://[${text}]/`)?.hostname).toBe(`[${text}]`)
      }),
    )
  })

  test.each([
    ['192.0.2.7', 'c0000207'],
    ['2001:db8::1', '20010db8000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['::ffff:192.0.2.7', '00000000000000000000ffffc0000207'],
    ['::192.0.2.7', '000000000000000000000000c0000207'],
  ])('%s', (text, octets) => expect(addressOctets(text)?.toHex()).toBe(octets))

  // programs disagree on whether 010 is 8 or 10; a dotted quad ends an address (RFC 4291, section 2.2)
  test.each(['010.1.1.1', '::ffff:010.1.1.1', '1.2.3.4::', '1.2.3.4::1', 'fe80::1%eth0', '1.2.3', '::1::', ''])(
    '%s is not an address',
    (text) => expect(addressOctets(text)).toBeNull(),
  )

  test('networks', () => {
    expect(parseNetwork(' 10.0.0.0/8 ')).toEqual({ octets: Uint8Array.of(10, 0, 0, 0), bits: 8 })
    expect(parseNetwork('192.0.2.1')?.bits).toBe(32)
    expect(parseNetwork('fd00::/8')?.bits).toBe(8)
    for (const text of ['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '010.0.0.0/8'])
      expect([text, parseNetwork(text)]).toEqual([text, null])
  })

  test.each([
    ['10.0.9.7/24', '10.0.9.0/24'],
    ['10.0.9.7', '10.0.9.7/32'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['10.77.255.1/13', '10.72.0.0/13'],
    ['2001:DB8:0:7::9/61', '2001:db8::/61'],
    ['fd00::1', 'fd00::1/128'],
  ])('the network of %s is %s', (given, text) => {
    const network = parseNetwork(given)
    expect(network === null ? null : networkText(network)).toBe(text)
  })
})

test('octets are an address if there are 4 or 16 of them', () => {
  expect(formatIp(new Uint8Array([192, 0, 2, 7]))).toBe('192.0.2.7')
  expect(formatIp(new Uint8Array(16).fill(1, 15))).toBe('::1')
  expect(formatIp(undefined)).toBeNull()
  for (const length of [0, 1, 3, 5, 15, 17, 20]) expect(formatIp(new Uint8Array(length))).toBeNull()
})
