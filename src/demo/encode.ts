import { encodeOid } from '../lib/oid.ts'
import { type BerWriter, TAG } from '../snmp/ber.ts'
import type { AgentType, AgentTypes } from './table.ts'

const utf8 = new TextEncoder()

/**
 * Writes a value as its SMI type. Numbers are rounded and held inside the type's range, counters are taken modulo its
 * size. `value` is of the type that `type` names: the rows of `table.ts` see to that.
 */
export function writeAgentValue(writer: BerWriter, type: AgentType, value: AgentTypes[AgentType]): void {
  switch (type) {
    case 'Integer32':
      writer.integer(Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.round(Number(value)))))
      break
    case 'Gauge32':
      writer.unsigned(TAG.Gauge32, 0, Math.min(2 ** 32 - 1, Math.max(0, Math.round(Number(value)))))
      break
    case 'TimeTicks':
      writer.unsigned(TAG.TimeTicks, 0, Math.floor(Number(value)) % 2 ** 32)
      break
    case 'Counter32':
      writer.unsigned(TAG.Counter32, 0, Number(BigInt.asUintN(32, value as bigint)))
      break
    case 'Counter64':
      writer.unsigned(
        TAG.Counter64,
        Number(BigInt.asUintN(32, (value as bigint) >> 32n)),
        Number(BigInt.asUintN(32, value as bigint)),
      )
      break
    case 'Text':
      writer.primitive(TAG.OctetString, utf8.encode(value as string))
      break
    case 'Octets':
      writer.primitive(TAG.OctetString, value as Uint8Array)
      break
    case 'Oid':
      writer.primitive(TAG.ObjectIdentifier, encodeOid(value as string))
      break
    case 'IpAddress':
      writer.primitive(TAG.IpAddress, Uint8Array.from((value as string).split('.'), Number))
  }
}
