import type { ContactElsewhere, Gateway, RunSummary } from '../core/base/gateway.ts'
import { INSTANCE, type Store } from '../core/database/client.ts'
import { type Listening, listen, notify } from '../core/database/listen.ts'
import type { Log } from '../observe/log.ts'
import { ServingError } from './errors.ts'

/** Channels between commands and the serving process; payloads are JSON. */
const REQUEST_CHANNEL = 'portlight_request'
const RESULT_CHANNEL = 'portlight_result'

type Verb = 'refresh' | 'discover' | 'poll' | 'contact'

interface Request {
  readonly id: string
  /** Instance of the requesting process. */
  readonly from: string
  readonly verb: Verb
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

/**
 * The polling side: runs what commands and other processes request for devices that it polls (`owns`). Requests sent
 * while the connection is down are lost. `listening` is called when the connection is up (`again`: after it was lost).
 */
export function serveRequests(
  store: Store,
  gateway: Gateway,
  owns: (deviceId: number) => Promise<boolean>,
  listening: (again: boolean) => void,
  log: Log,
): Listening {
  let connected = false
  const run = async ({ id, verb, deviceId }: Request): Promise<void> => {
    if (!(await owns(deviceId))) return
    if (verb === 'contact') return await answer(store, { id, contact: await gateway.contact(deviceId) })
    const summary = verb === 'poll' ? await gateway.poll(deviceId) : await gateway.discover(deviceId)
    await answer(store, { id, summary })
  }
  const take = (payload: string): void => {
    const request = parse<Request>(payload)
    if (request === null || !Number.isInteger(request.deviceId)) return
    if (request.verb === 'refresh') {
      // this process has already done what it asks of the others
      if (request.from !== INSTANCE) gateway.refresh(request.deviceId)
      return
    }
    run(request).catch((error: unknown) => log.error({ err: error, verb: request.verb }, 'request failed'))
  }
  const begun = (): void => {
    listening(connected)
    connected = true
  }
  return listen(store, REQUEST_CHANNEL, take, begun, log)
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

/** The command's side: asks for a run and waits for its result. Throws ServingError after `timeoutMs`. */
export async function requestRun(
  store: Store,
  log: Log,
  verb: 'discover' | 'poll',
  deviceId: number,
  timeoutMs: number,
): Promise<RunSummary> {
  const { summary } = await ask(store, log, { verb, deviceId }, timeoutMs)
  return summary ?? { outcome: 'failed', tookMs: 0, failure: null, modules: [] }
}

/** The command's side: asks the process that polls a device to contact it. Throws ServingError after `timeoutMs`. */
export async function requestContact(
  store: Store,
  log: Log,
  deviceId: number,
  timeoutMs: number,
): Promise<ContactElsewhere | null> {
  return (await ask(store, log, { verb: 'contact', deviceId }, timeoutMs)).contact ?? null
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
    () => reject(new ServingError(`the server did not finish within ${timeoutMs / 1000} s`)),
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
