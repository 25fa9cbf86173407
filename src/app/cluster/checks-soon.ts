import type { Store } from '../../core/database/client.ts'
import { listen, notify } from '../../core/database/listen.ts'
import { slices } from '../../lib/slices.ts'
import type { Log } from '../../observe/log.ts'
import type { Poller } from '../../poller/poller.ts'

/** Asks the pollers of devices to check them soon; the payload is a JSON list of ids. */
const CHANNEL = 'portlight_check'
/** Most devices per message: a NOTIFY payload must be shorter than 8,000 bytes. */
const MAX_DEVICES = 600

export interface ChecksSoon {
  /** Has the pollers check these devices soon, in this process and in the others. */
  readonly ask: (deviceIds: readonly number[]) => void
  stop(): Promise<void>
}

/** `shared`: whether there are other processes. Messages between processes may be lost. */
export function checksSoon(store: Store, poller: Pick<Poller, 'check'>, shared: () => boolean, log: Log): ChecksSoon {
  const heard = (payload: string): void => {
    for (const id of parse(payload)) poller.check(id)
  }
  const listening = listen(store, CHANNEL, heard, () => undefined, log)
  return {
    ask(deviceIds) {
      for (const id of deviceIds) poller.check(id)
      if (!shared()) return
      for (const ids of slices(deviceIds, MAX_DEVICES))
        notify(store, CHANNEL, JSON.stringify(ids)).catch((error: unknown) => log.debug({ err: error }, 'not asked'))
    },
    stop: () => listening.stop(),
  }
}

function parse(text: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []
  } catch {
    return []
  }
}
