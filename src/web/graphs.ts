import { type AnyElysia, Elysia } from '../api/elysia.ts'
import { absent, invalid, notFound } from '../core/base/errors.ts'
import type { GraphOutcome } from '../core/base/graphs.ts'
import { isAllowed, type Permission } from '../core/base/permissions.ts'
import { eventWords } from '../core/logs/event-words.ts'
import { parseTimeRange } from '../lib/at-time.ts'
import { csvAnswer } from './components/csv.ts'
import { plain } from './components/values.tsx'
import { pageZone } from './components/zone.tsx'
import { chartCsv, graphFileName } from './graph-file.ts'
import { found, idOf } from './id.ts'
import type { PageRequest } from './page.ts'
import { can } from './permissions.ts'

/** Maximum number of small charts in one request. */
const MAX_SPARKS = 200
const SPARK_GATES: Readonly<Record<string, Permission>> = { port: 'Port.viewAny', device: 'Device.viewAny' }

/** Permissions of the pages that have graphs of a device, and of a port: each of them shows the graphs too. */
const DEVICE_CHARTS: readonly Permission[] = ['Device.viewAny', 'Sensor.viewAny', 'Alert.viewAny', 'BgpPeer.viewAny']
const PORT_CHARTS: readonly Permission[] = ['Port.viewAny', 'Device.viewAny', 'Alert.viewAny']

/** Maximum number of alerts and events marked on a time axis. */
const MAX_MARKS = 100

type Entered = (
  request: Request,
  params: Readonly<Record<string, string>>,
  work: (visit: PageRequest) => Promise<Response>,
) => Promise<Response>

/** Query parameters that are passed on to the graph service. */
const OPTIONS = ['from', 'to', 'width', 'height', 'theme', 'legend', 'title', 'graph_type', 'max_points'] as const

/** Whether the values are wanted: for the script that draws, or as a file. */
const wantsChart = (query: URLSearchParams) => query.get('output') === 'chart' || query.get('format') === 'csv'

const optionsOf = (query: URLSearchParams) => ({
  output: wantsChart(query) ? 'chart' : query.get('graph_type') === 'png' ? 'display' : 'svg',
  // a file has as many rows as there may be
  ...(query.get('format') === 'csv' && { max_points: '4000' }),
  ...Object.fromEntries(OPTIONS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []))),
})

/** Image shown for a graph that has no values yet. */
const NOTHING = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="160"><text x="380" y="80" text-anchor="middle"
 font-family="sans-serif" font-size="13" fill="#808a96">No data yet</text></svg>`

const NUMBERS = { headers: { 'Cache-Control': 'private, no-store' } }

/** The image, or with `output=chart` the data that the chart script draws. */
function pictureOf(outcome: GraphOutcome, { query, url }: Pick<PageRequest, 'query' | 'url'>): Response {
  const isChart = query.get('output') === 'chart'
  if (outcome.kind === 'chart' && query.get('format') === 'csv')
    return chartCsv(outcome.chart, graphFileName(url.pathname))
  if (outcome.kind === 'chart') return Response.json(outcome.chart, NUMBERS)
  if (outcome.kind === 'bad-time' || outcome.kind === 'bad-size') {
    if (isChart) return Response.json({ message: outcome.message }, { ...NUMBERS, status: 400 })
    throw invalid(outcome.message)
  }
  if (outcome.kind === 'no-data' && isChart) return Response.json({ series: [] }, NUMBERS)
  if (outcome.kind === 'no-data' && query.get('format') === 'csv')
    return csvAnswer([`Time (${pageZone()})`, 'Time (UTC)'], [], graphFileName(url.pathname))
  if (outcome.kind === 'no-data' && query.get('download') === '1') throw notFound('No values have been measured yet')
  if (outcome.kind === 'no-data')
    return new Response(NOTHING, {
      headers: {
        'Content-Type': 'image/svg+xml',
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    })
  if (outcome.kind !== 'image') throw absent('no graph')
  const { bytes, contentType } = outcome
  return new Response(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    headers: {
      'Content-Type': contentType,
      ...(query.get('download') === '1' && {
        'Content-Disposition': `attachment; filename="${graphFileName(url.pathname)}.${contentType.includes('svg') ? 'svg' : 'png'}"`,
      }),
      'Cache-Control': 'private, max-age=30',
      'X-Content-Type-Options': 'nosniff',
      // An SVG opened on its own is a document, so it needs a policy.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}

/** Graphs as images for signed-in users: SVG, or PNG with `graph_type=png`. */
export const graphRoutes = (entered: Entered): AnyElysia =>
  new Elysia({ name: 'web.graphs', detail: { hide: true } })
    .get('/graph/device/:id/:type', ({ request, params }) =>
      entered(request, params, async (visit) => {
        const { services, actor, query } = visit
        if (!DEVICE_CHARTS.some((gate) => can(visit, gate))) throw notFound('no such device')
        const { device_id } = await services.devices.require(actor, params.id)
        const only = Number(query.get('only') ?? Number.NaN)
        const one = Number.isInteger(only) && only > 0 ? only : undefined
        return pictureOf(await services.graphs.device(device_id, params.type, optionsOf(query), one), visit)
      }),
    )
    .get('/graph/service/:id/:dataset', ({ request, params }) =>
      entered(request, params, async (visit) => {
        const { services, actor, query } = visit
        if (!isAllowed(actor, 'Service.viewAny', services.config)) throw notFound('no such service')
        const { device_id, service_id, datasets } = await services.hostServices.detail(actor, params.id)
        const found =
          params.dataset === 'first' ? datasets[0] : datasets.find(({ id }) => String(id) === params.dataset)
        if (found === undefined) throw notFound('no such value')
        const of = { deviceId: device_id, serviceId: service_id, ds: found.ds }
        return pictureOf(await services.hostServices.graph(of, optionsOf(query)), visit)
      }),
    )
    .get('/graph/bill/:id/:type', ({ request, params }) =>
      entered(request, params, async (visit) => {
        const { services, actor, query, nowMs } = visit
        if (!isAllowed(actor, 'Bill.viewAny', services.config)) throw notFound('no such bill')
        const id = idOf(params.id)
        await services.bills.requireAccess(actor, id)
        const range = parseTimeRange(query.get('from') ?? '-30d', query.get('to') ?? 'now', nowMs / 1000)
        if (range.kind !== 'ok') throw invalid(range.message)
        const type = params.type === 'monthly' ? 'monthly' : 'bits'
        const outcome = await services.bills.draw(id, type, range, optionsOf(query))
        if (outcome === null) throw notFound('no such bill')
        return pictureOf(outcome, visit)
      }),
    )
    .get('/graph/port/:id/:type', ({ request, params }) =>
      entered(request, params, async (visit) => {
        const { services, actor, query } = visit
        if (!PORT_CHARTS.some((gate) => can(visit, gate))) throw notFound('no such port')
        const port = found(await services.ports.find(actor, idOf(params.id)), 'port')
        return pictureOf(await services.graphs.port(port.port_id, params.type, optionsOf(query)), visit)
      }),
    )
    .get('/graph/marks/:device', ({ request, params }) =>
      entered(request, params, async ({ services, actor, query, nowMs }) => {
        const { device_id } = await services.devices.require(actor, params.device)
        const range = parseTimeRange(query.get('from') ?? '-24h', query.get('to') ?? 'now', nowMs / 1000)
        if (range.kind !== 'ok') return Response.json({ message: range.message }, { ...NUMBERS, status: 400 })
        const portId = idOf(query.get('port')) || null
        const marks = await services.fleet.chartAnnotations({
          deviceId: device_id,
          portId,
          fromS: range.fromS,
          toS: range.toS,
          alerts: isAllowed(actor, 'Alert.viewAny', services.config),
          events: isAllowed(actor, 'Eventlog.viewAny', services.config),
          limit: MAX_MARKS,
        })
        return Response.json(
          marks.map((mark) => ({ ...mark, text: plain(mark.kind === 'event' ? eventWords(mark.text) : mark.text) })),
          NUMBERS,
        )
      }),
    )
    .get('/graph/sparks/:kind', ({ request, params }) =>
      entered(request, params, async ({ services, actor, query }) => {
        const gate = SPARK_GATES[params.kind] ?? 'Sensor.viewAny'
        if (!isAllowed(actor, gate, services.config)) throw notFound('not granted')
        const ids = (query.get('ids') ?? '')
          .slice(0, MAX_SPARKS * 11)
          .split(',')
          .map(Number)
        const wanted = [...new Set(ids)].filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)
        const points = await services.fleet.sparks(actor, params.kind, wanted.slice(0, MAX_SPARKS))
        if (points === null) throw notFound('no such kind')
        const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(3)))
        return Response.json(
          points.map(({ id, at, above, below }) => [id, at, rounded(above), rounded(below)]),
          { headers: { 'Cache-Control': 'private, max-age=60' } },
        )
      }),
    )
