import type { Store } from '../core/database/client.ts'
import { listen } from '../core/database/listen.ts'
import { GRANTS_CHANNEL, type LastPoll, LIVE_CHANNEL } from '../core/live/read-events.ts'
import type { LiveService } from '../core/live/service.ts'
import type { Topic } from '../lib/topic.ts'
import type { Log } from '../observe/log.ts'
import type { DevicePoll } from '../series/samples.ts'
import type { Announcements } from './cluster/announcements.ts'

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

/** Tells live streams of the polls of this process and, by its announcements, of the others. */
export function followPolls(
  live: LiveService,
  polled: Topic<[polls: readonly DevicePoll[]]>,
  announced: Pick<Announcements, 'follow'>,
): void {
  polled.follow((polls) => live.polled(polls.map(lastPoll)))
  announced.follow((deviceIds, what, elsewhere) => {
    if (elsewhere && what.includes('polled')) live.polledElsewhere(deviceIds)
  })
}

/** Converts a poll as the poller reports it. */
function lastPoll({ deviceId, time, answered, tookMs, uptimeS }: DevicePoll): LastPoll {
  const duration = answered ? Math.round(tookMs) / 1000 : null
  return { device_id: deviceId, at: time, answered, duration, uptime: uptimeS }
}
