import { expect, test } from 'bun:test'
import { createSender } from '../../../src/core/alerts/sender.ts'
import { createLog } from '../../../src/observe/log.ts'

// The age of a notification is by the wall clock, which may have been set forward by years since it was stored.

const DAY_MS = 86_400_000
const about = { about: 'path', title: 't', works: false, transport: 'a', type: 'api', transportId: 2, since: 0 }
const item = {
  ...{ id: 1, key: 'k', alert_id: null, rule_id: null, device_id: null, kind: 'alert', template: null },
  ...{ transport_id: 1, transport_name: 'first', transport_type: 'api', transport_config: {}, age: 0 },
  context: { ...about, error: 'e', waiting: 1, dead: 0, time: 0 },
}

test.each([0, 1, 25 * DAY_MS, 6 * 365 * DAY_MS])(
  'a notification that is %i ms old is tried for an hour',
  async (ageMs) => {
    const sender = createSender({
      log: createLog('silent'),
      deliver: () => Promise.resolve({ kind: 'retry', reason: 'the network is unreachable' }),
      stopped: new AbortController().signal,
    })
    let waitedMs = 0
    let result = null
    for (let attempts = 1; attempts < 100; attempts++) {
      result = await sender.send({ ...item, attempts }, performance.now() - ageMs - waitedMs, null)
      if (result?.kind !== 'again') break
      waitedMs += result.afterMs
    }
    expect(result?.kind).toBe('dead')
    expect(waitedMs).toBeGreaterThan(0.6 * 3_600_000)
    expect(waitedMs).toBeLessThan(26 * 3_600_000)
    // the whole day if the clock was left alone
    if (ageMs <= 1) expect(waitedMs).toBeGreaterThan(24 * 3_600_000)
  },
)
