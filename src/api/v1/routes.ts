import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { jsonApi } from '../respond.ts'
import { bearerPlugin } from '../token.ts'
import { billExplainRoutes } from './bills.ts'
import { candidateRoutes } from './candidates.ts'
import { clientOf, setV1Operation, v1Actor } from './client.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { layer2Routes } from './layer2.ts'
import { partMaintenanceRoutes } from './maintenance.ts'
import { ErrorList, Unauthenticated } from './model.ts'
import { onCallRoutes } from './on-call.ts'
import { operationRoutes } from './operations.ts'
import { presentV1Error, tooManyRequests, unavailable, v1NotFound, v1Unauthenticated } from './present-error.ts'
import { qosRoutes } from './qos.ts'
import { createRateLimit } from './rate-limit.ts'
import { scanRoutes } from './scans.ts'
import { sensorLimitRoutes } from './sensors.ts'
import { seriesRoutes } from './series.ts'
import { sightingRoutes } from './sightings.ts'
import { transportTestRoutes } from './transport-test.ts'
import { transportRoutes } from './transports.ts'

const HEALTH_PER_MINUTE = 60

const Health = t.NoValidate(t.Object({ meta: t.Object({ status: t.Literal('healthy') }) }))
const System = t.NoValidate(
  t.Object({
    meta: t.Object({
      application: t.Object({ name: t.String(), version: t.String() }),
      statistics: t.Object({ devices: whole(), ports: whole(), users: whole(), sensors: whole() }),
    }),
  }),
)

/** API v1 (beta): JSON:API answers, bearer tokens. The front door checks setting api.v1.enabled. */
export const v1Routes = (
  services: Pick<
    Services,
    | 'auth'
    | 'sessions'
    | 'bills'
    | 'candidates'
    | 'config'
    | 'faults'
    | 'system'
    | 'inventory'
    | 'live'
    | 'operations'
    | 'onCall'
    | 'maintenance'
    | 'network'
    | 'scans'
    | 'series'
    | 'sightings'
    | 'transportDirectory'
    | 'transportAdmin'
    | 'log'
  >,
) => {
  const { system, inventory, log } = services
  const turn = createRateLimit(HEALTH_PER_MINUTE, 60_000)
  return new Elysia({ name: 'v1', prefix: '/api/v1' })
    .use(bearerPlugin())
    .get(
      '/health',
      async ({ request }) => {
        setV1Operation(request, 'v1_health')
        const { allowed, remaining, resetS } = turn(clientOf(request))
        if (!allowed) return tooManyRequests(resetS)
        const limits = { 'X-RateLimit-Limit': String(HEALTH_PER_MINUTE), 'X-RateLimit-Remaining': String(remaining) }
        try {
          await system.database()
        } catch (error) {
          log.warn({ err: error }, 'health check failed')
          return unavailable()
        }
        return jsonApi({ meta: { status: 'healthy' } }, 200, limits)
      },
      {
        response: { 200: Health, 404: ErrorList, 415: ErrorList, 429: ErrorList, 503: ErrorList },
        detail: { operationId: 'v1_health', summary: 'Whether the service works', tags: ['v1'], security: [] },
      },
    )
    .get(
      '/system',
      async ({ bearer, request }) => {
        setV1Operation(request, 'v1_system')
        try {
          const actor = await v1Actor(services, bearer, request)
          if (!actor) return v1Unauthenticated()
          const { name, version } = system.version
          return jsonApi({ meta: { application: { name, version }, statistics: await inventory.counts(actor) } })
        } catch (error) {
          return presentV1Error(error, request, log)
        }
      },
      {
        response: {
          200: System,
          400: ErrorList,
          401: Unauthenticated,
          404: ErrorList,
          415: ErrorList,
          429: ErrorList,
          503: ErrorList,
        },
        detail: {
          operationId: 'v1_system',
          summary: 'Version and statistics',
          tags: ['v1'],
          security: [{ bearer: [] }],
          'x-gate': 'bearer token',
        },
      },
    )
    .use(billExplainRoutes(services))
    .use(candidateRoutes(services))
    .use(operationRoutes(services))
    .use(onCallRoutes(services))
    .use(seriesRoutes(services))
    .use(partMaintenanceRoutes(services))
    .use(scanRoutes(services))
    .use(transportTestRoutes(services))
    .use(sensorLimitRoutes(services))
    .use(faultRoutes(services))
    .use(sightingRoutes(services))
    .use(layer2Routes(services))
    .use(qosRoutes(services))
    .use(transportRoutes(services))
    .use(eventRoutes(services))
    .all('/*', () => v1NotFound(), { detail: { hide: true } })
}
