import { sql } from 'drizzle-orm'
import { pollers } from '../../../db/schema/index.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** What a poller says of its last minute. */
export interface PollerReport {
  readonly name: string
  readonly devices: number
  /** Seconds of polling, all devices together. */
  readonly seconds: number
}

/** Keeps the record of a poller current (API: list_pollers). */
export async function writePollerReport({ db }: Store, { name, devices, seconds }: PollerReport): Promise<void> {
  const report = { last_polled: sql`now()`, devices, time_taken: seconds }
  await guarded(() =>
    db
      .insert(pollers)
      .values({ poller_name: name, ...report })
      .onConflictDoUpdate({ target: pollers.poller_name, set: report }),
  )
}
