import { nameProblem, parsePublicKey, SiteKeyError } from '../../../lib/site-keys.ts'
import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { findPollerGroup } from '../read.ts'
import {
  listRefusals,
  listRemotePollers,
  type RefusalRow,
  type RemotePollerReport,
  type RemotePollerRow,
} from './read.ts'
import { deleteRemotePoller, insertRemotePoller } from './write.ts'
import { centreKey } from './write-upstream-key.ts'

export type { RefusalRow, RemotePollerReport, RemotePollerRow }

/** A remote poller to add. */
export interface NewRemotePoller {
  readonly name: string
  /** Its public key, as printed by the poller. */
  readonly key: string
  /** Name or id of its poller group; it polls the devices of this group only. */
  readonly group: string
  /** JetStream domain of its site; '': that of the centre's NATS servers. */
  readonly domain: string
}

/** Maximum number of refused messages shown. */
const SHOWN = 20

/** Operations on pollers at sites that cannot reach the database. */
export function createRemotePollerService({ store }: { readonly store: Store }) {
  return {
    /** Remote pollers in order of name, with their last reports. */
    list: (): Promise<RemotePollerRow[]> => listRemotePollers(store),

    /** The last refused messages of a poller, newest first. Throws `not_found`. */
    async refusals(name: string): Promise<RefusalRow[]> {
      const row = (await listRemotePollers(store)).find((poller) => poller.name === name)
      if (row === undefined) throw notFound(`There is no remote poller ${name}`)
      return await listRefusals(store, row.id, SHOWN)
    },

    /** Public key of the centre, with which remote pollers are configured. */
    async centreKey(): Promise<string> {
      return (await centreKey(store)).publicText
    },

    /**
     * Adds a remote poller. From now on it alone polls the devices of its group. Throws `invalid`, `not_found` (group)
     * or `conflict` (name, key or group in use).
     */
    async add({ name, key, group, domain }: NewRemotePoller): Promise<void> {
      const wrong = nameProblem(name)
      if (wrong !== null) throw invalid(`The name of a remote poller ${wrong}`)
      if (!/^[A-Za-z0-9_-]{0,64}$/.test(domain))
        throw invalid('A JetStream domain must have at most 64 letters, digits, - and _')
      try {
        parsePublicKey(key)
      } catch (error) {
        throw invalid(error instanceof SiteKeyError ? error.message : 'The key cannot be used')
      }
      const found = await findPollerGroup(store, group)
      if (found === null) throw notFound('Poller Group does not exist')
      const values = { name, public_key: key, poller_group: found.id, domain }
      if (!(await insertRemotePoller(store, values)))
        throw conflict('Another remote poller has this name, this key or this poller group')
    },

    /** Removes a remote poller; the centre polls its devices from now on. Throws `not_found`. */
    async remove(name: string): Promise<void> {
      if (!(await deleteRemotePoller(store, name))) throw notFound(`There is no remote poller ${name}`)
    },
  }
}

export type RemotePollerService = ReturnType<typeof createRemotePollerService>
