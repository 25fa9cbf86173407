import type { Extras } from './front-door.ts'
import { json } from './respond.ts'

/**
 * Looks whether the parts of the program work: a sentence for each that does not, none when it is ready. Settles within a
 * few seconds whatever the parts do, and does not reject.
 */
export type CheckReadiness = () => Promise<readonly string[]>

/** How long what was found holds. Anybody may ask, as often as they like. */
const HOLDS_MS = 1000

/**
 * `/healthz`: the process answers, nothing else is asked. `/readyz`: the program can do its work, or 503 and a sentence
 * for each part that cannot. Both without a token, for supervisors and load balancers.
 */
export function probes(check: CheckReadiness): Extras {
  let found: Promise<readonly string[]> = Promise.resolve([])
  let holdsUntil = 0
  let checking = false

  function current(): Promise<readonly string[]> {
    if (!checking && performance.now() >= holdsUntil) {
      checking = true
      found = check().finally(() => {
        checking = false
        holdsUntil = performance.now() + HOLDS_MS
      })
    }
    return found
  }

  return {
    '/healthz': () => json({ status: 'ok' }),
    '/readyz': async () => {
      const problems = await current()
      return problems.length === 0 ? json({ status: 'ok' }) : json({ status: 'unavailable', problems }, 503)
    },
  }
}
