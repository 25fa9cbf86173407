import type { Settings } from '../../../../config/schema.ts'
import { sharedSecret } from '../../../../lib/site-keys.ts'
import type { Log } from '../../../../observe/log.ts'
import type { Store } from '../../../database/client.ts'
import { remotePollerOfGroup } from '../read.ts'
import { centreKey } from '../write-upstream-key.ts'
import { type Nats, natsOptions, openNats, reasonOf } from './connection.ts'
import { askSite, type SiteAnswer, type SiteRequest, type SiteStatus } from './requests.ts'
import { createSeal, SEAL_OVERHEAD } from './seal.ts'
import { statusOf } from './site-load.ts'

/** Asks a remote poller to scan. All throw an Error with a clause for users if it does not answer. */
export interface ScanLine {
  readonly poller: string
  status(): Promise<SiteStatus>
  scan(packed: string): Promise<{ readonly scan: string } | { readonly error: string }>
}

/** Lines to the sites of remote pollers, with one connection that is opened when it is first needed. */
export interface ScanLines {
  /** The line to the remote poller of a group; null: the group has none. Throws an Error with a sentence, or StoreError. */
  to(pollerGroup: number): Promise<ScanLine | null>
  close(): void
}

/** How long the first connection, an answer about the state, and one about a scan may take, ms. */
const CONNECT_MS = 10_000
const STATUS_MS = 5000
const ANSWER_MS = 20_000
/** Octets of a request besides what is packed. */
const ENVELOPE = 1000 + SEAL_OVERHEAD

export function createScanLines({
  store,
  settings,
  log,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}): ScanLines {
  const closing = new AbortController()
  let opening: Promise<Nats> | null = null

  async function open(): Promise<Nats> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONNECT_MS)])
    const nats = await openNats(natsOptions(settings, 'portlight scans'), log, signal)
    if (nats === null) throw new Error('none of the servers of setting nats.url can be reached')
    if (closing.signal.aborted) await nats.close()
    return nats
  }

  /** The connection; after a failure it is tried again at the next call. */
  async function connected(poller: string): Promise<Nats> {
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      opening = null
      throw new Error(`the site of remote poller ${poller} cannot be asked: ${reasonOf(error)}`)
    }
  }

  return {
    async to(pollerGroup) {
      const row = await remotePollerOfGroup(store, pollerGroup)
      if (row === null) return null
      const { name } = row
      const seal = createSeal(sharedSecret(await centreKey(store), row.public_key), name)
      const { connection } = await connected(name)
      const ask = (request: SiteRequest, ms: number): Promise<SiteAnswer> =>
        askSite(connection, seal, name, request, ms)
      return {
        poller: name,
        async status() {
          const answer = await ask({ verb: 'status' }, STATUS_MS)
          const status = 'status' in answer ? statusOf(answer.status) : null
          if (status === null) throw new Error(`the remote poller ${name} gave an unexpected answer`)
          return status
        },
        async scan(packed) {
          const most = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
          if (packed.length + ENVELOPE > most)
            return { error: `the request has ${packed.length} octets, and the NATS server takes ${most} at most` }
          const answer = await ask({ verb: 'scan', packed }, ANSWER_MS)
          if ('scan' in answer || 'error' in answer) return answer
          return { error: 'it gave an unexpected answer' }
        },
      }
    },
    close() {
      closing.abort()
      void opening?.then((nats) => nats.close()).catch(() => undefined)
    },
  }
}
