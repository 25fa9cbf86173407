import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link that acknowledges says. */
export interface LinkClaims {
  /** Id of the notification in the outbox: a link is used once. */
  readonly notificationId: number
  /** Ids of the alerts that it acknowledges, 1 to MAX_LINK_ALERTS. */
  readonly alertIds: readonly number[]
  /** When the change that the notification reports was decided, epoch seconds: later problems are not meant. */
  readonly atS: number
  /** Epoch seconds. */
  readonly expiresS: number
  readonly transportId: number
  /** The person whose transport it is; null: it is not that of one person. */
  readonly userId: number | null
}

/** Most alerts that one link acknowledges, so that it stays short enough for chats. */
export const MAX_LINK_ALERTS = 20

const VERSION = 1
const SIGNATURE_OCTETS = 16
const MAX_TEXT = 400

/**
 * The claims as text for a URL, with their signature (HMAC-SHA-256, RFC 2104, the first 128 bits): numbers of 7 bits per
 * octet, the lowest first, in base64url (RFC 4648, section 5). About 50 characters for one alert. Null: the claims are not
 * ones that can be made.
 */
export function tokenOf(claims: LinkClaims, key: Uint8Array): string | null {
  const { notificationId, alertIds, atS, expiresS, transportId, userId } = claims
  const sorted = [...new Set(alertIds)].toSorted((a, b) => a - b)
  const numbers = [
    ...[VERSION, notificationId, transportId, userId ?? 0, atS, expiresS - atS, sorted.length],
    ...sorted.map((id, i) => id - (sorted[i - 1] ?? 0)),
  ]
  const isSound =
    sorted.length > 0 && sorted.length <= MAX_LINK_ALERTS && (sorted[0] ?? 0) > 0 && numbers.every(isNumber)
  if (!isSound) return null
  const octets = Uint8Array.from(numbers.flatMap(octetsOf))
  return Buffer.concat([octets, signatureOf(octets, key)]).toString('base64url')
}

/** The claims of a text; null: it is not one that this program has signed. Whether it has expired is not checked. */
export function claimsOf(text: string, key: Uint8Array): LinkClaims | null {
  if (text.length > MAX_TEXT || !/^[\w-]+$/.test(text)) return null
  const all = Buffer.from(text, 'base64url')
  // other texts for the same octets are refused
  if (all.length <= SIGNATURE_OCTETS || all.toString('base64url') !== text) return null
  const octets = all.subarray(0, -SIGNATURE_OCTETS)
  if (!timingSafeEqual(all.subarray(-SIGNATURE_OCTETS), signatureOf(octets, key))) return null
  const [version, notificationId, transportId, userId, atS, lastsS, count, ...deltas] = numbersIn(octets)
  if (version !== VERSION || notificationId === undefined || transportId === undefined || userId === undefined)
    return null
  if (atS === undefined || lastsS === undefined || count !== deltas.length || count === 0) return null
  let id = 0
  const alertIds = deltas.map((delta) => {
    id += delta
    return id
  })
  return { notificationId, alertIds, atS, expiresS: atS + lastsS, transportId, userId: userId === 0 ? null : userId }
}

const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 0

function octetsOf(value: number): number[] {
  const octets: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) octets.push((rest % 128) | 128)
  return [...octets, rest]
}

function numbersIn(octets: Uint8Array): number[] {
  const numbers: number[] = []
  let [value, weight] = [0, 1]
  for (const octet of octets) {
    value += (octet & 127) * weight
    weight *= 128
    if (octet > 127) continue
    numbers.push(value)
    ;[value, weight] = [0, 1]
  }
  return numbers
}

function signatureOf(octets: Uint8Array, key: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update('acknowledge').update(octets).digest().subarray(0, SIGNATURE_OCTETS)
}
