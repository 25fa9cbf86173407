import type { Store } from '../database/client.ts'

/** Counts of what was received by one protocol since its server started. */
export interface ReceivedCounts {
  readonly received: number
  readonly stored: number
  /** By reason. */
  readonly dropped: Readonly<Record<string, number>>
}

/** Stores the counts of each protocol for `doctor`, which runs in another process. */
export async function recordListeners({ sql }: Store, counts: Readonly<Record<string, ReceivedCounts>>): Promise<void> {
  await sql`
      insert into listener_counts (protocol, counts, at)
      select x.key, x.value, now() from jsonb_each(${JSON.stringify(counts)}::text::jsonb) x
      on conflict (protocol) do update set counts = excluded.counts, at = excluded.at`
}

/** The stored counts, by protocol. */
export async function listenerCounts({
  sql,
}: Store): Promise<(ReceivedCounts & { readonly protocol: string; readonly at: Date })[]> {
  const rows = await sql<{ protocol: string; counts: ReceivedCounts; at: Date }[]>`
      select protocol, counts, at from listener_counts order by protocol`
  return rows.map(({ protocol, counts, at }) => ({ protocol, at, ...counts }))
}
