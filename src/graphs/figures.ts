import type { GraphFigures } from '../core/base/graphs.ts'
import type { LayoutInput } from './layout.ts'
import type { Plotted } from './plotted.ts'

/** The numbers that an image shows: the same values, in the same units. */
export function figures(
  { type, traces, fromS, toS }: Pick<LayoutInput, 'type' | 'traces' | 'fromS' | 'toS'>,
  { timeS, stepS, columns }: Plotted,
  level: string | null,
): GraphFigures {
  return {
    from: fromS,
    to: toS,
    time: [...timeS],
    step: stepS,
    level,
    series: traces.map((trace, i) => {
      const { statistics, scale } = trace
      const scaled = (value: number | null): number | null => (value === null ? null : knownOf(value * scale))
      return {
        name: trace.label,
        unit: trace.percent ? '%' : type.unit,
        values: Array.from(columns[i]?.values ?? [], (value) => knownOf(value * scale)),
        now: scaled(statistics.last),
        min: scaled(statistics.min),
        avg: scaled(statistics.avg),
        max: scaled(statistics.max),
        p95: scaled(statistics.p95),
        total: statistics.total,
        ...(trace.states !== undefined && {
          states: Object.fromEntries(trace.states.map((state) => [`${state.value}`, state.name])),
        }),
        ...(trace.amounts !== undefined && { used: trace.amounts.used, size: trace.amounts.size }),
      }
    }),
  }
}

/** JSON has no infinite numbers. */
export const knownOf = (value: number): number | null => (Number.isFinite(value) ? value : null)
