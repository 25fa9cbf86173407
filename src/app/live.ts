import type { Store } from '../core/database/client.ts'
import { listen } from '../core/database/listen.ts'
import { GRANTS_CHANNEL, type LastPoll, LIVE_CHANNEL } from '../core/live/read-events.ts'
import type { LiveService } from '../core/live/service.ts'
import type { Log } from '../observe/log.ts'
import type { DevicePoll } from '../series/samples.ts'

/** Forwards the changes made by any process to live streams. Stopping it ends all streams. */
export function followLive(store: Store, live: LiveService, log: Log): { stop(): Promise<void> } {
  live.start()
  const changes = listen(store, LIVE_CHANNEL, live.changed, live.changed, log)
  const grants = listen(store, GRANTS_CHANNEL, live.grantsChanged, live.grantsChanged, log)
  return {
    async stop() {
      await live.close()
      await Promise.all([changes.stop(), grants.stop()])
    },
  }
}

/** Converts a poll as the poller reports it. */
export function lastPoll({ deviceId, time, answered, tookMs, uptimeS }: DevicePoll): LastPoll {
  const duration = answered ? Math.round(tookMs) / 1000 : null
  return { device_id: deviceId, at: time, answered, duration, uptime: uptimeS }
}
