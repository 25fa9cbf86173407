import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { conflict, forbidden, invalid, notFound } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import { isAllowed } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import { checkedSchedule, MAX_SCHEDULES, type ScheduleDraft } from './check.ts'
import { checkedWrite } from './checked-write.ts'
import { createFeeds } from './feeds.ts'
import { createReach } from './reach.ts'
import {
  type Person,
  peopleInLayers,
  peopleOf,
  readContactMethods,
  readSchedules,
  rotationsOf,
  type StoredSchedule,
} from './read-on-call.ts'
import { gapsIn, MAX_RANGE_MS, onCallAt, type Piece, spanAt, spansOf } from './rotation.ts'
import { createStandIns } from './stand-ins.ts'
import { deleteSchedule, insertSchedule, updateFeed, updateSchedule } from './write-on-call.ts'

export type { ContactMethodDraft, LayerDraft, QuietDraft, ScheduleDraft } from './check.ts'
export { MAX_QUIET, quietDays, quietWords, timeOfDay } from './check.ts'
export type { ContactMethod, QuietHours } from './contact-methods.ts'
export { LETS } from './contact-methods.ts'
export type { Person, StoredLayer, StoredSchedule } from './read-on-call.ts'
export { instantIn, UNITS } from './rotation.ts'

/** A time in which a person is on call, or `person` null: nobody. Epoch ms. */
export interface Shift extends Piece {
  readonly person: Person | null
  /** Index of the layer; null: an override, or nobody. */
  readonly layer: number | null
  /** Id of the override; null: a layer, or nobody. */
  readonly override: number | null
}

/** Who is on call now and who is next in a schedule. */
export interface OnCallNow {
  readonly schedule: StoredSchedule
  /** null: nobody. */
  readonly person: Person | null
  /** Epoch ms; null: nobody is on call, or for longer than is worked out (100 days). */
  readonly sinceMs: number | null
  /** Epoch ms; null: for longer than is worked out, or nobody for as long. */
  readonly untilMs: number | null
  /** Who follows at `untilMs`; null: nobody, or it is not known. */
  readonly next: Person | null
  /** Whether the person has a transport at all; true if nobody is on call. */
  readonly reachable: boolean
}

interface OnCallDeps {
  readonly store: Store
  readonly settings: Settings
  /** Epoch ms. Default: the clock. */
  readonly now?: () => number
}

/**
 * Operations on schedules of people on call. Whoever sees the alerts of all devices sees all schedules, and whoever sees
 * only granted devices the schedules that they are in; administrators change schedules and give people transports; the
 * people of a schedule may stand in for each other in it.
 */
export function createOnCallService({ store, settings, now = Date.now }: OnCallDeps) {
  const { sql } = store
  const feeds = createFeeds({ store, settings, now })

  function requireView(actor: Actor): void {
    if (!isAllowed(actor, 'Alert.viewAny', settings)) throw forbidden('Insufficient permissions to see who is on call')
  }

  async function one(actor: Actor, id: number): Promise<StoredSchedule> {
    requireView(actor)
    const [schedule] = isId(id) ? await readSchedules(sql, [id], now() - MAX_RANGE_MS) : []
    if (schedule === undefined || !isVisible(actor, schedule)) throw notFound(`There is no on-call schedule ${id}`)
    return schedule
  }

  async function list(actor: Actor): Promise<StoredSchedule[]> {
    requireView(actor)
    return (await readSchedules(sql, null, now() - MAX_RANGE_MS)).filter((schedule) => isVisible(actor, schedule))
  }

  const record = (actor: Actor, { name }: { readonly name: string }, what: string) =>
    recordChange(store, actor, 'on-call', name, `On-call schedule ${name}: ${what}`)

  return {
    /** Schedules, or the one with an id, and who is on call in them now. Throws `forbidden`, `not_found`. */
    async now(actor: Actor, id?: number): Promise<readonly OnCallNow[]> {
      const schedules = id === undefined ? await list(actor) : [await one(actor, id)]
      const atMs = now()
      const all = schedules.map((schedule) => nowOf(schedule, atMs))
      const methods = await readContactMethods(
        sql,
        all.flatMap(({ person }) => (person === null ? [] : [person.id])),
      )
      return all.map((row) => ({ ...row, reachable: row.person === null || methods.has(row.person.id) }))
    },

    /** Schedules. Throws `forbidden`. */
    list,

    /** A schedule. Throws `forbidden`, `not_found`. */
    get: one,

    /** The schedule with this name or id. Throws `forbidden`, `not_found`. */
    async find(actor: Actor, ref: string): Promise<StoredSchedule> {
      const all = await list(actor)
      const found =
        all.find(({ name }) => name.toLowerCase() === ref.toLowerCase()) ?? all.find(({ id }) => String(id) === ref)
      if (found === undefined) throw notFound(`There is no on-call schedule ${ref.slice(0, 100)}`)
      return found
    },

    /**
     * Who is on call when in a schedule, with the times in which nobody is; at most 100 days. Epoch ms. Throws
     * `forbidden`, `not_found`, `invalid`.
     */
    async shifts(actor: Actor, id: number, fromMs: number, toMs: number): Promise<readonly Shift[]> {
      const schedule = await one(actor, id)
      if (!Number.isFinite(fromMs) || !Number.isFinite(toMs) || fromMs >= toMs)
        throw invalid('The range of time is empty: its end must be after its beginning')
      if (toMs - fromMs > MAX_RANGE_MS) throw invalid('The range of time is longer than 100 days')
      return shiftsOf(schedule, fromMs, toMs)
    },

    /** Adds a schedule and returns its id. Throws `forbidden`, `invalid`, `conflict`. */
    async add(actor: Actor, draft: ScheduleDraft): Promise<number> {
      requireAdmin(actor)
      const schedule = checkedSchedule(draft)
      const id = await checkedWrite(schedule.name, insertSchedule(store, schedule))
      if (id === null) throw conflict(`There are ${MAX_SCHEDULES} on-call schedules already: delete one first`)
      await record(actor, schedule, 'added')
      return id
    },

    /** Replaces a schedule; overrides stay. Throws `forbidden`, `not_found`, `invalid`, `conflict`. */
    async change(actor: Actor, id: number, draft: ScheduleDraft): Promise<void> {
      requireAdmin(actor)
      await one(actor, id)
      const schedule = checkedSchedule(draft)
      if (!(await checkedWrite(schedule.name, updateSchedule(store, id, schedule))))
        throw notFound(`There is no on-call schedule ${id}`)
      await record(actor, schedule, 'changed')
    },

    /** Deletes a schedule. Throws `forbidden`, `not_found`. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireAdmin(actor)
      const schedule = await one(actor, id)
      await deleteSchedule(store, id)
      await record(actor, schedule, 'deleted')
    },

    ...createStandIns({ store, now, one, mayStandIn, record }),

    /**
     * The secret address of the schedule's calendar; null: it has none, or the actor is neither an administrator nor in
     * the schedule. Throws `forbidden`, `not_found`.
     */
    async feed(actor: Actor, id: number): Promise<string | null> {
      const schedule = await one(actor, id)
      return mayStandIn(actor, schedule) ? await feeds.urlOf(schedule) : null
    },

    /** Gives the calendar a new address, so that the former one ends, or none. Throws `forbidden`, `not_found`. */
    async renewFeed(actor: Actor, id: number, open: boolean): Promise<void> {
      requireAdmin(actor)
      const schedule = await one(actor, id)
      await updateFeed(store, id, open)
      await record(actor, schedule, open ? 'new address of the calendar' : 'no calendar')
    },

    /** The calendar at a secret address; null: there is none at it. Needs no actor: the address is the permission. */
    calendar: (secret: string): Promise<{ name: string; text: string } | null> =>
      feeds.open(secret, (schedule, fromMs, toMs) => shiftsOf(schedule, fromMs, toMs)),

    ...createReach(store),
  }
}

export type OnCallService = ReturnType<typeof createOnCallService>

function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw forbidden('Only an administrator may change schedules of people on call')
}

/** Whether the actor may change who stands in for whom. */
const mayStandIn = (actor: Actor, schedule: StoredSchedule): boolean =>
  isAdmin(actor) || (actor.userId !== null && peopleInLayers(schedule).has(actor.userId))

const isVisible = (actor: Actor, schedule: StoredSchedule): boolean =>
  scopeOf(actor).kind === 'all' || (actor.userId !== null && peopleOf(schedule).has(actor.userId))

function shiftsOf(schedule: StoredSchedule, fromMs: number, toMs: number): Shift[] {
  const people = peopleOf(schedule)
  const spans = spansOf(rotationsOf(schedule), fromMs, toMs)
  const shifts = spans.map(({ userId, ...span }) => ({ ...span, person: people.get(userId) ?? null }))
  const gaps = gapsIn(spans, fromMs, toMs).map((gap) => ({ ...gap, person: null, layer: null, override: null }))
  return [...shifts, ...gaps].toSorted((a, b) => a.fromMs - b.fromMs)
}

function nowOf(schedule: StoredSchedule, atMs: number): OnCallNow {
  const people = peopleOf(schedule)
  const rotations = rotationsOf(schedule)
  const span = onCallAt(rotations, atMs)
  const [first] = span === null ? gapsIn(spansOf(rotations, atMs, atMs + MAX_RANGE_MS), atMs, atMs + MAX_RANGE_MS) : []
  const gapEnd = first === undefined || first.toMs >= atMs + MAX_RANGE_MS ? null : first.toMs
  const untilMs = span === null ? gapEnd : span.untilMs
  const next = untilMs === null ? null : spanAt(rotations, untilMs)
  return {
    schedule,
    person: span === null ? null : (people.get(span.userId) ?? null),
    sinceMs: span?.sinceMs ?? null,
    untilMs,
    next: next === null ? null : (people.get(next.userId) ?? null),
    reachable: true,
  }
}
