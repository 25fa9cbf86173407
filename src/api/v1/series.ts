import type { SeriesAnswer } from '../../core/series/service.ts'
import type { Services } from '../../core/services.ts'
import { quotedCell } from '../../lib/csv.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Value } from '../nullable.ts'
import { csv, jsonApi } from '../respond.ts'
import { bearerPlugin } from '../token.ts'
import { setV1Operation, v1Actor } from './client.ts'
import { REFUSALS } from './model.ts'
import { presentV1Error, v1Unauthenticated } from './present-error.ts'

const Text = (description: string) => t.Optional(t.String({ description }))

const Query = t.NoValidate(
  t.Object({
    kind: Text('port, processor, mempool, storage, sensor, wireless, device, icmp, stats, service, ...'),
    id: Text('Ids of ports, sensors, devices, ..., at most 100, separated by commas'),
    line: Text('Names of lines, separated by commas; default all'),
    from: Text('Same formats as for graphs; default -1d'),
    to: Text('Same formats as for graphs; default now'),
    step: Text('Minimum width of a bucket in seconds; default: as needed for at most max_points buckets'),
    max_points: Text('2 to 20000; default 1000'),
    fn: Text('avg (default), min or max of the samples in a bucket'),
  }),
)

const Series = t.NoValidate(
  t.Object({
    meta: t.Object({
      kind: t.String(),
      fn: t.String(),
      from: whole(),
      to: whole(),
      step: whole(),
      level: t.String({ description: 'samples, 1h or 1d' }),
    }),
    data: t.Object({
      time: t.Array(whole(), { description: 'Starts of the buckets, epoch seconds' }),
      series: t.Array(
        t.Object({
          id: whole(),
          name: t.String(),
          line: t.String(),
          unit: t.String(),
          known: t.Number({ description: 'Share of the buckets with a value, 0 to 1' }),
          values: t.Array(Value),
        }),
      ),
    }),
  }),
)

/** Stored values as columns, for use by programs. */
export const seriesRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'config' | 'series' | 'log'>) => {
  const { series, log } = services
  return new Elysia({ name: 'v1.series' }).use(bearerPlugin()).get(
    '/series',
    async ({ bearer, request, query }) => {
      setV1Operation(request, 'v1_series')
      try {
        const actor = await v1Actor(services, bearer, request)
        if (!actor) return v1Unauthenticated()
        const answer = await series.read(actor, {
          kind: query.kind ?? '',
          ids: [...new Set(parts(query.id).map(Number))],
          lines: parts(query.line),
          from: query.from || '-1d',
          to: query.to || 'now',
          stepS: query.step ? Number(query.step) : null,
          maxPoints: query.max_points ? Number(query.max_points) : 1000,
          fn: query.fn || 'avg',
        })
        return wantsCsv(request) ? csv(csvOf(answer)) : jsonApi(jsonOf(answer))
      } catch (error) {
        return presentV1Error(error, request, log)
      }
    },
    {
      query: Query,
      response: {
        200: Series,
        ...REFUSALS,
      },
      detail: {
        operationId: 'v1_series',
        summary: 'Stored values of ports, sensors, processors, ...; as CSV with Accept: text/csv',
        tags: ['v1'],
        security: [{ bearer: [] }],
        'x-gate': 'bearer token',
      },
    },
  )
}

const parts = (list: string | undefined) =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const wantsCsv = (request: Request) => /\btext\/csv\b/i.test(request.headers.get('accept') ?? '')

function jsonOf({ kind, fn, fromS, toS, timeS, stepS, level, series }: SeriesAnswer) {
  return {
    meta: { kind, fn, from: fromS, to: toS, step: stepS, level },
    data: {
      time: [...timeS],
      series: series.map(({ values, ...rest }) => ({
        ...rest,
        values: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
      })),
    },
  }
}

/**
 * A row for each bucket: its start in epoch seconds, then a column for each series; unknown is empty.
 * Headings begin with the id, so that a spreadsheet does not take a name for a formula.
 */
function csvOf({ timeS, series }: SeriesAnswer): string {
  const head = series.map(({ id, name, line, unit }) =>
    quotedCell([`${id}`, name, line, unit === '' ? '' : `[${unit}]`].filter(Boolean).join(' ')),
  )
  const rows = Array.from(timeS, (time, i) =>
    [time, ...series.map(({ values }) => (Number.isNaN(values[i] ?? Number.NaN) ? '' : values[i]))].join(),
  )
  return `${[['time', ...head].join(), ...rows].join('\r\n')}\r\n`
}
