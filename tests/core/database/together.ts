import { connect, type Store } from '../../../src/core/database/client.ts'
import type { TestDatabase } from '../../support/database.ts'
import { reportRows } from '../../support/statistics.ts'

/** A chance meeting is repeated and harms nobody; writers that lock in different orders meet more often than this in each run. */
export const RARE = 3

/** What is written again and again, each with a store of its own; those named `deletions` are counted. */
export type Writer = readonly [name: string, write: (store: Store) => Promise<unknown>]

/** How often each writer wrote, by name, and how many deadlocks the database met. */
export interface Together {
  readonly done: Readonly<Record<string, number>>
  readonly deadlocks: number
}

/** Runs writers at the same time, as fast as they can, until so many deletions were made. Rejects as the first of them does. */
export async function writeTogether(
  { store, url }: TestDatabase,
  writers: readonly Writer[],
  deletions: number,
): Promise<Together> {
  const stores = writers.map(() => connect(url, { max: 2 }))
  const done: Record<string, number> = {}
  let left = deletions
  const loops = writers.map(async ([name, write], i) => {
    while (left > 0) {
      await write(stores[i] as Store)
      done[name] = (done[name] ?? 0) + 1
      if (name === 'deletions') left--
    }
  })
  try {
    await Promise.all(loops)
    for (const own of stores) await reportRows(own)
    const [row] = await store.sql<{ deadlocks: number }[]>`
      select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`
    return { done, deadlocks: row?.deadlocks ?? Number.NaN }
  } finally {
    left = 0
    await Promise.allSettled(loops)
    await Promise.all(stores.map((own) => own.close()))
  }
}
