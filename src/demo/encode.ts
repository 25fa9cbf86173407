import { type BerWriter, TAG } from '@portlight/snmp/ber.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import type { AgentType, AgentTypes } from './instance.ts'

const utf8 = new TextEncoder()

/** Rounds a number and clamps it to the range of its SMI type. */
const integer32 = (value: number): number => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.round(value)))
const gauge32 = (value: number): number => Math.min(2 ** 32 - 1, Math.max(0, Math.round(value)))
const timeTicks = (value: number): number => Math.floor(value) % 2 ** 32

/**
 * The number that a poller reads from the encoded value; NaN if it is not a number. Numeric text counts, such as
 * net-snmp's laLoad. For counters see `agentCounter`.
 */
export function agentNumber(type: AgentType, value: AgentTypes[AgentType]): number {
  switch (type) {
    case 'Integer32':
      return integer32(Number(value))
    case 'Gauge32':
      return gauge32(Number(value))
    case 'TimeTicks':
      return timeTicks(Number(value))
    case 'Counter32':
    case 'Counter64':
      return Number(agentCounter(type, value))
    case 'Text':
      return Number.parseFloat(value as string)
    default:
      return Number.NaN
  }
}

/** A counter modulo the size of its type; null if the value is not a counter. */
export function agentCounter(type: AgentType, value: AgentTypes[AgentType]): bigint | null {
  if (type === 'Counter32') return BigInt.asUintN(32, value as bigint)
  return type === 'Counter64' ? BigInt.asUintN(64, value as bigint) : null
}

/**
 * Writes a value as its SMI type. Numbers are rounded and clamped to the type's range, counters are taken modulo its
 * size. The row types in `table.ts` ensure that `value` matches `type`.
 */
export function writeAgentValue(writer: BerWriter, type: AgentType, value: AgentTypes[AgentType]): void {
  switch (type) {
    case 'Integer32':
      writer.integer(integer32(Number(value)))
      break
    case 'Gauge32':
      writer.unsigned(TAG.Gauge32, 0, gauge32(Number(value)))
      break
    case 'TimeTicks':
      writer.unsigned(TAG.TimeTicks, 0, timeTicks(Number(value)))
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
