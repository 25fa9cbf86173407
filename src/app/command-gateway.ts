import type { CommandGateway } from '../cli/app.ts'
import type { Settings } from '../config/schema.ts'
import type { RunSummary } from '../core/base/gateway.ts'
import { pollersLive } from '../core/cluster/session.ts'
import type { Store } from '../core/database/client.ts'
import { remotePollerOf } from '../core/pollers/remote/read.ts'
import { definitionsFolder } from '../librenms/store.ts'
import type { Log } from '../observe/log.ts'
import { databaseUpstream } from '../poller/database-upstream.ts'
import { createPoller, type Poller } from '../poller/poller.ts'
import { contactElsewhere } from './contact-elsewhere.ts'
import { requestRefresh, requestRun } from './requests.ts'

const GRACE_MS = 3000

/** The poller for a command: that of the serving process, or one in this process if none is serving. */
export async function openGateway({
  store,
  settings,
  dataDir,
  log,
}: {
  store: Store
  settings: Settings
  dataDir: string
  log: Log
}): Promise<CommandGateway> {
  const served = await pollersLive(store)
  const announced: Promise<unknown>[] = []
  let own: Promise<Poller> | null = null
  // opened only for work that the serving process cannot do for us
  const local = (): Promise<Poller> => {
    own ??= (async () => {
      const poller = createPoller({
        upstream: databaseUpstream(store),
        settings,
        log,
        definitions: definitionsFolder(dataDir),
      })
      await poller.open()
      return poller
    })()
    return own
  }
  const run = async (verb: 'discover' | 'poll', deviceId: number): Promise<RunSummary> => {
    if (!served) return (await local())[verb](deviceId)
    const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
    return await requestRun(store, log, verb, deviceId, (seconds + 30) * 1000)
  }
  return {
    resolve: async (hostname, family) => (await local()).resolve(hostname, family),
    ping: async (address) => (await local()).ping(address),
    probe: async (target) => (await local()).probe(target),
    refresh(deviceId) {
      if (served) announced.push(requestRefresh(store, deviceId))
    },
    async contact(deviceId) {
      const by = await remotePollerOf(store, deviceId)
      return by === null ? null : await contactElsewhere({ store, log }, by, deviceId)
    },
    discover: (deviceId) => run('discover', deviceId),
    poll: (deviceId) => run('poll', deviceId),
    async close() {
      await Promise.all(announced)
      if (own !== null) await (await own).stop(GRACE_MS)
    },
  }
}
