import type { Log } from '../../../../observe/log.ts'
import type { DevicePoll } from '../../../../series/samples.ts'
import { writePollerEvent } from '../../../availability/write.ts'
import type { Store } from '../../../database/client.ts'
import { toStoreError } from '../../../database/errors.ts'
import type { EventBudget } from '../../../discovery/event-budget.ts'
import type { SightingLimits } from '../../../sightings/sighting.ts'
import type { Position } from '../write-delivery.ts'
import { MessageError } from './checks.ts'
import type { Delivery } from './message.ts'
import type { Refusals } from './refusals.ts'
import { createSiteClaims } from './site-claims.ts'
import { type DeliveringPoller, type StoredDelivery, storeDelivery } from './store-delivery.ts'

export interface DeliveryWriterOptions {
  readonly store: Store
  readonly poller: DeliveringPoller & { readonly name: string }
  readonly log: Log
  readonly considerMaintenance: () => boolean
  readonly budget: EventBudget
  readonly sightings: () => SightingLimits
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  readonly polled: (polls: readonly DevicePoll[]) => void
}

export interface DeliveryStats {
  /** Messages stored since the start, and sample rows in them. */
  readonly stored: number
  readonly rows: number
  readonly duplicates: number
  /** Sample rows that were too old to be stored. */
  readonly tooOld: number
  /** When a message was last stored, epoch ms; null: none since the start. */
  readonly storedAt: number | null
}

/** Stores what a remote poller delivers. */
export interface DeliveryWriter {
  stats(): DeliveryStats
  /** Retries while the database is unavailable. Throws MessageError for what cannot be stored. */
  store(at: Position, measuredAt: Date, delivery: Delivery): Promise<void>
  /** Ends the retries: `store` then throws. */
  stop(): void
}

const RETRY_MS = 2000

export function createDeliveryWriter(
  o: DeliveryWriterOptions,
  refusals: Pick<Refusals, 'count' | 'say'>,
): DeliveryWriter {
  const { poller, log } = o
  const counts = { stored: 0, rows: 0, duplicates: 0, tooOld: 0 }
  const claims = createSiteClaims(o.store, poller.id)
  /** Devices with an event about samples that are too old. */
  const saidOld = new Set<number>()
  let storedAt: number | null = null
  let stopping = false

  /** Counts rows that were too old, and reports them once per device until a row of it is stored again. */
  async function noteAge({ tooOld, rows, deviceIds }: StoredDelivery): Promise<void> {
    if (tooOld === 0) {
      if (rows > 0) for (const id of deviceIds) saidOld.delete(id)
      return
    }
    counts.tooOld += tooOld
    const news = deviceIds.filter((id) => !saidOld.has(id))
    if (news.length === 0) return
    if (saidOld.size === 0)
      log.error(
        { poller: poller.name, rows: tooOld },
        'samples that are more than 7 days old or in the future are not stored',
      )
    for (const id of news) {
      saidOld.add(id)
      const message = `Samples from remote poller ${poller.name} are more than 7 days old or in the future, and are not stored.`
      await writePollerEvent(o.store, id, message, 5, Date.now()).catch((error: unknown) =>
        log.warn({ poller: poller.name, code: toStoreError(error).code }, 'could not store an event'),
      )
    }
  }

  async function storeOnce(at: Position, measuredAt: Date, delivery: Delivery): Promise<void> {
    const options = { considerMaintenance: o.considerMaintenance(), budget: o.budget, sightings: o.sightings(), claims }
    const result = await storeDelivery(o.store, poller, at, measuredAt, delivery, options)
    if (result.outcome === 'stale')
      throw new MessageError('stale', 'the message is from an earlier start of the poller than messages already stored')
    if (result.outcome === 'duplicate') {
      counts.duplicates++
      return
    }
    counts.stored++
    counts.rows += result.rows
    storedAt = Date.now()
    await noteAge(result)
    if (result.foreignRows > 0) {
      refusals.count('foreign_device')
      refusals.say({ rows: result.foreignRows }, 'ignored samples of devices that this poller does not poll')
    }
    if (result.what.length > 0) o.written(result.deviceIds, result.what)
    if (result.polls.length > 0) o.polled(result.polls)
  }

  return {
    stats: () => ({ ...counts, storedAt }),
    async store(at, measuredAt, delivery) {
      for (let tries = 0; !stopping; tries++) {
        try {
          return await storeOnce(at, measuredAt, delivery)
        } catch (error) {
          if (error instanceof MessageError) throw error
          const problem = toStoreError(error)
          // the error message of the database may quote values
          if (!problem.retryable)
            throw new MessageError('database', `the database refused the values (${problem.code ?? 'no code'})`)
          if (tries === 0)
            log.error(
              { poller: poller.name, code: problem.code },
              'the database is unavailable; the stream of the site keeps the data',
            )
          await Bun.sleep(RETRY_MS)
        }
      }
      throw new Error('stopping')
    },
    stop() {
      stopping = true
    },
  }
}
