import { SIGNED_GRAPH_PATH } from '../core/alerts/signed-graphs.ts'
import { toDomainError } from '../core/base/errors.ts'
import { BeyondBudget } from '../core/base/graphs.ts'
import type { Services } from '../core/services.ts'
import { logBeyondBudget } from './beyond-budget.ts'
import { Elysia } from './elysia.ts'
import { image, json, LATER } from './respond.ts'
import { createRateLimit } from './v1/rate-limit.ts'

/** How often one URL may be drawn per minute. */
const PER_MINUTE = 30
const MAX_QUERY = 1000

/** Graphs in notifications: the signature in the URL replaces a token and is valid for exactly that graph. */
export const signedGraphRoutes = ({ signedGraphs, log }: Pick<Services, 'signedGraphs' | 'log'>) => {
  const turn = createRateLimit(PER_MINUTE, 60_000)
  return new Elysia({ name: 'signed-graphs' }).get(
    SIGNED_GRAPH_PATH,
    async ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      if (search.length > MAX_QUERY) return refused()
      try {
        if (!turn(searchParams.get('signature') ?? '').allowed) return json({ message: 'Too many requests' }, 429)
        const outcome = await signedGraphs.open(searchParams)
        if (outcome.kind === 'image') return image(outcome.bytes, outcome.contentType)
        if (outcome.kind === 'refused') return refused()
        if (outcome.kind === 'expired') return json({ message: 'This URL has expired' }, 410)
        return json({ message: 'There is no such graph' }, 404)
      } catch (error) {
        if (error instanceof BeyondBudget) {
          logBeyondBudget(error, request, log)
          return json({ message: error.message }, 503, LATER)
        }
        if (toDomainError(error)?.code === 'unavailable') return json({ message: 'Service Unavailable' }, 503, LATER)
        log.error({ err: error }, 'signed graph failed')
        return json({ message: 'Server Error' }, 500)
      }
    },
    { detail: { hide: true } },
  )
}

const refused = () => json({ message: 'The signature is wrong' }, 403)
