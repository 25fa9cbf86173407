import type { Log } from '../../observe/log.ts'
import { DomainError } from '../base/errors.ts'
import type { Contact, ContactElsewhere, Gateway, RunSummary } from '../base/gateway.ts'
import { INSTANCE, type Store } from '../database/client.ts'
import { type Listening, listen, notify } from '../database/listen.ts'
import type { Owner, Verb } from './owner.ts'

/** Channels between commands and the serving process; payloads are JSON. */
const REQUEST_CHANNEL = 'portlight_request'
const RESULT_CHANNEL = 'portlight_result'

interface Request {
  readonly id: string
  /** Instance of the requesting process. */
  readonly from: string
  readonly verb: Verb | 'refresh' | 'contact'
  readonly deviceId: number
}

interface Result {
  readonly id: string
  /** Result of a poll or discovery. */
  readonly summary?: RunSummary
  /** Result of verb `contact`; null: the process no longer has the device. */
  readonly contact?: ContactElsewhere | null
}

/** A NOTIFY payload must be shorter than 8,000 bytes, so the notes of a summary's modules may not fit. */
const MAX_OCTETS = 7000

/** Longer than a site is allowed to take to contact a device, ms. */
const CONTACT_MS = 40_000

/** The side that serves requests: a process that polls, or serves remote pollers. */
export interface RequestsServed {
  readonly store: Store
  readonly log: Log
  /** Name of this process. */
  readonly name: () => string
  readonly poller: Pick<Gateway, Verb> & { tryOwn(deviceId: number): Promise<Contact | null> }
  /** Who polls a device: requests for those of other processes are left to them. Throws StoreError. */
  readonly ownerOf: (deviceId: number) => Promise<Owner>
  /** Another process has changed a device. */
  readonly changed: (deviceId: number) => void
  /** Called when the connection is up (`again`: after it was lost). Requests sent while it is down are lost. */
  readonly listening: (again: boolean) => void
}

/** Runs what commands and other processes request for the devices of this process. */
export function serveRequests(o: RequestsServed): Listening {
  let connected = false
  const run = async ({ id, verb, deviceId }: Request): Promise<void> => {
    const owner = await o.ownerOf(deviceId)
    if (owner.at !== 'here' && owner.at !== 'site') return
    if (verb === 'contact') await answer(o.store, { id, contact: await contact(owner, deviceId) })
    else if (verb !== 'refresh') {
      const atSite = owner.at === 'site' ? await owner.sites.run(verb, deviceId) : null
      await answer(o.store, { id, summary: atSite ?? (await o.poller[verb](deviceId)) })
    }
  }
  const contact = async (owner: Owner, deviceId: number): Promise<ContactElsewhere | null> => {
    if (owner.at === 'site') return await owner.sites.contact(deviceId)
    const result = await o.poller.tryOwn(deviceId)
    return result === null ? null : { by: o.name(), result }
  }
  const take = (payload: string): void => {
    const request = parse<Request>(payload)
    if (request === null || !Number.isInteger(request.deviceId)) return
    if (request.verb === 'refresh') {
      // this process has already done what it asks of the others
      if (request.from !== INSTANCE) o.changed(request.deviceId)
      return
    }
    run(request).catch((error: unknown) => o.log.error({ err: error, verb: request.verb }, 'request failed'))
  }
  const begun = (): void => {
    o.listening(connected)
    connected = true
  }
  return listen(o.store, REQUEST_CHANNEL, take, begun, o.log)
}

async function answer(store: Store, result: Result): Promise<void> {
  let text = JSON.stringify(result)
  if (result.summary !== undefined && Buffer.byteLength(text) > MAX_OCTETS) {
    const modules = result.summary.modules.map((m) => ({ ...m, note: '' }))
    text = JSON.stringify({ ...result, summary: { ...result.summary, modules } })
  }
  await notify(store, RESULT_CHANNEL, text)
}

/** The command's side: a device was changed. */
export async function requestRefresh(store: Store, deviceId: number): Promise<void> {
  await send(store, { id: Bun.randomUUIDv7(), from: INSTANCE, verb: 'refresh', deviceId })
}

/** The command's side: asks for a run and waits for its result. Throws `unavailable` after `timeoutMs`. */
export async function requestRun(
  store: Store,
  log: Log,
  verb: Verb,
  deviceId: number,
  timeoutMs: number,
): Promise<RunSummary> {
  const { summary } = await ask(store, log, { verb, deviceId }, timeoutMs)
  return summary ?? { outcome: 'failed', tookMs: 0, failure: null, modules: [] }
}

/**
 * The command's side: asks the process that polls a device, or serves its remote poller, to contact it. `by`: the name
 * of the poller. Never throws.
 */
export async function requestContact(store: Store, log: Log, by: string, deviceId: number): Promise<ContactElsewhere> {
  try {
    const { contact } = await ask(store, log, { verb: 'contact', deviceId }, CONTACT_MS)
    return contact ?? { by, result: 'it does not have the device' }
  } catch (error) {
    return { by, result: error instanceof Error ? error.message : String(error) }
  }
}

async function send(store: Store, request: Request): Promise<void> {
  await notify(store, REQUEST_CHANNEL, JSON.stringify(request))
}

async function ask(
  store: Store,
  log: Log,
  request: Pick<Request, 'verb' | 'deviceId'>,
  timeoutMs: number,
): Promise<Result> {
  const id = Bun.randomUUIDv7()
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const listening = Promise.withResolvers<void>()
  const results = listen(
    store,
    RESULT_CHANNEL,
    (payload) => {
      const result = parse<Result>(payload)
      if (result?.id === id) resolve(result)
    },
    listening.resolve,
    log,
  )
  const timer = setTimeout(
    () => reject(new DomainError('unavailable', `the server did not finish within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  try {
    await Promise.race([listening.promise, promise])
    await send(store, { ...request, id, from: INSTANCE })
    return await promise
  } finally {
    clearTimeout(timer)
    await results.stop()
  }
}

function parse<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text)
    // safe: only our own processes can write to the database
    return typeof value === 'object' && value !== null ? (value as T) : null
  } catch {
    return null
  }
}
