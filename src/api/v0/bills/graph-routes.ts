import { absent, invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { rowId } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { BillModel } from './model.ts'
import { billWindow, factorOf } from './requests.ts'

const ERRORS = refusals('invalid', 'forbidden', 'not_found', 'absent')

/** Graphs of bills and their past periods: images, and data for clients that draw the graphs themselves. */
export const billGraphRoutes = ({ bills }: Pick<Services, 'bills'>) =>
  new Elysia({ name: 'v0.bill-graphs', prefix: '/bills/:id' })
    .use(v0Context)
    .get(
      '/graphs/:graph_type',
      async ({ actor, params: { id, graph_type: type }, query }) => {
        await bills.requireAccess(actor, rowId(id))
        if (type !== 'bits' && type !== 'monthly') throw absent(`bill_${type} template missing`)
        const outcome = await bills.draw(rowId(id), type, billWindow(query), query)
        if (outcome === null) throw notFound(`Bill ${id} does not exist`)
        return graphAnswer(outcome, `bill_${type}`, query.output)
      },
      {
        ...operation({ id: 'get_bill_graph', gate: 'Bill.viewAny', summary: 'Graph of a bill: bits or monthly' }),
        params: BillModel.graph,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...ERRORS },
      },
    )
    .get(
      '/graphdata/:graph_type',
      async ({ actor, params: { id, graph_type: type }, query }) => {
        await bills.requireAccess(actor, rowId(id))
        if (type === 'monthly') return answered(await bills.monthly(rowId(id)))
        if (type !== 'bits') throw invalid(`Unsupported graph type ${type}`)
        const window = billWindow(query)
        const points = await bills.bits(rowId(id), window, factorOf(query.reducefactor))
        if (points === null) throw notFound(`Bill ${id} does not exist`)
        return answered({ from: query.from ?? window.fromS, to: query.to ?? window.toS, ...points })
      },
      {
        ...operation({
          id: 'get_bill_graphdata',
          gate: 'Bill.viewAny',
          summary: 'Graph data of a bill: bits or monthly',
        }),
        params: BillModel.graph,
        query: BillModel.dataQuery,
        response: { 200: BillModel.data, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/history/:bill_hist_id/graphs/:graph_type',
      async ({ actor, params: { id, bill_hist_id, graph_type: type }, query }) => {
        if (!isPeriodGraph(type)) throw invalid(`Unknown Graph Type ${type}`)
        await bills.requireAccess(actor, rowId(id))
        const period = await bills.period(rowId(id), rowId(bill_hist_id))
        const outcome = period === null ? NO_DATA : await bills.drawPeriod(period, type, query)
        return graphAnswer(outcome, `bill_historic${type}`, query.output)
      },
      {
        ...operation({
          id: 'get_bill_history_graph',
          gate: 'Bill.viewAny',
          summary: 'Graph of a period of a bill: bits, hour or day',
        }),
        params: BillModel.historyGraph,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...ERRORS },
      },
    )
    .get(
      '/history/:bill_hist_id/graphdata/:graph_type',
      async ({ actor, params: { id, bill_hist_id, graph_type: type }, query }) => {
        await bills.requireAccess(actor, rowId(id))
        const period = await bills.period(rowId(id), rowId(bill_hist_id))
        if (period === null || !isPeriodGraph(type)) throw invalid(`Unsupported graph type ${type}`)
        if (type !== 'bits') return answered(await bills.periodBars(type, period))
        const points = await bills.periodBits(period, factorOf(query.reducefactor))
        return answered({ from: period.from_s, to: period.to_s, ...points })
      },
      {
        ...operation({
          id: 'get_bill_history_graphdata',
          gate: 'Bill.viewAny',
          summary: 'Graph data of a period of a bill: bits, hour or day',
        }),
        params: BillModel.historyGraph,
        query: BillModel.dataQuery,
        response: { 200: BillModel.data, 400: ErrorModel, 403: ErrorModel },
      },
    )

const NO_DATA = { kind: 'no-data' } as const

function isPeriodGraph(type: string): type is 'bits' | 'hour' | 'day' {
  return type === 'bits' || type === 'hour' || type === 'day'
}

/** `count` is the number of members, as in LibreNMS. */
function answered<T extends object>(data: T) {
  return { status: 'ok' as const, graph_data: data, count: Object.keys(data).length }
}
