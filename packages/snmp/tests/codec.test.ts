import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BerWriter } from '../src/ber.ts'
import { SnmpError } from '../src/errors.ts'
import {
  type CommunityMessage,
  decodeMessage,
  encodeMessage,
  MessageView,
  peekId,
  writeCommunityHeader,
  writeScoped,
} from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { PDU, writePdu } from '../src/pdu.ts'
import type { SnmpValue } from '../src/value.ts'
import { anyMessage } from './support/messages.ts'
import { fromNetSnmp, netSnmp, snmpNative } from './support/oracles.ts'

const writer = new BerWriter()
const community = new TextEncoder().encode('public')

function response(varbinds: CommunityMessage['varbinds'], changes: Partial<CommunityMessage> = {}): CommunityMessage {
  return {
    version: 'v2c',
    community,
    type: PDU.Response,
    requestId: 4711,
    errorStatus: 0,
    errorIndex: 0,
    varbinds,
    ...changes,
  }
}

const one = (value: SnmpValue) => encodeMessage(writer, response([{ oid: '1.3.6.1.2.1.1.1.0', value }]))

const VALUES: readonly { name: string; value: SnmpValue; hex: string }[] = [
  { name: 'zero', value: { kind: 'Integer32', value: 0 }, hex: '020100' },
  { name: 'minus one', value: { kind: 'Integer32', value: -1 }, hex: '0201ff' },
  { name: '-129', value: { kind: 'Integer32', value: -129 }, hex: '0202ff7f' },
  { name: 'least INTEGER', value: { kind: 'Integer32', value: -2147483648 }, hex: '020480000000' },
  { name: '128 has a leading zero', value: { kind: 'Integer32', value: 128 }, hex: '02020080' },
  { name: 'Counter32 at its end', value: { kind: 'Counter32', value: 4294967295 }, hex: '410500ffffffff' },
  { name: '2^53 + 1 is exact', value: { kind: 'Counter64', value: 2n ** 53n + 1n }, hex: '460720000000000001' },
  { name: '2^64 - 1 is exact', value: { kind: 'Counter64', value: 2n ** 64n - 1n }, hex: '460900ffffffffffffffff' },
  { name: '2^63', value: { kind: 'Counter64', value: 2n ** 63n }, hex: '4609008000000000000000' },
  { name: 'Opaque float', value: { kind: 'OpaqueFloat', value: 1.5 }, hex: '44079f78043fc00000' },
  { name: 'Opaque double', value: { kind: 'OpaqueDouble', value: -0.1 }, hex: '440b9f7908bfb999999999999a' },
  { name: 'IpAddress', value: { kind: 'IpAddress', value: '192.0.2.1' }, hex: '4004c0000201' },
  { name: 'OID 2.999', value: { kind: 'ObjectIdentifier', value: '2.999' }, hex: '06028837' },
  { name: 'endOfMibView', value: { kind: 'endOfMibView' }, hex: '8200' },
]

describe('values', () => {
  test.each([...VALUES])('$name', ({ value, hex }) => {
    const octets = one(value)
    expect(octets.toHex()).toEndWith(hex)
    expect(decodeMessage(octets).varbinds[0]?.value).toEqual(value)
  })

  // agents encode unsigned numbers without the leading zero that BER requires
  test.each([
    ['4104ffffffff', { kind: 'Counter32', value: 4294967295 }],
    ['4608ffffffffffffffff', { kind: 'Counter64', value: 2n ** 64n - 1n }],
    ['42050080000000', { kind: 'Gauge32', value: 2147483648 }],
    ['0600', { kind: 'ObjectIdentifier', value: '0.0' }],
  ] as const)('%s is read tolerantly', (hex, value) => {
    expect(decodeMessage(withValue(hex)).varbinds[0]?.value).toEqual(value)
  })

  test.each([
    ['an INTEGER without contents', '0200'],
    ['a Counter32 without contents', '4100'],
    ['a Counter64 without contents', '4600'],
    ['an INTEGER of ten octets', '020a00000000000000000001'],
    ['an IpAddress of three octets', '4003c00002'],
    ['an IpAddress of eight octets', '40080102030405060708'],
    ['an OID that ends within a sub-identifier', '0601ff'],
    ['a tag that SMI does not have', '07020000'],
    ['an exception with contents', '800100'],
    ['a text longer than its varbind', '0409414243'],
    ['a text shorter than its varbind', '0401414243'],
    ['a length without end', '0484ffffffff41'],
    ['an indefinite length', '0480410000'],
    ['a tag without a length', '04'],
    ['nothing', ''],
  ])('%s is no value', (_name, hex) => {
    expect(decodeMessage(withValue(hex)).varbinds).toEqual([{ oid: '1.3.6.1', value: { kind: 'Null' } }])
  })

  test.each([
    ['0403323335', 235],
    ['0406 2d32332e3543', -23.5],
    ['0403 6f6666', Number.NaN],
    ['44079f78043fc00000', 1.5],
    ['0201ff', -1],
    ['0601ff'.replace('ff', '00'), Number.NaN],
  ])('number of %s is %p', (hex, want) => {
    const view = new MessageView()
    view.decode(withValue(hex.replaceAll(' ', '')))
    expect(view.pdu.number(0)).toBe(want)
  })
})

/** A response with one varbind 1.3.6.1 whose value TLV is given. */
function withValue(hex: string): Uint8Array {
  const value = Uint8Array.fromHex(hex)
  writer.begin()
  const mark = writer.at
  writePdu(writer, PDU.Response, 1, 0, 0, (w) => {
    const varbind = w.at
    w.raw(value)
    w.primitive(0x06, encodeOid('1.3.6.1'))
    w.wrap(0x30, varbind)
  })
  writeCommunityHeader(writer, mark, 'v2c', community)
  return writer.finish()
}

describe('messages', () => {
  test('every message that is encoded decodes to itself', () => {
    fc.assert(
      fc.property(anyMessage, (message) => expect(decodeMessage(encodeMessage(writer, message))).toEqual(message)),
    )
  })

  test('the id can be read without decoding', () => {
    fc.assert(
      fc.property(anyMessage, (message) => expect(peekId(encodeMessage(writer, message))).toBe(message.requestId)),
    )
  })

  test('a request has the same octets as that of npm net-snmp', () => {
    const oids = ['1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.31.1.1.1.6.4294967295']
    writer.begin()
    const mark = writer.at
    writePdu(writer, PDU.GetRequest, 123456789, 0, 0, (w) => {
      for (const oid of oids.toReversed()) w.requestVarbind(encodeOid(oid), -1)
    })
    writeCommunityHeader(writer, mark, 'v2c', community)
    const pdu = netSnmp.GetRequestPdu.createFromVariables(
      123456789,
      oids.map((oid) => ({ oid })),
      {},
    )
    expect(writer.finish().toHex()).toBe(netSnmp.Message.createCommunity(1, 'public', pdu).toBuffer().toString('hex'))
  })

  test('npm net-snmp reads what we write', () => {
    fc.assert(
      fc.property(anyMessage, (generated) => {
        const message = { ...generated, type: PDU.Response }
        const read = netSnmp.Message.createFromBuffer(Buffer.from(encodeMessage(writer, message)))
        expect(read.pdu.id).toBe(message.requestId)
        expect(read.pdu.varbinds.map((v) => ({ oid: v.oid, value: fromNetSnmp(v) }))).toEqual(
          message.varbinds.map(({ oid, value }) => ({ oid, value: asOpaque(value) })),
        )
      }),
    )
  })

  test('we read what snmp-native writes', () => {
    const packet = new snmpNative.Packet()
    packet.pdu.type = 2
    packet.pdu.reqid = 77
    packet.pdu.varbinds = [
      { oid: [1, 3, 6, 1, 2, 1, 1, 3, 0], type: 0x43, value: 4242 },
      { oid: [1, 3, 6, 1, 4, 1, 99999, 1], type: 0x02, value: -5 },
      { oid: [1, 3, 6, 1, 2], type: 0x40, value: '192.0.2.9' },
    ]
    expect(decodeMessage(snmpNative.encode(packet))).toEqual(
      response(
        [
          { oid: '1.3.6.1.2.1.1.3.0', value: { kind: 'TimeTicks', value: 4242 } },
          { oid: '1.3.6.1.4.1.99999.1', value: { kind: 'Integer32', value: -5 } },
          { oid: '1.3.6.1.2', value: { kind: 'IpAddress', value: '192.0.2.9' } },
        ],
        { requestId: 77 },
      ),
    )
  })

  test('snmp-native reads the same OIDs and numbers in our octets', () => {
    fc.assert(
      fc.property(anyMessage, (generated) => {
        const varbinds = generated.varbinds.filter(({ value }) =>
          ['Integer32', 'Counter32', 'TimeTicks'].includes(value.kind),
        )
        const read = snmpNative.parse(
          Buffer.from(encodeMessage(writer, { ...generated, type: PDU.Response, varbinds })),
        )
        expect(read.pdu.varbinds.map((v) => [v.oid.join('.'), v.value])).toEqual(
          varbinds.map(({ oid, value }) => [oid, 'value' in value ? value.value : null]),
        )
      }),
    )
  })
})

/** net-snmp leaves floats in their Opaque. */
function asOpaque(value: SnmpValue): SnmpValue {
  if (value.kind !== 'OpaqueFloat' && value.kind !== 'OpaqueDouble') return value
  const size = value.kind === 'OpaqueFloat' ? 4 : 8
  const octets = new Uint8Array(3 + size)
  octets.set([0x9f, size === 4 ? 0x78 : 0x79, size])
  const view = new DataView(octets.buffer)
  if (size === 4) view.setFloat32(3, value.value)
  else view.setFloat64(3, value.value)
  return { kind: 'Opaque', value: octets }
}

describe('garbage', () => {
  const view = new MessageView()
  const decode = (octets: Uint8Array) => {
    peekId(octets)
    try {
      view.decode(octets)
      view.pdu.varbindList()
      for (let i = 0; i < view.pdu.count; i++) view.pdu.number(i)
      return 'decoded'
    } catch (error) {
      if (error instanceof SnmpError) return error.kind
      throw error
    }
  }

  test('random octets give a message or an SnmpError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) =>
        expect(['decoded', 'malformed', 'unsupported']).toContain(decode(octets)),
      ),
      {
        numRuns: 2000,
      },
    )
  })

  test('a damaged message gives a message or an SnmpError', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(anyMessage, damage, (message, changes) => {
        const octets = encodeMessage(writer, message)
        for (const [at, octet] of changes) octets[at % octets.length] = octet
        expect(['decoded', 'malformed', 'unsupported']).toContain(decode(octets))
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['v2c', 'v3'] as const)('%s: damage to one value loses no other varbind', (version) => {
    const view = new MessageView()
    const somewhere = fc.tuple(fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 12 }), fc.nat())
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      // a tag and a length, most of them false
      fc
        .tuple(fc.nat(255), fc.nat(255), fc.uint8Array({ maxLength: 20 }))
        .map(([tag, length, contents]) => Uint8Array.of(tag, length, ...contents)),
    )
    fc.assert(
      fc.property(somewhere, junk, ([values, at], octets) => {
        const damaged = at % values.length
        const oids = values.map((_, i) => `1.3.6.1.4.1.99999.${i + 1}.300`)
        writer.begin()
        const mark = writer.at
        writePdu(writer, PDU.Response, 1, 0, 0, (w) => {
          for (let i = values.length - 1; i >= 0; i--) {
            const varbind = w.at
            if (i === damaged) w.raw(octets)
            else w.raw(Uint8Array.fromHex(values[i]?.hex ?? ''))
            w.primitive(0x06, encodeOid(oids[i] ?? ''))
            w.wrap(0x30, varbind)
          }
        })
        if (version === 'v2c') {
          writeCommunityHeader(writer, mark, version, community)
          view.decode(writer.finish())
        } else {
          // what is left of a message of v3 once it has been decrypted
          writeScoped(writer, mark, community, community)
          const plain = writer.finish()
          view.decodeScoped(plain, 0, plain.length)
        }
        const varbinds = view.pdu.varbindList()
        for (let i = 0; i < varbinds.length; i++) view.pdu.number(i)
        expect(varbinds.map(({ oid }) => oid)).toEqual(oids)
        for (const [i, { value }] of varbinds.entries())
          if (i !== damaged) expect(value).toEqual(values[i]?.value as SnmpValue)
      }),
      { numRuns: 3000 },
    )
  })

  test('a message truncated anywhere is malformed, never shorter', () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), (message, cut) => {
        const octets = encodeMessage(writer, message)
        expect(decode(octets.subarray(0, cut % octets.length))).toBe('malformed')
      }),
    )
  })

  test.each([
    ['a length of four gigaoctets', '3084ffffffff020101'],
    ['an indefinite length', '3080020101'],
    ['a length field of 127 octets', '30ff020101'],
    ['an empty datagram', ''],
  ])('%s is malformed', (_name, hex) => {
    expect(decode(Uint8Array.fromHex(hex))).toBe('malformed')
  })

  test('a message that exceeds a datagram is not encoded', () => {
    const value: SnmpValue = { kind: 'OctetString', value: new Uint8Array(65_500) }
    expect(() => one(value)).toThrow(expect.objectContaining({ kind: 'tooBig' }))
  })
})
