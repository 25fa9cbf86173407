import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'

const Text = (description: string) => t.Optional(t.String({ description }))

const options = {
  from: Text('Start: epoch seconds, -1d, now-1d6h, or a date; default -1d'),
  to: Text('End; default now'),
  width: Text('Pixels, 16 to 4000; default 1075'),
  height: Text('Pixels, 10 to 2000; default 300'),
  output: Text(
    'display (default): the image; base64: JSON with the image; svg: an SVG image; json: the numbers; chart: the numbers with drawing styles, limits, outages and SQL',
  ),
  graph_type: Text('png (default) or svg'),
  max_points: Text(
    'output=json or chart: at most this many points, 2 to 4000; default as many as an image of this width has',
  ),
  theme: Text('light (default) or dark'),
  legend: Text('no: without a legend'),
  title: Text('Shows the title, unless no'),
  graph_title: Text('Shows this title'),
  inverse: Text('Swaps in and out'),
}

/** Answer of graph operations with output=base64; otherwise the body is the image. */
const Base64 = t.Object(
  {
    status: Ok,
    image: t.Object({ image: t.String({ description: 'Base64' }), 'content-type': t.String() }),
    count: t.Literal(2),
  },
  { title: 'GraphImage' },
)

const Value = t.Union([t.Number(), t.Null()])

/** Answer of graph operations with output=json: what the image shows, as numbers; null is unknown. */
const Figures = t.Object(
  {
    status: Ok,
    from: whole(),
    to: whole(),
    time: t.Array(t.Number(), { description: 'Starts of the buckets, epoch seconds' }),
    step: t.Number({ description: 'Width of a bucket in seconds' }),
    level: t.Union([t.String(), t.Null()], { description: 'Where the values come from: samples, 1h or 1d' }),
    series: t.Array(
      t.Object({
        name: t.String(),
        unit: t.String(),
        values: t.Array(Value),
        now: Value,
        min: Value,
        avg: Value,
        max: Value,
        p95: Value,
        total: Value,
        states: t.Optional(t.Record(t.String(), t.String())),
        used: t.Optional(Value),
        size: t.Optional(Value),
      }),
    ),
  },
  { title: 'GraphFigures' },
)

export const GraphModel = {
  portParams: documented(
    t.Object({ hostname: t.String(), ifname: t.String({ description: 'URL-encoded' }), type: t.String() }),
  ),
  portQuery: documented(
    t.Object({ ...options, ifDescr: Text('true: look up the port by ifDescr rather than ifName') }),
  ),
  deviceParams: documented(t.Object({ hostname: t.String(), type: t.String() })),
  deviceQuery: documented(t.Object({ ...options, duration: Text('device_availability: window in seconds') })),
  image: documented(t.Union([Base64, Figures])),
  hostname: documented(t.Object({ hostname: t.String() })),
  list: documented(
    t.Object({
      status: Ok,
      message: t.Literal(''),
      graphs: t.Array(t.Object({ desc: t.Union([t.String(), t.Null()]), name: t.String() })),
      count: whole(),
    }),
  ),
}
