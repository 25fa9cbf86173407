import type { Extras } from './authenticate.ts'
import { json } from './respond.ts'

/**
 * Checks whether the parts of the program work. Resolves to one sentence for each part that does not; an empty list
 * means ready. Settles within a few seconds even if a part hangs, and never rejects.
 */
export type CheckReadiness = () => Promise<readonly string[]>

/** How long a result is reused. The probes need no token, so requests for them are not limited in any other way. */
const HOLDS_MS = 1000

/**
 * `/healthz` checks only that the process answers. `/readyz` checks that the program can do its work, and otherwise
 * answers 503 with one sentence for each part that cannot. Neither needs a token: they are for supervisors and load
 * balancers.
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
