import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden, notFound } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import type { Store } from '../database/client.ts'
import { checkedWays, requireZone, type WayDraft } from './check.ts'
import { checkedWrite } from './checked-write.ts'
import { type Person, readPeople, readWays } from './read-on-call.ts'
import type { Way } from './ways.ts'
import { replaceWays } from './write-on-call.ts'

/** How people are reached. */
export function createReach(store: Store) {
  const { sql } = store

  async function personFor(actor: Actor, userId: number): Promise<Person> {
    if (!isAdmin(actor) && actor.userId !== userId)
      throw forbidden('Only administrators see how somebody else is reached')
    const [person] = isId(userId) ? await readPeople(sql, [userId]) : []
    if (person === undefined) throw notFound(`There is no user ${userId}`)
    return person
  }

  return {
    /** Users that can be chosen, in order of name, and how they are reached. Throws `forbidden`. */
    async people(actor: Actor): Promise<readonly { readonly person: Person; readonly ways: readonly Way[] }[]> {
      if (!isAdmin(actor)) throw forbidden('Only an administrator sees how everybody is reached')
      const people = await readPeople(sql)
      const ways = await readWays(
        sql,
        people.map(({ id }) => id),
      )
      return people.map((person) => ({ person, ways: ways.get(person.id) ?? [] }))
    },

    /** How a user is reached, for administrators and the user alone. Throws `forbidden`, `not_found`. */
    async ways(actor: Actor, userId: number): Promise<{ readonly person: Person; readonly ways: readonly Way[] }> {
      const person = await personFor(actor, userId)
      return { person, ways: (await readWays(sql, [userId])).get(userId) ?? [] }
    },

    /**
     * Replaces how a user is reached. Users may change order and quiet hours of their own transports and leave some out;
     * only administrators give them others. Throws `forbidden`, `not_found`, `invalid`.
     */
    async setWays(actor: Actor, userId: number, zone: string, ways: readonly WayDraft[]): Promise<void> {
      const person = await personFor(actor, userId)
      requireZone(zone)
      const drafts = checkedWays(ways)
      const had = new Set((await readWays(sql, [userId])).get(userId)?.map(({ transportId }) => transportId))
      if (!isAdmin(actor) && drafts.some(({ transportId }) => !had.has(transportId)))
        throw forbidden('Only an administrator may give a person another transport')
      await checkedWrite('', replaceWays(store, userId, zone, drafts))
      const names = (await readWays(sql, [userId])).get(userId)?.map(({ transport }) => transport) ?? []
      await recordChange(
        ...[store, actor, 'on-call' as const, person.name],
        `${person.name} is reached by ${names.length === 0 ? 'nothing' : names.join(', ')}`,
      )
    },
  }
}
