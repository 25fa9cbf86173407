import { BerWriter } from '@portlight/snmp/ber.ts'
import { type CommunityMessage, decodeMessage, encodeMessage } from '@portlight/snmp/message.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'

/**
 * `endless`: tables never end. `million`: a million interfaces. `flood`: an ordinary small device that sends each
 * response 50 times, some of them 64 kB long, and keeps sending without requests. `wordy`: interfaces whose ifAlias
 * strains the regular expressions of settings. `caches`: 100,000 rows of ARP and forwarding database, as a core switch
 * has.
 */
export type HostileKind = 'endless' | 'million' | 'flood' | 'wordy' | 'caches'

export interface HostileAgent {
  readonly address: string
  readonly port: number
  stop(): void
}

const MAX_OCTETS = 1400
const FIRST_INDEX = 1_000_000
const DUPLICATES = 50
/** Unexpected datagrams per burst, and the time between bursts. */
const BURST = 200
const BURST_MS = 10
const IF_ENTRY = '1.3.6.1.2.1.2.2.1'
const IF_X_ENTRY = '1.3.6.1.2.1.31.1.1.1'

const ROWS: Readonly<Partial<Record<HostileKind, number>>> = { million: 1_000_000, wordy: 1500, caches: 100_000 }

const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const began = Date.now()

function scalar(oid: string, name: string): SnmpValue | null {
  switch (oid) {
    case '1.3.6.1.2.1.1.1.0':
      // a flooding agent describes itself with 60 kB
      return text(`Linux hostile 6.1${name.startsWith('flood') ? ' '.concat('y'.repeat(60_000)) : ''}`)
    case '1.3.6.1.2.1.1.2.0':
      return { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.8072.3.2.10' }
    case '1.3.6.1.2.1.1.3.0':
      return { kind: 'TimeTicks', value: Math.floor((Date.now() - began) / 10) }
    case '1.3.6.1.2.1.1.5.0':
      return text(name)
    default:
      return null
  }
}

/** 1,200 letters a or b, different for each seed, so that an automaton meets a new state at each letter. */
function letters(seed: number): string {
  let state = seed
  return Array.from({ length: 1200 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state >>> 31 === 0 ? 'a' : 'b'
  }).join('')
}

/** Columns of the interface tables that are not numbers, and those that describe the port. */
function cell(column: number, extended: boolean, n: number, wordy: boolean): SnmpValue {
  if (extended) {
    if (column === 1) return text(`e${n}`)
    if (column === 18) return text(wordy ? letters(n) : `alias ${n}`)
    return column >= 6 && column <= 13 ? { kind: 'Counter64', value: BigInt(n) } : { kind: 'Gauge32', value: 1000 }
  }
  if (column === 2) return text(`ethernet ${n}`)
  if (column === 3) return { kind: 'Integer32', value: 6 }
  if (column === 7 || column === 8) return { kind: 'Integer32', value: 1 }
  if (column === 6) return { kind: 'OctetString', value: Uint8Array.of(2, 0, n >> 24, n >> 16, n >> 8, n) }
  return { kind: 'Gauge32', value: n }
}

/** The varbind after an OID in the interface tables, whose rows are numbered from 1. */
function nextInterface(oid: string, rows: number, wordy: boolean): Varbind | null {
  for (const [entry, columns] of [
    [IF_ENTRY, 10],
    [IF_X_ENTRY, 18],
  ] as const) {
    if (!oid.startsWith(`${entry}.`)) continue
    const [column = 0, row = 0] = oid
      .slice(entry.length + 1)
      .split('.')
      .map(Number)
    if (column < 1 || column > columns) return null
    const [c, n] = row < rows ? [column, row + 1] : [column + 1, 1]
    if (c > columns) return null
    return { oid: `${entry}.${c}.${n}`, value: cell(c, entry === IF_X_ENTRY, n, wordy) }
  }
  return null
}

function nextEndless(oid: string): Varbind {
  const at = oid.lastIndexOf('.')
  const last = Number(oid.slice(at + 1))
  const next = last >= FIRST_INDEX ? `${oid.slice(0, at)}.${last + 1}` : `${oid}.${FIRST_INDEX}`
  return { oid: next, value: { kind: 'Integer32', value: 7 } }
}

const ARP = '1.3.6.1.2.1.4.22.1.2'
const FDB = '1.3.6.1.2.1.17.7.1.2.2.1.2'

/** The varbind after an OID in ipNetToMediaTable or dot1qTpFdbTable; the last three octets number their rows. */
function nextCached(oid: string, rows: number): Varbind | null {
  const column = [ARP, FDB].find((known) => oid === known || oid.startsWith(`${known}.`))
  if (column === undefined) return null
  const [a = 0, b = 0, c = 0] = oid === column ? [0, 0, -1] : oid.split('.').slice(-3).map(Number)
  const n = (a << 16) + (b << 8) + c + 1
  if (n >= rows) return null
  const octets = [n >> 16, (n >> 8) & 255, n & 255]
  return column === ARP
    ? {
        oid: `${ARP}.1.10.${octets.join('.')}`,
        value: { kind: 'OctetString', value: Uint8Array.of(2, 0, 1, ...octets) },
      }
    : { oid: `${FDB}.7.2.170.187.${octets.join('.')}`, value: { kind: 'Integer32', value: 3 } }
}

/** Starts an agent on loopback, for any community. */
export async function startHostile(
  kind: HostileKind,
  at: { readonly address?: string; readonly port?: number; readonly rows?: number } = {},
): Promise<HostileAgent> {
  const { address = '127.0.0.1', port = 0, rows = ROWS[kind] ?? 4 } = at
  const writer = new BerWriter()
  const flooded = new Map<number, string>()
  const next = (oid: string): Varbind => {
    const found =
      kind === 'endless'
        ? nextEndless(oid)
        : kind === 'caches'
          ? nextCached(oid, rows)
          : nextInterface(oid, rows, kind === 'wordy')
    return found ?? { oid, value: { kind: 'endOfMibView' } }
  }
  const get = (oid: string): Varbind => {
    const value = scalar(oid, `${kind}-${address}`)
    if (value !== null) return { oid, value }
    const dot = oid.lastIndexOf('.')
    const before = `${oid.slice(0, dot)}.${Number(oid.slice(dot + 1)) - 1}`
    const found = kind === 'endless' ? null : nextInterface(before, rows, kind === 'wordy')
    return found?.oid === oid ? found : { oid, value: { kind: 'noSuchInstance' } }
  }
  const respond = (request: CommunityMessage): Uint8Array => {
    const { varbinds: asked, type } = request
    const answer = (varbinds: readonly Varbind[]): Uint8Array =>
      encodeMessage(writer, { ...request, type: PDU.Response, errorStatus: 0, errorIndex: 0, varbinds })
    if (type === PDU.GetRequest) return answer(asked.map(({ oid }) => get(oid)))
    if (type !== PDU.GetBulkRequest) return answer(asked.map(({ oid }) => next(oid)))
    const fixed = asked
      .slice(0, request.errorStatus)
      .map(({ oid }) => (scalar(`${oid}.0`, '') === null ? next(oid) : get(`${oid}.0`)))
    let row = asked.slice(request.errorStatus).map(({ oid }) => oid)
    const list: Varbind[] = [...fixed]
    let octets = 60
    for (let r = 0; r < request.errorIndex && octets < MAX_OCTETS; r++) {
      const found = row.map(next)
      for (const varbind of found)
        octets += 24 + (varbind.value.kind === 'OctetString' ? varbind.value.value.length : 4)
      if (octets > MAX_OCTETS && list.length > fixed.length) break
      list.push(...found)
      row = found.map(({ oid }) => oid)
      if (found.every(({ value }) => value.kind === 'endOfMibView')) break
    }
    return answer(list)
  }
  const large = (request: CommunityMessage): Uint8Array =>
    encodeMessage(writer, {
      ...request,
      type: PDU.Response,
      errorStatus: 0,
      errorIndex: 0,
      varbinds: [{ oid: '1.3.6.1.2.1.1.1.0', value: text('x'.repeat(64_000)) }],
    })
  const socket = await Bun.udpSocket({
    hostname: address,
    port,
    binaryType: 'uint8array',
    socket: {
      error: () => undefined,
      data: (own, data, from, host) => {
        const request = decodeMessage(data)
        const answer = Uint8Array.from(respond(request))
        try {
          own.send(answer, from, host)
          if (kind !== 'flood') return
          flooded.set(from, host)
          for (let i = 0; i < DUPLICATES; i++) own.send(answer, from, host)
          own.send(large(request), from, host)
        } catch {
          flooded.delete(from) // an ICMP error: the receiver is gone
        }
      },
    },
  })
  const stray = Uint8Array.from(
    encodeMessage(writer, {
      version: 'v2c',
      community: new TextEncoder().encode('public'),
      type: PDU.Response,
      requestId: 1,
      errorStatus: 0,
      errorIndex: 0,
      varbinds: [{ oid: '1.3.6.1.2.1.1.1.0', value: text('x'.repeat(1200)) }],
    }),
  )
  const timer =
    kind === 'flood'
      ? setInterval(() => {
          for (const [to, host] of flooded) {
            try {
              for (let i = 0; i < BURST; i++) socket.send(stray, to, host)
            } catch {
              flooded.delete(to) // the receiver is gone
            }
          }
        }, BURST_MS)
      : null
  return {
    address,
    port: socket.port,
    stop() {
      if (timer !== null) clearInterval(timer)
      socket.close()
    },
  }
}

if (import.meta.main) {
  const [kind = 'endless', address = '127.0.0.1', port = '0'] = process.argv.slice(2)
  await startHostile(kind as HostileKind, { address, port: Number(port) })
  // ends by itself if the bench that started it has died
  setTimeout(() => process.exit(0), 20 * 60_000)
}
