import fc from 'fast-check'
import type { CommunityMessage } from '../../src/message.ts'
import { PDU } from '../../src/pdu.ts'
import type { SnmpValue } from '../../src/value.ts'

const octets = (maxLength: number) => fc.uint8Array({ maxLength })
const unsigned = fc.nat(0xffff_ffff)

/** OIDs below 1, because the other codecs get 2.x wrong. */
export const anyOid = fc
  .tuple(fc.nat(39), fc.array(unsigned, { maxLength: 20 }))
  .map(([second, rest]) => `1.${[second, ...rest].join('.')}`)

/** Every kind of value. `Opaque` never looks like a float, which has its own kind. */
export const anyValue: fc.Arbitrary<SnmpValue> = fc.oneof(
  fc.integer().map((value): SnmpValue => ({ kind: 'Integer32', value })),
  octets(200).map((value): SnmpValue => ({ kind: 'OctetString', value })),
  fc.constant<SnmpValue>({ kind: 'Null' }),
  anyOid.map((value): SnmpValue => ({ kind: 'ObjectIdentifier', value })),
  fc.ipV4().map((value): SnmpValue => ({ kind: 'IpAddress', value })),
  unsigned.map((value): SnmpValue => ({ kind: 'Counter32', value })),
  unsigned.map((value): SnmpValue => ({ kind: 'Gauge32', value })),
  unsigned.map((value): SnmpValue => ({ kind: 'TimeTicks', value })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value): SnmpValue => ({ kind: 'Counter64', value })),
  fc.float({ noNaN: true }).map((value): SnmpValue => ({ kind: 'OpaqueFloat', value })),
  fc.double({ noNaN: true }).map((value): SnmpValue => ({ kind: 'OpaqueDouble', value })),
  octets(20).map((value): SnmpValue => ({ kind: 'Opaque', value: Uint8Array.of(0x04, ...value) })),
  fc.constantFrom<SnmpValue>({ kind: 'noSuchObject' }, { kind: 'noSuchInstance' }, { kind: 'endOfMibView' }),
)

export const anyMessage: fc.Arbitrary<CommunityMessage> = fc.record({
  version: fc.constantFrom('v1' as const, 'v2c' as const),
  community: octets(40),
  // a v1 Trap-PDU has other fields
  type: fc.constantFrom(...Object.values(PDU).filter((type) => type !== PDU.Trap)),
  requestId: fc.integer(),
  errorStatus: fc.nat(18),
  errorIndex: fc.nat(1000),
  varbinds: fc.array(fc.record({ oid: anyOid, value: anyValue }), { maxLength: 30 }),
})
