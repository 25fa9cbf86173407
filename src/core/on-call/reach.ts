import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden, notFound } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import type { Store } from '../database/client.ts'
import { type ContactMethodDraft, checkedContactMethods, requireZone } from './check.ts'
import { checkedWrite } from './checked-write.ts'
import type { ContactMethod } from './contact-methods.ts'
import { type Person, readContactMethods, readPeople } from './read-on-call.ts'
import { replaceContactMethods } from './write-on-call.ts'

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
    async people(
      actor: Actor,
    ): Promise<readonly { readonly person: Person; readonly methods: readonly ContactMethod[] }[]> {
      if (!isAdmin(actor)) throw forbidden('Only an administrator sees how everybody is reached')
      const people = await readPeople(sql)
      const methods = await readContactMethods(
        sql,
        people.map(({ id }) => id),
      )
      return people.map((person) => ({ person, methods: methods.get(person.id) ?? [] }))
    },

    /** How a user is reached, for administrators and the user alone. Throws `forbidden`, `not_found`. */
    async contactMethods(
      actor: Actor,
      userId: number,
    ): Promise<{ readonly person: Person; readonly methods: readonly ContactMethod[] }> {
      const person = await personFor(actor, userId)
      return { person, methods: (await readContactMethods(sql, [userId])).get(userId) ?? [] }
    },

    /**
     * Replaces how a user is reached. Users may change order and quiet hours of their own transports and leave some out;
     * only administrators give them others. Throws `forbidden`, `not_found`, `invalid`.
     */
    async setContactMethods(
      actor: Actor,
      userId: number,
      zone: string,
      methods: readonly ContactMethodDraft[],
    ): Promise<void> {
      const person = await personFor(actor, userId)
      requireZone(zone)
      const drafts = checkedContactMethods(methods)
      const had = new Set((await readContactMethods(sql, [userId])).get(userId)?.map(({ transportId }) => transportId))
      if (!isAdmin(actor) && drafts.some(({ transportId }) => !had.has(transportId)))
        throw forbidden('Only an administrator may give a person another transport')
      await checkedWrite('', replaceContactMethods(store, userId, zone, drafts))
      const names = (await readContactMethods(sql, [userId])).get(userId)?.map(({ transport }) => transport) ?? []
      await recordChange(
        ...[store, actor, 'on-call' as const, person.name],
        `${person.name} is reached by ${names.length === 0 ? 'nothing' : names.join(', ')}`,
      )
    },
  }
}
