import type { DevicePlan } from '../../../polling/read-plan.ts'
import type { Upstream } from '../../upstream.ts'
import type { Delivery } from './message.ts'
import { type Outbox, OutboxClosedError, StreamFullError } from './outbox.ts'
import type { SitePlans } from './site-plans.ts'

/** A change that must wait until the stream has room: it cannot be dropped as samples can. */
class ChangeWaitsError extends Error {
  override readonly name = 'ChangeWaitsError'
}

/** The centre as a remote poller sees it: plans come from its bucket, results go to the stream of its site. */
export function natsUpstream(plans: SitePlans, outbox: Outbox): Upstream {
  const change = async (delivery: Delivery): Promise<void> => {
    try {
      await outbox.deliver(delivery)
    } catch (error) {
      throw error instanceof StreamFullError ? new ChangeWaitsError(error.message) : error
    }
  }
  return {
    deviceIds: () => Promise.resolve(plans.ids()),
    plans: (ids) => Promise.resolve(ids.map(plans.get).filter((plan): plan is DevicePlan => plan !== undefined)),
    // plans are at hand, so that they are read again rather than compared
    digests: () => Promise.resolve(new Map()),
    // no earlier counters: the first poll after a start gives no deltas
    claim: () => Promise.resolve({ claim: 0, states: new Map() }),
    learn: () => Promise.resolve(),
    isShared: () => false,
    holds: () => Promise.resolve(true),
    async samples(batch) {
      await outbox.deliver({ kind: 'samples', batch })
      return { stored: batch, lost: [], untimely: 0 }
    },
    async discovery(deviceId, observations, ended) {
      await change({ kind: 'discovery', deviceId, observations, ended: ended ?? null })
      if (ended !== undefined) plans.discovered(deviceId)
      return { cleaned: 0, unstored: [] }
    },
    portChanges: (deviceId, changes) => change({ kind: 'ports', deviceId, changes }),
    status: ({ deviceId, up, reason, at }) => change({ kind: 'status', deviceId, up, reason, at }),
    failure: ({ deviceId, failure, at, event = true }) => change({ kind: 'failure', deviceId, failure, at, event }),
    reboot: (deviceId, beforeS, at) => change({ kind: 'reboot', deviceId, beforeS, at }),
    event: (deviceId, message, severity, at) => change({ kind: 'event', deviceId, message, severity, at }),
    retryable: (error) => error instanceof ChangeWaitsError,
    reported: (error) => error instanceof StreamFullError || error instanceof OutboxClosedError,
  }
}
