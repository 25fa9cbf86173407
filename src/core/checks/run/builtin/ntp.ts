import type { NtpProbe } from '../../probe.ts'
import { levelOf } from '../../range.ts'
import { type CheckResult, resultOf } from '../result.ts'
import { exchange } from './datagram.ts'
import { answerOf } from './message.ts'

/** Seconds from 1900 to 1970. */
const EPOCH_S = 2_208_988_800

/**
 * Measures the offset between an NTP server and this host's clock with an NTPv4 client request (RFC 5905 section 14).
 */
export async function checkNtp(probe: NtpProbe, address: string, deadlineMs: number): Promise<CheckResult> {
  // a random transmit timestamp instead of the time: the server returns it, so that responses cannot be forged blindly
  const token = crypto.getRandomValues(new Uint8Array(8))
  let sentMs = 0
  const request = () => {
    const packet = new Uint8Array(48)
    packet[0] = (4 << 3) | 3
    packet.set(token, 40)
    sentMs = Date.now()
    return packet
  }
  const answer = await exchange({ address, port: probe.port }, request, (octets) => decode(octets, token), deadlineMs)
  const receivedMs = Date.now()
  if (answer.leap === 3 || answer.stratum === 0 || answer.stratum > 15) {
    return resultOf(2, `${answerOf(probe.type, 2)}: the server is not synchronized, stratum ${answer.stratum}`)
  }
  const offset = (answer.receivedMs - sentMs + (answer.transmittedMs - receivedMs)) / 2000
  const status = levelOf(Math.abs(offset), probe.warning, probe.critical)
  return resultOf(status, `${answerOf(probe.type, status)}: offset ${offset.toFixed(6)} s, stratum ${answer.stratum}`, [
    { label: 'offset', value: offset, unit: 's' },
    { label: 'stratum', value: answer.stratum, unit: '' },
  ])
}

interface NtpAnswer {
  readonly leap: number
  readonly stratum: number
  /** When the server received the request and sent the response, epoch ms by its clock. */
  readonly receivedMs: number
  readonly transmittedMs: number
}

/** Null if the packet is not a response to this request. */
export function decode(octets: Uint8Array, token: Uint8Array): NtpAnswer | null {
  if (octets.length < 48 || ((octets[0] ?? 0) & 7) !== 4) return null
  if (!token.every((octet, i) => octets[24 + i] === octet)) return null
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  return {
    leap: (octets[0] ?? 0) >> 6,
    stratum: octets[1] ?? 0,
    receivedMs: timestamp(view, 32),
    transmittedMs: timestamp(view, 40),
  }
}

/** A 64-bit timestamp; one below 2^31 seconds belongs to the era that begins in 2036. */
function timestamp(view: DataView, at: number): number {
  const seconds = view.getUint32(at)
  const era = seconds < 2 ** 31 ? 2 ** 32 : 0
  return (seconds + era - EPOCH_S + view.getUint32(at + 4) / 2 ** 32) * 1000
}
