import { BerWriter } from './ber.ts'
import type { Caller } from './call.ts'
import { type Answer, sendOnce } from './get.ts'
import { encodeMessage } from './message.ts'
import { PDU } from './pdu.ts'
import type { Varbind } from './value.ts'
import { writeVarbinds } from './write-varbinds.ts'

/** The first two varbinds of every notification (RFC 3416 §4.2.6). */
export const SYS_UP_TIME = '1.3.6.1.2.1.1.3.0'
export const SNMP_TRAP_OID = '1.3.6.1.6.3.1.1.4.1.0'

/** An SNMPv2 notification. */
export interface Trap {
  /** snmpTrapOID. */
  readonly oid: string
  /** sysUpTime of the sender in hundredths of a second, modulo 2^32. */
  readonly upTime: number
  readonly varbinds: readonly Varbind[]
}

/** All varbinds of a notification, in order. */
export function varbindsOf({ oid, upTime, varbinds }: Trap): readonly Varbind[] {
  return [
    { oid: SYS_UP_TIME, value: { kind: 'TimeTicks', value: upTime >>> 0 } },
    { oid: SNMP_TRAP_OID, value: { kind: 'ObjectIdentifier', value: oid } },
    ...varbinds,
  ]
}

/** A v2c message with an SNMPv2-Trap-PDU. Throws SnmpError `invalid` or `tooBig`. */
export function encodeTrap(community: Uint8Array, requestId: number, trap: Trap): Uint8Array {
  return encodeMessage(new BerWriter(), {
    version: 'v2c',
    community,
    type: PDU.TrapV2,
    requestId,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: varbindsOf(trap),
  })
}

/** Sends an InformRequest by v2c or v3 and waits for its response. Throws SnmpError `invalid` for an invalid OID. */
export function sendInform(session: Caller, trap: Trap): Promise<Answer> {
  return sendOnce(session, {
    type: PDU.InformRequest,
    nonRepeaters: 0,
    maxRepetitions: () => 0,
    varbinds: (writer) => writeVarbinds(writer, varbindsOf(trap)),
  })
}
