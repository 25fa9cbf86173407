import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import { computeParents } from '../../core/dependencies/compute.ts'
import { createWatch } from '../../core/dependencies/watch.ts'
import { devicesUnderMaintenance } from '../../core/maintenance/read.ts'
import type { Log } from '../../observe/log.ts'
import { repeatedTask } from './repeated-task.ts'

/** Parents are computed at most once in this time, however many discoveries finish. */
const PAUSE_MS = 10_000
/** And at least this often: pollers move, and tables of MAC addresses change between discoveries. */
const COMPUTE_MS = 600_000
/** Changes of status within this time are handled together. */
const GATHER_MS = 200
/** How often unreachable devices are determined: while answers are awaited, and otherwise. */
const AWAITING_MS = 2000
const LOOK_MS = 15_000
const FIRST_MS = 1000

export interface Dependencies {
  /** Data of these devices was stored. */
  written(what: readonly string[]): void
  stop(): Promise<void>
}

/** Computes the parents of devices, and follows which devices are unreachable. `ask` has pollers ask devices soon. */
export function followDependencies(
  store: Store,
  settings: Settings,
  log: Log,
  ask: (deviceIds: readonly number[]) => void,
  pauseMs = PAUSE_MS,
): Dependencies {
  const watch = createWatch({ store, settings, ask, maintenance: (at) => devicesUnderMaintenance(store, at) })
  const looking = repeatedTask({ log, failed: 'could not find out which devices are unreachable' }, async () =>
    (await watch.look()) ? AWAITING_MS : LOOK_MS,
  )
  let unknown = ''
  let digest = ''
  let computedAt = Number.NEGATIVE_INFINITY
  const computing = repeatedTask({ log, failed: 'could not compute the parents of devices' }, async () => {
    computedAt = performance.now()
    const done = await computeParents(store, settings, digest)
    digest = done.digest
    if (done.changed > 0) {
      log.info({ devices: done.devices, changed: done.changed }, 'parents of devices changed')
      looking.within(GATHER_MS)
    }
    if (done.unknown.join() !== unknown && done.unknown.length > 0)
      log.info(
        { groups: done.unknown },
        'no parents are computed for devices in these poller groups, because it is not known where their pollers are attached: see setting dependencies.attached',
      )
    unknown = done.unknown.join()
    return COMPUTE_MS
  })
  const compute = (): void => computing.within(Math.max(FIRST_MS, computedAt + pauseMs - performance.now()))
  const listening = listen(store, INVENTORY_CHANNEL, compute, compute, log)
  const chosen = (): string =>
    JSON.stringify([settings.get('dependencies.compute'), settings.get('dependencies.attached')])
  let choice = chosen()
  const unfollow = settings.onChange(() => {
    if (chosen() !== choice) compute()
    choice = chosen()
  })
  looking.within(FIRST_MS)
  return {
    written(what) {
      if (what.includes('status')) looking.within(GATHER_MS)
    },
    async stop() {
      unfollow()
      await Promise.all([listening.stop(), computing.stop(), looking.stop()])
    },
  }
}
