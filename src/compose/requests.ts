import type { Gateway, RunSummary } from '../domain/gateway.ts'
import type { Log } from '../observe/log.ts'
import { INSTANCE, type Store } from '../store/client.ts'
import { type Listening, listen, notify } from '../store/listen.ts'
import { ServingError } from './errors.ts'

/** Channels between commands and the serving process; payloads are JSON. */
const REQUEST_CHANNEL = 'portlight_request'
const RESULT_CHANNEL = 'portlight_result'

type Verb = 'refresh' | 'discover' | 'poll'

interface Request {
  readonly id: string
  /** Instance of the process that asks. */
  readonly from: string
  readonly verb: Verb
  readonly deviceId: number
}

interface Result {
  readonly id: string
  readonly summary: RunSummary
}

/** NOTIFY carries less than 8,000 octets, so the notes of a summary's modules may not fit. */
const MAX_OCTETS = 7000

/**
 * The polling side: runs what commands and other processes request for devices that it polls (`owns`). Requests sent while
 * the connection is down are lost: `listening` is called when it begins (`again`: when it is back).
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
    const summary = verb === 'poll' ? await gateway.poll(deviceId) : await gateway.discover(deviceId)
    await answer(store, { id, summary })
  }
  const take = (payload: string): void => {
    const request = parse<Request>(payload)
    if (request === null || !Number.isInteger(request.deviceId)) return
    if (request.verb === 'refresh') {
      // what this process asks of the others it has done itself
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
  if (Buffer.byteLength(text) > MAX_OCTETS) {
    const modules = result.summary.modules.map((m) => ({ ...m, note: '' }))
    text = JSON.stringify({ ...result, summary: { ...result.summary, modules } })
  }
  await notify(store, RESULT_CHANNEL, text)
}

/** The command's side: sends a request and waits for its result; null for `refresh`, which has none. Throws on timeout. */
export async function request(
  store: Store,
  log: Log,
  verb: Verb,
  deviceId: number,
  timeoutMs: number,
): Promise<RunSummary | null> {
  const id = Bun.randomUUIDv7()
  const body = JSON.stringify({ id, from: INSTANCE, verb, deviceId } satisfies Request)
  if (verb === 'refresh') {
    await notify(store, REQUEST_CHANNEL, body)
    return null
  }
  const { promise, resolve, reject } = Promise.withResolvers<RunSummary>()
  const listening = Promise.withResolvers<void>()
  const results = listen(
    store,
    RESULT_CHANNEL,
    (payload) => {
      const result = parse<Result>(payload)
      if (result?.id === id) resolve(result.summary)
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
    await notify(store, REQUEST_CHANNEL, body)
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
