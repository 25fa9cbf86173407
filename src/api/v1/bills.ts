import { forbidden } from '../../core/base/errors.ts'
import { isAllowed } from '../../core/base/permissions.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { jsonApi } from '../respond.ts'
import { bearerPlugin } from '../token.ts'
import { setV1Operation, v1Actor } from './client.ts'
import { REFUSALS } from './model.ts'
import { presentV1Error, v1NotFound, v1Unauthenticated } from './present-error.ts'

const Name = t.Union([t.String(), t.Null()], { description: 'null: the port is not granted to the caller' })
const Use = t.Object(
  {
    used: t.Number({ description: 'Bits per second for cdr, octets for quota' }),
    percent: t.Union([t.Number(), t.Null()], { description: 'Of the limit; null: no limit' }),
  },
  { title: 'BillUse' },
)
const Port = { port_id: whole(), hostname: Name, ifName: Name }
const Explanation = t.Object(
  {
    bill_id: whole(),
    bill_name: t.String(),
    bill_type: t.String({ description: 'cdr or quota' }),
    allowed: whole({ description: 'Bits per second for cdr, octets for quota' }),
    use: Use,
    period: t.Object({ from: t.String(), to: t.String(), final: t.Boolean() }),
    counted_upto: t.Union([t.String(), t.Null()], { description: 'null: not yet' }),
    total_in: t.Number({ description: 'Octets' }),
    total_out: t.Number(),
    percentile: t.Object({
      direction: t.String({ description: 'in, out or agg' }),
      rate: t.Number({ description: 'Bits per second' }),
      buckets: whole({ description: 'Five-minute intervals of the period whose traffic is known' }),
      rank: whole({ description: 'Rank of the interval that sets the rate; 1: the highest' }),
      around: t.Array(
        t.Object({
          rank: whole(),
          end: t.String(),
          in_octets: t.Number(),
          out_octets: t.Number(),
          rate: t.Number(),
          unknown_seconds: t.Union([whole(), t.Null()]),
        }),
      ),
    }),
    unknown: t.Object({
      buckets: whole({ description: 'Five-minute intervals in which the traffic of no port is known' }),
      not_counted: whole(),
      port_seconds: t.Number(),
      line_rate_octets: t.Union([t.Number(), t.Null()], {
        description: 'Traffic in each direction if the unknown time was at line rate; null: a speed is unknown',
      }),
      ports_from: t.String({ description: 'Unknown time of the ports listed is counted from here' }),
      ports: t.Array(t.Object({ ...Port, ifSpeed: t.Union([t.Number(), t.Null()]), seconds: t.Number() })),
    }),
    refused: t.Object({
      count: whole(),
      pairs: t.Array(t.Object({ ...Port, from: t.String(), to: t.String(), reason: t.String() })),
    }),
    bounds: t.Object({ if_zero: Use, if_line_rate: t.Union([Use, t.Null()]) }),
  },
  { title: 'BillExplanation' },
)
const Answer = t.NoValidate(
  t.Object({ data: t.Object({ type: t.Literal('bill-explanations'), id: t.String(), attributes: Explanation }) }),
)

/** How a bill was calculated. This operation is our own; LibreNMS has none like it. */
export const billExplainRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'bills' | 'config' | 'log'>) => {
  const { bills, config, log } = services
  return new Elysia({ name: 'v1.bills' }).use(bearerPlugin()).get(
    '/bills/:id/explain',
    async ({ bearer, request, params: { id }, query: { period } }) => {
      setV1Operation(request, 'v1_bill_explain')
      try {
        const actor = await v1Actor(services, bearer, request)
        if (!actor) return v1Unauthenticated()
        if (!isAllowed(actor, 'Bill.viewAny', config)) throw forbidden('')
        const billId = /^\d{1,10}$/.test(id) ? Number(id) : 0
        if (billId < 1 || billId > 2_147_483_647) return v1NotFound()
        const attributes = await bills.explain(actor, billId, period === 'previous' ? 1 : 0)
        return jsonApi({ data: { type: 'bill-explanations', id: String(billId), attributes } })
      } catch (error) {
        return presentV1Error(error, request, log)
      }
    },
    {
      params: t.NoValidate(t.Object({ id: t.String() })),
      query: t.NoValidate(
        t.Object({ period: t.Optional(t.String({ description: 'previous: the period before the current one' })) }),
      ),
      response: {
        200: Answer,
        ...REFUSALS,
      },
      detail: {
        operationId: 'v1_bill_explain',
        summary: 'How a bill was calculated, what is unknown, and how much that could change it',
        tags: ['v1'],
        security: [{ bearer: [] }],
        'x-gate': 'Bill.viewAny',
      },
    },
  )
}
