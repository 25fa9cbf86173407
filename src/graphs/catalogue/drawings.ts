import type { DrawnSeries } from '../../core/base/graphs.ts'
import type { Prefixes } from '../../lib/si.ts'
import { PAINTS } from '../palette.ts'
import type { Element, GraphType } from './graph-type.ts'

/** Units that take SI prefixes, of those that checks append to their numbers (Monitoring Plugins, performance data). */
const PREFIXED: Readonly<Record<string, Prefixes>> = { s: 'all', B: 'large', 'B/s': 'large', 'bit/s': 'large' }

/** A data set of a service. `s` and bytes take SI prefixes; `ms` and unknown units are left as they are. */
export function serviceGraph(label: string, unit: string): GraphType {
  return {
    name: 'service_graph',
    label,
    data: 'service',
    unit,
    prefixes: PREFIXED[unit] ?? 'none',
    elements: [{ series: 'value', label, scale: 1, paint: PAINTS.neutral, draw: 'area', side: 'above' }],
    axis: 'zero',
    columns: ['now', 'min', 'avg', 'max'],
  }
}

const LOOKS: Readonly<Record<DrawnSeries['as'], Pick<Element, 'paint' | 'draw' | 'side'>>> = {
  in: { paint: PAINTS.in, draw: 'area', side: 'above' },
  out: { paint: PAINTS.out, draw: 'area', side: 'below' },
  total: { paint: PAINTS.neutral, draw: 'area', side: 'above' },
  sum: { paint: PAINTS.multicast, draw: 'line', side: 'above' },
  limit: { paint: PAINTS.loss, draw: 'line', side: 'above' },
  percentile: { paint: PAINTS.broadcast, draw: 'line', side: 'above' },
}

/** A graph of values that the caller provides: bills. */
export function drawnGraph(label: string, unit: string, series: readonly DrawnSeries[]): GraphType {
  return {
    name: 'drawing',
    label,
    data: 'service',
    unit,
    prefixes: 'large',
    elements: series.map((drawn) => ({
      series: drawn.label,
      label: drawn.label,
      scale: 1,
      ...LOOKS[drawn.as],
      ...(drawn.below === true && { side: 'below' as const }),
    })),
    axis: 'zero',
    columns: ['now', 'avg', 'max', ...(series.some(({ total }) => total !== undefined) ? ['total' as const] : [])],
  }
}
