import { type Actor, changerOf, scopeOf } from '../../base/actor.ts'
import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { Store, Tx } from '../../database/client.ts'
import { rfc2822 } from '../rfc2822.ts'
import { turnAlert } from '../write.ts'
import { FAULT_BOUNDS, type Fault, type HistoryKind, type Until } from './fault.ts'
import { findFaults } from './read-faults.ts'
import { type AlertOfFaults, lockAlertsOf, noteFault } from './write-people.ts'

export interface FaultDeps {
  readonly store: Store
  readonly now?: () => Date
}

/** A note as it is stored. */
export const noteOf = (text: string): string =>
  text.replaceAll('\0', '').trim().slice(0, FAULT_BOUNDS.note).toWellFormed()

/** How faults are changed: in one transaction, while their alerts are locked. */
export function faultChanges({ store, now = () => new Date() }: FaultDeps) {
  /** Runs a change of open faults, while their alerts are locked. Returns the faults as they are afterwards. */
  async function change(
    actor: Actor,
    ids: readonly number[],
    work: (tx: Tx, faults: readonly Fault[], alerts: readonly AlertOfFaults[]) => Promise<void>,
    { open = true }: { readonly open?: boolean } = {},
  ): Promise<readonly Fault[]> {
    const scope = scopeOf(actor)
    const wanted = [...new Set(ids)]
    if (wanted.length === 0) throw invalid('No fault is named')
    if (wanted.length > FAULT_BOUNDS.bulk)
      throw invalid(`${wanted.length} faults are named; the most at once is ${FAULT_BOUNDS.bulk}`)
    return (await store.sql.begin(async (tx) => {
      const alerts = await lockAlertsOf(store, tx, scope, wanted)
      const faults = await findFaults(store, scope, wanted, tx)
      const there = new Set(faults.map(({ id }) => id))
      const absent = wanted.find((id) => !there.has(id))
      if (absent !== undefined) throw notFound(`Fault ${absent} does not exist`)
      const over = open ? faults.find(({ state }) => state === 0) : undefined
      if (over !== undefined)
        throw conflict(
          `Fault ${over.id} is over${over.message === '' ? '' : `: ${over.message}`}. If the same thing fails again, that is another fault`,
        )
      await work(tx, faults, alerts)
      return await findFaults(store, scope, wanted, tx)
    })) as readonly Fault[]
  }

  /** Changes one fault. */
  async function changeOne(
    actor: Actor,
    id: number,
    work: (tx: Tx, fault: Fault) => Promise<void>,
    options: { readonly open?: boolean } = {},
  ): Promise<Fault> {
    const changed = async (tx: Tx, [fault]: readonly Fault[]) => (fault === undefined ? undefined : work(tx, fault))
    const [after] = await change(actor, [id], changed, options)
    if (after === undefined) throw notFound(`Fault ${id} does not exist`)
    return after
  }

  async function noted(tx: Tx, id: number, what: HistoryKind, actor: Actor, note: string): Promise<void> {
    if (await noteFault(tx, id, what, { by: changerOf(actor), note: noteOf(note) })) return
    throw conflict(`The history of fault ${id} is full: it has ${FAULT_BOUNDS.history} entries`)
  }

  const line = (actor: Actor, note: string) => `${rfc2822(now())} - Ack (${actor.username}) ${noteOf(note)}`.trimEnd()

  /** Changes the alert itself when all its faults are acknowledged, or one no longer is. */
  async function turn(tx: Tx, alert: AlertOfFaults, actor: Actor, state: 1 | 2, note: string, until: Until | null) {
    await turnAlert(tx, alert, {
      id: alert.id,
      state,
      line: line(actor, note),
      note: noteOf(note),
      until,
      event: state === 2 ? 'Alert acknowledged' : 'Alert unmuted',
      username: actor.username,
    })
  }

  return { change, changeOne, noted, turn }
}
