import type { TransportTest } from '../../core/alerts/transports/admin.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { bearerPlugin } from '../token.ts'
import { idOf } from './given.ts'
import { described, IdPath, REFUSALS } from './model.ts'
import { v1Run } from './run.ts'

const TYPE = 'transport_tests'
const TextOrNull = t.Union([t.String(), t.Null()])
const One = t.NoValidate(
  t.Object({
    data: t.Object(
      {
        type: t.Literal(TYPE),
        id: t.String({ description: 'Id of the transport' }),
        attributes: t.Object(
          {
            outcome: t.String({
              description: 'delivered; retry: a notification would be tried again; refused: it would be given up',
            }),
            reason: t.Union([t.String(), t.Null()], { description: 'null: it was delivered' }),
            took_ms: t.Number({ description: 'Milliseconds' }),
            exchanges: t.Array(t.Object({ request: t.String(), answer: TextOrNull }), {
              description:
                'What was sent and what the receiver answered, in order, at most ten; secrets are ***. answer null: nothing came back',
            }),
          },
          { title: 'TransportTest' },
        ),
      },
      { title: 'TransportTestRecord' },
    ),
  }),
)

/** A test of a transport. This operation is our own; LibreNMS has none like it. */
export const transportTestRoutes = (
  services: Pick<Services, 'auth' | 'sessions' | 'transportAdmin' | 'config' | 'log'>,
) => {
  const run = v1Run(services)
  return new Elysia({ name: 'v1.transport-test' }).use(bearerPlugin()).post(
    '/transports/:id/test',
    (asked) =>
      run('v1_transport_test', asked, async (actor) => {
        const id = idOf(asked.params.id)
        return { data: recordOf(id, await services.transportAdmin.test(actor, id)) }
      }),
    {
      params: IdPath,
      parse: 'none',
      response: { 200: One, ...REFUSALS },
      detail: described(
        'v1_transport_test',
        'Sends a test notification by a transport; shows the request and the answer',
        'role admin',
      ),
    },
  )
}

const recordOf = (id: number, { delivery, tookMs, exchanges }: TransportTest) => ({
  type: TYPE,
  id: String(id),
  attributes: {
    outcome: delivery.kind,
    reason: delivery.kind === 'delivered' ? null : delivery.reason,
    took_ms: Math.round(tookMs),
    exchanges,
  },
})
