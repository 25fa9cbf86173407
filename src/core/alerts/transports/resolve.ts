import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { OwnClock } from '@portlight/snmp/own-message.ts'
import type { Settings } from '../../../config/schema.ts'
import type { NoteExchange } from './exchange.ts'
import { addressRefusal, addressRules } from './guard.ts'

/** Addresses of a host name, in order of preference. Rejects when there are none. */
export type AddressLookup = (host: string) => Promise<readonly string[]>

/** Uses the system's resolver: hosts file, then DNS. */
export const systemLookup: AddressLookup = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)

/** The clock of our SNMP engine with this id (hexadecimal; '': that of the installation). Rejects if it is unknown. */
export type TrapEngine = (id: string) => Promise<OwnClock>

/** A browser that web push sends to. */
export interface PushTarget {
  readonly id: number
  /** As `PushSubscription.toJSON()` has it (RFC 8291). */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
}

/** The browsers of users, and what was sent to them. */
export interface PushSubscriptions {
  /** Key pair of this installation (RFC 8292), Base64url. */
  keys(): Promise<{ readonly publicKey: string; readonly privateKey: string }>
  /** Browsers of users who may sign in, by name; `unknown`: names that no such user has. */
  browsersOf(
    names: readonly string[],
  ): Promise<{ readonly browsers: readonly PushTarget[]; readonly unknown: readonly string[] }>
  /** Whether this process has sent the notification with this key to the browser. */
  wasSent(key: string, id: number): boolean
  sent(key: string, id: number): Promise<void>
  /** The push service no longer knows the browser. */
  gone(id: number): Promise<void>
}

/** Dependencies of every outgoing request. */
export interface SendDeps {
  readonly settings: Settings
  readonly lookup: AddressLookup
  /** Aborted when the program stops or the attempt has taken too long. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
  /** Called with what is sent and what comes back; absent: nobody asks. */
  readonly note?: NoteExchange | undefined
  /** Private addresses are refused, whatever setting outgoing.private says, unless outgoing.allow lists them. */
  readonly publicOnly?: boolean
}

/** Dependencies of the kinds of transports. */
export interface DeliveryDeps extends SendDeps {
  readonly trapEngine: TrapEngine
  readonly push: PushSubscriptions
}

/**
 * A failure whose text contains no secret. `retry`: it may work later. `why` `address`: nothing may go to the address of
 * the receiver.
 */
export class SendError extends Error {
  override readonly name = 'SendError'
  constructor(
    message: string,
    readonly retry: boolean,
    readonly why: 'address' | null = null,
  ) {
    super(message)
  }
}

/** Maximum number of addresses to try, one after the other. */
const MAX_ADDRESSES = 3

/**
 * Resolves a host once and returns the addresses that notifications may be sent to. Callers connect to these and never
 * to the name, because its address may change after the check (DNS rebinding). Throws SendError.
 */
export async function allowedAddresses(host: string, deps: SendDeps): Promise<readonly string[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const rules = addressRules(
    deps.settings.get('outgoing.allow'),
    deps.publicOnly !== true && deps.settings.get('outgoing.private'),
  )
  const found = isIP(name) > 0 ? [name] : await resolved(name, deps)
  const refusals = found.map((address) => addressRefusal(address, rules))
  const allowed = found.filter((_, i) => refusals[i] === null)
  if (allowed.length > 0) return allowed.slice(0, MAX_ADDRESSES)
  const [what] = refusals.filter((refusal) => refusal !== null)
  throw new SendError(
    `the address of the receiver is refused (${what}); if it is right, add it to setting outgoing.allow`,
    false,
    'address',
  )
}

async function resolved(name: string, { lookup: find, signal }: SendDeps): Promise<readonly string[]> {
  const found = await raced(find(name), signal).catch((error: unknown) => {
    if (error instanceof SendError) throw error
    return []
  })
  if (found.length === 0) throw new SendError('the name of the receiver cannot be resolved', true)
  return found
}

/** Settles with the work, or rejects as soon as the signal is aborted. */
export async function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(new SendError('no answer in time', true))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Errors that occur before anything is sent, so another address of the receiver may be tried. */
const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'ETIMEDOUT'])

/** Sends to the first address that accepts a connection. */
export async function byFirstAddress<T>(
  host: string,
  deps: SendDeps,
  send: (address: string) => Promise<T>,
): Promise<T> {
  const addresses = await allowedAddresses(host, deps)
  let failed: unknown
  for (const address of addresses) {
    try {
      return await raced(send(address), deps.signal)
    } catch (error) {
      failed = error
      if (!UNCONNECTED.has(codeOf(error))) break
    }
  }
  throw failed
}

/** The code of a system or TLS error; '' if there is none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** A network error as text. Messages of libraries are left out, because they may contain URLs with secrets. */
export function networkReason(error: unknown): string {
  if (error instanceof SendError) return error.message
  const code = codeOf(error)
  // the names that Node's parser of HTTP gives its errors
  if (code === 'HPE_HEADER_OVERFLOW') return 'the answer has too many headers'
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'no answer'
}
