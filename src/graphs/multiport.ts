import type { GraphType } from './catalogue/graph-type.ts'
import { lineColour } from './palette.ts'
import type { SeriesData, SeriesSource, SeriesWindow } from './series-source.ts'

/** More are one sum: nobody tells so many colours apart, and each is read by itself. */
const MOST_PORTS = 24

/**
 * Traffic of several ports, stacked, inbound above and outbound below; of more than 24 their sum. `names` are the legend's.
 * Source: operation get_graph_by_portgroup (multiport_bits_separate).
 */
export function multiportGraph(names: readonly string[]): GraphType {
  const shown = names.length > MOST_PORTS ? [`${names.length} ports`] : names
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
      const paint = { line: lineColour(at), fill: lineColour(at) }
      const common = { scale: 8, paint, draw: 'stack' } as const
      return [
        { ...common, series: seriesName(at, 'in_octets'), label: `${name} In`, side: 'above' },
        { ...common, series: seriesName(at, 'out_octets'), label: `${name} Out`, side: 'below' },
      ] as const
    }),
  }
}

/** What `multiportGraph` draws: the octets of each port, or of all in one. */
export async function readMultiport(
  series: SeriesSource,
  portIds: readonly number[],
  window: SeriesWindow,
): Promise<SeriesData> {
  const parts = portIds.length > MOST_PORTS ? [portIds] : portIds.map((id) => [id])
  const read = await Promise.all(parts.map((ids) => series.ports(ids, window, ['in_octets', 'out_octets'])))
  const [first] = read
  if (first === undefined) return { timeS: new Float64Array(), stepS: window.stepS, series: [] }
  return {
    timeS: first.timeS,
    stepS: first.stepS,
    series: read.flatMap((data, at) =>
      // The level of detail depends on the window alone; a roll-up that ends in between would shift the buckets.
      data.timeS.length === first.timeS.length && data.timeS[0] === first.timeS[0]
        ? data.series.map(({ name, values }) => ({ name: seriesName(at, name), values }))
        : [],
    ),
  }
}

const seriesName = (at: number, counter: string) => `${at}_${counter}`
