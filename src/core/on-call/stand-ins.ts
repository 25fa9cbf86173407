import { type Actor, changerOf, isAdmin } from '../base/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import type { Store } from '../database/client.ts'
import { MAX_OVERRIDES, requireOverride } from './check.ts'
import { checkedWrite } from './checked-write.ts'
import { peopleInLayers, readPeople, type StoredSchedule } from './read-on-call.ts'
import { deleteOverride, insertOverride } from './write-on-call.ts'

interface StandInDeps {
  readonly store: Store
  /** Epoch ms. */
  readonly now: () => number
  /** A schedule that the actor sees. Throws `forbidden`, `not_found`. */
  readonly one: (actor: Actor, id: number) => Promise<StoredSchedule>
  readonly mayStandIn: (actor: Actor, schedule: StoredSchedule) => boolean
  readonly record: (actor: Actor, schedule: StoredSchedule, what: string) => Promise<void>
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Who stands in for whom. */
export function createStandIns({ store, now, one, mayStandIn, record }: StandInDeps) {
  const { sql } = store

  async function changeable(actor: Actor, id: number): Promise<StoredSchedule> {
    const schedule = await one(actor, id)
    if (mayStandIn(actor, schedule)) return schedule
    throw forbidden('Only administrators and the people of a schedule may change who stands in')
  }

  return {
    /** Whether the actor may change who stands in for whom in a schedule. */
    mayStandIn,

    /**
     * Puts a person on call from one instant to another (epoch ms) instead of whose turn it is; returns its id. Throws
     * `forbidden` for those who are neither administrators nor in the schedule, and for people who are not in it unless
     * an administrator chooses them; `not_found`, `invalid`, `conflict`.
     */
    async override(
      actor: Actor,
      id: number,
      { userId, fromMs, toMs, note = '' }: { userId: number; fromMs: number; toMs: number; note?: string },
    ): Promise<number> {
      const schedule = await changeable(actor, id)
      if (!isAdmin(actor) && !peopleInLayers(schedule).has(userId))
        throw forbidden('Only an administrator may put somebody on call who is not in the schedule')
      requireOverride(fromMs, toMs, note, now())
      const [person] = isId(userId) ? await readPeople(sql, [userId]) : []
      if (person === undefined) throw invalid(`There is no user ${userId}`)
      if (!person.enabled) throw invalid(`${person.name} is disabled and cannot be on call`)
      const row = { scheduleId: id, userId, fromMs, toMs, note, madeBy: changerOf(actor) }
      const made = await checkedWrite(schedule.name, insertOverride(store, row))
      if (made === null)
        throw conflict(`The schedule has ${MAX_OVERRIDES} overrides already: delete one, or change its layers`)
      await record(actor, schedule, `${person.name} on call from ${iso(fromMs)} to ${iso(toMs)}`)
      return made
    },

    /** Deletes an override. Throws `forbidden` as `override` does, `not_found`. */
    async removeOverride(actor: Actor, id: number, override: number): Promise<void> {
      const schedule = await changeable(actor, id)
      if (!isId(override) || !(await deleteOverride(store, id, override)))
        throw notFound(`Schedule ${schedule.name} has no override ${override}`)
      await record(actor, schedule, `override ${override} deleted`)
    },
  }
}
