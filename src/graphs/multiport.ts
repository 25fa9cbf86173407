import type { GraphType } from './catalogue/graph-type.ts'
import { stackPaint } from './palette.ts'
import type { SeriesData, SeriesSource, SeriesWindow } from './series-source.ts'

/** More ports than this are drawn as one sum: so many colours are hard to tell apart, and each port takes a query. */
const MAX_PORTS = 24

/**
 * Traffic of several ports, stacked, inbound above and outbound below; above 24 ports their sum. `names` are for the
 * legend. Source: operation get_graph_by_portgroup (multiport_bits_separate).
 */
export function multiportGraph(names: readonly string[]): GraphType {
  const shown = names.length > MAX_PORTS ? [`${names.length} ports`] : names
  return {
    name: 'multiport_bits_separate',
    label: 'Traffic',
    data: 'ports',
    unit: 'bit/s',
    prefixes: 'large',
    axis: 'zero',
    fineDays: 8,
    columns: ['now', 'avg', 'max', 'p95', 'total'],
    elements: shown.flatMap((name, at) => {
      const paint = stackPaint(at)
      const common = { scale: 8, paint, draw: 'stack' } as const
      return [
        { ...common, series: seriesName(at, 'in_octets'), label: `${name} In`, side: 'above' },
        { ...common, series: seriesName(at, 'out_octets'), label: `${name} Out`, side: 'below' },
      ] as const
    }),
  }
}

/** The data of `multiportGraph`: the octets of each port, or the sum of all. */
export async function readMultiport(
  series: SeriesSource,
  portIds: readonly number[],
  window: SeriesWindow,
): Promise<SeriesData> {
  const parts = portIds.length > MAX_PORTS ? [portIds] : portIds.map((id) => [id])
  const { mostSamples } = window
  const share = { ...window, ...(mostSamples !== undefined && { mostSamples: mostSamples / parts.length }) }
  const read = await Promise.all(parts.map((ids) => series.ports(ids, share, ['in_octets', 'out_octets'])))
  const [first] = read
  if (first === undefined) return { timeS: new Float64Array(), stepS: window.stepS, series: [] }
  return {
    timeS: first.timeS,
    stepS: first.stepS,
    series: read.flatMap((data, at) =>
      // the level of detail depends only on the window, but a roll-up completed in between would shift the buckets
      data.timeS.length === first.timeS.length && data.timeS[0] === first.timeS[0]
        ? data.series.map((one) => ({ ...one, name: seriesName(at, one.name) }))
        : [],
    ),
  }
}

const seriesName = (at: number, counter: string) => `${at}_${counter}`
