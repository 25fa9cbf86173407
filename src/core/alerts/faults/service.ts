import { type Actor, changerOf, scopeOf } from '../../base/actor.ts'
import { isAcknowledged } from '../../base/alert-states.ts'
import { invalid, notFound } from '../../base/errors.ts'
import type { Tx } from '../../database/client.ts'
import { type FaultDeps, faultChanges, noteOf } from './change.ts'
import {
  checkTime,
  FAULT_BOUNDS,
  type Fault,
  type FaultFilter,
  type HistoryEntry,
  type HistoryKind,
  lasting,
  UNTIL_CLEAR,
  type Until,
} from './fault.ts'
import { faultEntries, findFaults, listFaults, userWhoSees } from './read-faults.ts'
import {
  acknowledgeFaults,
  activeAlerts,
  assignFault,
  faultEvents,
  muteFault,
  unacknowledgeFaults,
  wakeEngine,
} from './write-people.ts'

export { MAX_LISTED } from './read-faults.ts'
export type { Fault, FaultFilter, HistoryEntry, Until }

/** A part of a list. */
interface Part {
  readonly offset: number
  readonly limit: number
}

/**
 * Operations on faults, limited to those of devices that the actor may see. Those that change throw `not_found` if a
 * fault does not exist, `conflict` if it is over, and change nothing then.
 */
export function createFaultService({ store, now = () => new Date() }: FaultDeps) {
  const { change, changeOne, noted, turn } = faultChanges({ store, now })

  async function find(actor: Actor, id: number): Promise<Fault> {
    const [fault] = await findFaults(store, scopeOf(actor), [id])
    if (fault === undefined) throw notFound(`Fault ${id} does not exist`)
    return fault
  }

  return {
    /** Faults, the latest first, and their number up to MAX_LISTED. */
    async list(
      actor: Actor,
      filter: FaultFilter,
      { offset, limit }: Part,
    ): Promise<{ readonly rows: readonly Fault[]; readonly total: number }> {
      return await listFaults(store, scopeOf(actor), filter, { offset, limit: Math.min(limit, FAULT_BOUNDS.page) })
    },

    get: find,

    /**
     * Acknowledges open faults, which nobody else's new fault is part of: what fails again later is another one. If all
     * open faults of an alert are acknowledged then, the alert is.
     */
    async acknowledge(
      actor: Actor,
      ids: readonly number[],
      { note, until }: { readonly note: string; readonly until: Until },
    ): Promise<readonly Fault[]> {
      if (until instanceof Date) checkTime(until, now())
      const how = lasting(until)
      return await change(actor, ids, async (tx, faults, alerts) => {
        await acknowledgeFaults(tx, { ids }, { by: changerOf(actor), note: noteOf(note), ...how })
        await faultEvents(tx, idsOf(faults), 'Fault acknowledged', actor.username)
        const active = await activeAlerts(tx, idsOf(alerts))
        for (const alert of alerts)
          if (!isAcknowledged(alert.state) && !active.has(alert.id)) await turn(tx, alert, actor, 2, note, until)
        await wakeEngine(tx, idsOf(alerts))
      })
    },

    /** Makes acknowledged faults active again, and their alert too. Others of the alert stay acknowledged. */
    async unacknowledge(actor: Actor, ids: readonly number[], note: string): Promise<readonly Fault[]> {
      return await change(actor, ids, async (tx, faults, alerts) => {
        await unacknowledgeFaults(tx, { ids }, { by: changerOf(actor), note: noteOf(note) })
        const changed = idsOf(faults.filter(({ state }) => state === 2))
        await faultEvents(tx, changed, 'Fault no longer acknowledged', actor.username)
        const active = await activeAlerts(tx, idsOf(alerts))
        for (const alert of alerts)
          if (isAcknowledged(alert.state) && active.has(alert.id)) await turn(tx, alert, actor, 1, note, null)
        await wakeEngine(tx, idsOf(alerts))
      })
    },

    /** Assigns a fault; `userId` null: to nobody. Throws `invalid` if there is no such user who may see the device. */
    async assign(actor: Actor, id: number, userId: number | null, note = ''): Promise<Fault> {
      const { device_id: deviceId, hostname } = await find(actor, id)
      const name = userId === null ? '' : await userWhoSees(store, userId, deviceId, actor.dynamicGroups)
      if (name === null) throw invalid(`There is no user ${userId} who may see ${hostname}`)
      return await changeOne(actor, id, async (tx) => {
        await assignFault(tx, id, userId)
        const to = userId === null ? 'to nobody' : `to ${name}`
        await noted(tx, id, 'assigned', actor, note.trim() === '' ? to : `${to}: ${note.trim()}`)
      })
    },

    /**
     * Silences an open fault; null: no longer, also one that is over. Until a time: the same thing stays silent if it
     * fails again before. Its recovery is notified if its beginning was.
     */
    async mute(actor: Actor, id: number, until: Date | 'clear' | null, note = ''): Promise<Fault> {
      if (until instanceof Date) checkTime(until, now())
      const at = until === 'clear' ? UNTIL_CLEAR : until
      const muted = async (tx: Tx, fault: Fault): Promise<void> => {
        await muteFault(tx, id, at)
        await noted(tx, id, at === null ? 'unmuted' : 'muted', actor, note)
        await wakeEngine(tx, [fault.alert_id])
      }
      return await changeOne(actor, id, muted, { open: at !== null })
    },

    /** Adds a note, also to a fault that is over. Throws `invalid` if it is empty. */
    async note(actor: Actor, id: number, text: string): Promise<Fault> {
      if (text.trim() === '') throw invalid('The note is empty')
      return await changeOne(actor, id, async (tx) => await noted(tx, id, 'note', actor, text.trim()), { open: false })
    },

    /** Everything that happened to a fault, the oldest first. */
    async history(actor: Actor, id: number): Promise<readonly HistoryEntry[]> {
      const fault = await find(actor, id)
      const entries = await faultEntries(store, id, FAULT_BOUNDS.history + 100)
      return [...own(fault), ...entries].toSorted((a, b) => a.at.getTime() - b.at.getTime())
    },
  }
}

export type FaultService = ReturnType<typeof createFaultService>

const idsOf = (some: readonly { readonly id: number }[]): number[] => some.map(({ id }) => id)

/** What the fault itself says of its history. */
function own(fault: Fault): HistoryEntry[] {
  const entry = (at: Date | null, what: HistoryKind, note = ''): HistoryEntry[] =>
    at === null ? [] : [{ at, what, by: null, note }]
  return [
    ...entry(fault.began_at, 'began', fault.message),
    ...entry(fault.told_at, 'told'),
    ...entry(fault.ended_at, 'ended', fault.ended_how === 'gone' ? 'the rule no longer applies' : ''),
    ...entry(fault.recovery_told_at, 'recovery told'),
  ]
}
