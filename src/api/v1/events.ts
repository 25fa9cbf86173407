import { invalid } from '../../core/base/errors.ts'
import { LIVE_KINDS, type LiveFilter, type LiveKind } from '../../core/live/service.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { paced, pacedResponse } from '../slow-readers.ts'
import { bearerPlugin } from '../token.ts'
import { setV1Operation, v1Identity } from './client.ts'
import { REFUSALS } from './model.ts'
import { presentV1Error } from './present-error.ts'

const MAX_DEVICES = 100
const MAX_ID = 100

const Query = t.NoValidate(
  t.Object({
    events: t.Optional(t.String({ description: 'device, port, alert, fault, poll, separated by commas; default all' })),
    device: t.Optional(t.String({ description: 'Device ids, at most 100, separated by commas; default all' })),
  }),
)

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Otherwise nginx buffers the events.
  'X-Accel-Buffering': 'no',
}

/** Server-sent events (WHATWG HTML, section 9.2). */
export const eventRoutes = ({
  live,
  log,
  ...access
}: Pick<Services, 'auth' | 'sessions' | 'config' | 'live' | 'log'>) =>
  new Elysia({ name: 'v1.events' }).use(bearerPlugin()).get(
    '/events',
    async ({ bearer, request, query }) => {
      setV1Operation(request, 'v1_events')
      try {
        const { first, stream } = await live.open({
          identify: v1Identity(access, bearer, request),
          filter: filterOf(query),
          lastId: request.headers.get('last-event-id')?.slice(0, MAX_ID) ?? null,
        })
        return pacedResponse(paced(first, stream), { headers: HEADERS })
      } catch (error) {
        return presentV1Error(error, request, log)
      }
    },
    {
      query: Query,
      response: {
        200: t.NoValidate(t.Any({ description: 'text/event-stream' })),
        ...REFUSALS,
      },
      detail: {
        operationId: 'v1_events',
        summary: 'Changes of devices, ports, alerts and faults, and finished polls, as server-sent events',
        tags: ['v1'],
        security: [{ bearer: [] }],
        'x-gate': 'bearer token',
      },
    },
  )

/** Throws `invalid` for unknown kinds and invalid ids. */
function filterOf(query: { readonly events?: string; readonly device?: string }): LiveFilter {
  const kinds = listOf(query.events)
  const devices = listOf(query.device)
  if (kinds?.some((kind) => !isKind(kind))) throw invalid(`events: expected ${LIVE_KINDS.join(', ')}`)
  if (devices !== null && (devices.length > MAX_DEVICES || devices.some((id) => !/^\d{1,9}$/.test(id))))
    throw invalid(`device: expected ids, at most ${MAX_DEVICES}`)
  return { kinds: kinds?.filter(isKind) ?? null, devices: devices?.map(Number) ?? null }
}

const isKind = (text: string): text is LiveKind => (LIVE_KINDS as readonly string[]).includes(text)

/** null: not given. */
function listOf(text: string | undefined): string[] | null {
  const parts = (text ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  return parts.length === 0 ? null : [...new Set(parts)]
}
