import type { TransactionSql } from 'postgres'
import type { Sql, Store } from '../../database/client.ts'

/** Which message of a poller: `epoch` is higher at each start, `sequence` counts from 1 within it. */
export interface Position {
  readonly epoch: number
  readonly sequence: number
}

export type Delivered =
  | 'stored'
  /** It was stored before. */
  | 'duplicate'
  /** A later start of the poller has delivered already. */
  | 'stale'

/**
 * Runs `work` with a store whose statements are one transaction, which also moves the poller's mark to this message. So
 * the message is stored once or not at all, however often it arrives and whichever process handles it. A transaction
 * inside `work` is a savepoint. Throws StoreError.
 */
export async function deliverOnce(
  store: Store,
  pollerId: number,
  position: Position,
  measuredAt: Date,
  work: (inside: Store) => Promise<void>,
): Promise<Delivered> {
  const { epoch, sequence } = position
  return await store.sql.begin(async (tx): Promise<Delivered> => {
    // the row lock makes processes that read the same stream take turns
    const [mark] = await tx<{ epoch: number; sequence: number }[]>`
        select epoch, sequence from remote_pollers where id = ${pollerId} for no key update`
    if (mark === undefined || mark.epoch > epoch) return 'stale'
    const last = mark.epoch === epoch ? mark.sequence : 0
    if (last >= sequence) return 'duplicate'
    await tx`
        update remote_pollers set epoch = ${epoch}, sequence = ${sequence}, stored = stored + 1,
          missing = missing + ${sequence - last - 1}, stored_at = now(), measured_at = ${measuredAt}
        where id = ${pollerId}`
    await work({ ...store, sql: nested(tx) })
    return 'stored'
  })
}

/** The transaction as a client whose own transactions are savepoints. */
function nested(tx: TransactionSql): Sql {
  // a transaction runs queries like a client, and these are the only other members of `Sql` that the writers call
  return new Proxy(tx, {
    get: (target, member) =>
      member === 'begin'
        ? (work: (inner: TransactionSql) => Promise<unknown>) => target.savepoint(work)
        : Reflect.get(target, member),
  }) as unknown as Sql
}
