import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addressOctets } from '../src/address.ts'
import { checksum, decodeEchoReply, encodeEchoRequest } from '../src/packet.ts'
import { parseFping, parsePing } from '../src/program.ts'

const anyEcho = fc.record({
  family: fc.constantFrom(4 as const, 6 as const),
  id: fc.nat(0xffff),
  sequence: fc.nat(0xffff),
  payload: fc.uint8Array({ maxLength: 64 }),
})

describe('echo packets', () => {
  // RFC 1071 §3
  test('the checksum is that of RFC 1071', () => {
    expect(checksum(Uint8Array.fromHex('0001f203f4f5f6f7'))).toBe(~0xddf2 & 0xffff)
  })

  test('an IPv4 request carries its checksum', () => {
    fc.assert(fc.property(anyEcho, (echo) => expect(checksum(encodeEchoRequest({ ...echo, family: 4 }))).toBe(0)))
  })

  test('a reply returns what was sent', () => {
    fc.assert(
      fc.property(anyEcho, (echo) => {
        expect(decodeEchoReply(replyTo(encodeEchoRequest(echo), echo.family), echo.family, false)).toEqual(echo)
      }),
    )
  })

  test('a preceding IPv4 header is skipped, including options', () => {
    const packet = replyTo(encodeEchoRequest({ family: 4, id: 1, sequence: 2, payload: new Uint8Array(3) }), 4)
    const withHeader = new Uint8Array(24 + packet.length)
    withHeader[0] = 0x46
    withHeader.set(packet, 24)
    expect(decodeEchoReply(withHeader, 4, true)?.sequence).toBe(2)
  })

  test('anything else is not a reply', () => {
    const request = encodeEchoRequest({ family: 4, id: 1, sequence: 2, payload: new Uint8Array(8) })
    expect(decodeEchoReply(request, 4, false)).toBeNull()
    const damaged = replyTo(request, 4)
    damaged[9] = 1
    expect(decodeEchoReply(damaged, 4, false)).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (octets, header) => {
        const echo = decodeEchoReply(octets, 6, header)
        expect(echo === null || echo.payload.length <= octets.length).toBe(true)
      }),
    )
  })
})

function replyTo(request: Uint8Array, family: 4 | 6): Uint8Array {
  const reply = request.slice()
  reply[0] = family === 4 ? 0 : 129
  if (family === 6) return reply
  reply.fill(0, 2, 4)
  new DataView(reply.buffer).setUint16(2, checksum(reply))
  return reply
}

describe('addresses', () => {
  test.each([
    ['192.0.2.1', 'c0000201'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['2001:DB8::5:0', '20010db8000000000000000000050000'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s', (address, hex) => expect(addressOctets(address)?.toHex()).toBe(hex))

  test.each(['', '1.2.3', '256.1.1.1', '1.2.3.4.5', 'host', ':::', '1::2::3', 'fe80::1%eth0', '-a 1.2.3.4'])(
    '%p is not an address',
    (text) => {
      expect(addressOctets(text)).toBeNull()
    },
  )
})

describe('output of programs', () => {
  test('fping', () => {
    const times = parseFping('127.0.0.1 : 0.05 - 12.3\n::1       : 0.04\n192.0.2.1 : - - -\nfping: no route\n')
    expect(times).toEqual(
      new Map([
        ['127.0.0.1', [0.05, 12.3]],
        ['::1', [0.04]],
        ['192.0.2.1', []],
      ]),
    )
  })

  test('ping', () => {
    const text =
      '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.031 ms\n64 bytes from ::1: seq=0 ttl=64 time=1 ms\nrtt min/avg/max/mdev = 0.031/0.034/0.037/0.003 ms\n'
    expect(parsePing(text)).toEqual([0.031, 1])
  })
})
