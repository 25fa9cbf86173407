import type { Settings } from '../config/schema.ts'
import type { Gateway } from '../core/base/gateway.ts'
import { pollersLive } from '../core/cluster/session.ts'
import type { Store } from '../core/database/client.ts'
import { createGateway } from '../core/pollers/gateway.ts'
import { HERE, unserved } from '../core/pollers/owner.ts'
import { remotePollerOf } from '../core/pollers/remote/read.ts'
import type { Log } from '../observe/log.ts'
import type { CommandPoller } from './app.ts'

export interface CommandGatewayDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Opens a poller in this process, for what cannot be asked of a running one. */
  readonly openPoller: () => Promise<CommandPoller>
}

/** Time allowed for storing what the poller of this process has read, ms. */
const GRACE_MS = 3000

/**
 * The gateway of a command. Running pollers do what is asked of a device; without one, a poller is opened in this
 * process, when it is first needed, because most commands need none and opening one creates sockets. `close` waits for
 * pending announcements, and rejects if the poller could not be opened.
 */
export function commandGateway({ store, settings, log, openPoller }: CommandGatewayDeps): {
  readonly gateway: Gateway
  close(): Promise<void>
} {
  let opened: Promise<CommandPoller> | null = null
  const gateway = createGateway({
    store,
    settings,
    log,
    poller() {
      opened ??= openPoller()
      return opened
    },
    async ownerOf(deviceId) {
      const remote = await remotePollerOf(store, deviceId)
      if (await pollersLive(store)) return { at: 'elsewhere', name: remote }
      return remote === null ? HERE : unserved(remote)
    },
    changed: () => undefined,
  })
  return {
    gateway,
    async close() {
      await gateway.announced()
      if (opened !== null) await (await opened).stop(GRACE_MS)
    },
  }
}
