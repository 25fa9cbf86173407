import type { Settings } from '../../../config/schema.ts'
import type { Log } from '../../../observe/log.ts'
import type { Actor } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { forbidden, invalid, notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { createDeliver } from '../transports/deliver.ts'
import { type TransportTest, testTransport } from '../transports/service.ts'
import { createPushSubscriptions, pushKeys } from './push-subscriptions.ts'
import { readSubscription } from './subscription.ts'
import { type Browser, deleteBrowser, listBrowsers, putBrowser } from './write-subscriptions.ts'

export type { Browser }

/** Browsers of a user; the oldest is forgotten when there are more. */
const MAX_BROWSERS = 20
const MAX_AGENT = 300

/** Notifications in the browsers of the signed-in user. Nobody sees or changes the browsers of others. */
export function createPushService({
  store,
  settings,
  log,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}) {
  const deliver = createDeliver({ settings, log, push: createPushSubscriptions(store) })

  function userOf({ userId }: Actor): number {
    if (userId === null) throw forbidden('Only a person can have notifications in a browser')
    return userId
  }

  return {
    /** The public key that browsers subscribe with (`applicationServerKey`), Base64url. */
    publicKey: async (): Promise<string> => (await pushKeys(store)).publicKey,

    /** Browsers of the actor, the newest first. */
    list: async (actor: Actor): Promise<Browser[]> => await listBrowsers(store, userOf(actor)),

    /** Stores the subscription of the actor's browser (JSON); returns its id. Throws `invalid`. */
    async add(actor: Actor, text: string, agent: string): Promise<number> {
      const subscription = readSubscription(text)
      if (typeof subscription === 'string') throw invalid(subscription)
      const id = await putBrowser(store, userOf(actor), subscription, agent.slice(0, MAX_AGENT), MAX_BROWSERS)
      await recordChange(
        store,
        actor,
        'access',
        actor.username,
        `User ${actor.username}: notifications in a browser turned on`,
      )
      return id
    },

    /** Forgets one of the actor's browsers. Throws `not_found`. */
    async remove(actor: Actor, id: number): Promise<void> {
      if (!(await deleteBrowser(store, id, userOf(actor)))) throw notFound('There is no such browser')
      await recordChange(
        store,
        actor,
        'access',
        actor.username,
        `User ${actor.username}: notifications in a browser turned off`,
      )
    },

    /** Sends a test to all browsers of the actor. */
    async test(actor: Actor): Promise<TransportTest> {
      userOf(actor)
      return await testTransport(deliver, 'Web push', { kind: 'webpush', settings: { users: [actor.username] } })
    },
  }
}

export type PushService = ReturnType<typeof createPushService>
