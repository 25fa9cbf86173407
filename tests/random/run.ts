import type { Dialect } from '../../src/core/base/actor.ts'
import type { Store } from '../../src/core/database/client.ts'
import { faultOf, type Received } from './check.ts'
import { fixedWords, operationsOf } from './document.ts'
import { type Pool, readPool } from './pool.ts'
import { type Made, makeRequest } from './requests.ts'
import { rng } from './rng.ts'

/** A token and whose it is; null: no token. */
export interface Caller {
  readonly name: string
  readonly token: string | null
  readonly dialect: Dialect
}

export interface Options {
  readonly requests: number
  readonly seed: number
  readonly callers: readonly Caller[]
  readonly document: unknown
  readonly store: Store
  /** Devices that stay. */
  readonly kept: readonly number[]
  /** Requests under way at the same time. */
  readonly atOnce: number
  send(made: Made, caller: Caller): Promise<Received>
}

export interface Outcome {
  readonly sent: number
  /** Answers by status, for each dialect. */
  readonly statuses: Readonly<Record<Dialect, Readonly<Record<number, number>>>>
  /** Operations that were asked, and those of them that succeeded at least once. */
  readonly operations: number
  readonly succeeded: ReadonlySet<string>
  /** With the request that each answers, in the order of the requests. */
  readonly faults: readonly string[]
}

/** Requests between two looks at what exists. */
const LOOK_EVERY = 400

/** Sends random requests to every operation in turn, and looks at each answer. */
export async function runRandom(options: Options): Promise<Outcome> {
  const operations = operationsOf(options.document)
  const words = fixedWords(operations)
  const random = rng(options.seed)
  const statuses: Record<Dialect, Record<number, number>> = { documented: {}, librenms: {} }
  const succeeded = new Set<string>()
  const faults: string[] = []
  let sent = 0

  async function one(pool: Pool): Promise<void> {
    const operation = operations[sent++ % operations.length]
    if (operation === undefined) return
    const made = makeRequest(operation, words, random, pool)
    const caller = random.pick(options.callers)
    const received = await options.send(made, caller)
    const counts = statuses[caller.dialect]
    counts[received.status] = (counts[received.status] ?? 0) + 1
    if (received.status < 300) succeeded.add(operation.id)
    const fault = faultOf(made, received, caller.dialect)
    if (fault !== null) faults.push(`${caller.name}: ${described(made)}: ${fault}`)
  }

  while (sent < options.requests) {
    const pool = await readPool(options.store, options.kept)
    const until = Math.min(options.requests, sent + LOOK_EVERY)
    await Promise.all(
      Array.from({ length: options.atOnce }, async () => {
        while (sent < until) await one(pool)
      }),
    )
  }
  return { sent, statuses, operations: operations.length, succeeded, faults }
}

function described({ operation, path, body }: Made): string {
  const text = body === null ? '' : ` ${typeof body === 'string' ? body.slice(0, 400) : '(octets)'}`
  return `${operation.id}: ${operation.method} ${path.slice(0, 300)}${text}`
}

/** The body; of a stream of events, which has no end, the first part. */
export async function bytesOf(answer: Response): Promise<Uint8Array> {
  if (answer.headers.get('content-type') !== 'text/event-stream') return await answer.bytes()
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return first?.value ?? new Uint8Array()
}
