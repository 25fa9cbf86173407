import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { layout } from '../../src/graphs/layout.ts'
import type { Measure, Scene } from '../../src/graphs/scene.ts'
import type {
  DeviceHas,
  GraphPort,
  NamedSeries,
  RangeFigures,
  SensorLimits,
  SensorState,
  SeriesData,
  SeriesSource,
  SeriesWindow,
  Shades,
} from '../../src/graphs/series-source.ts'
import { traces } from '../../src/graphs/trace.ts'
import type { NarrowName } from '../../src/series/kinds.ts'

/** Saturday 2026-11-21 12:00 UTC. */
export const NOW_S = Date.UTC(2026, 10, 21, 12) / 1000
export const STEP_S = 300

/** Every character is half its size wide, so that tests can calculate widths. */
export const plainMeasure: Measure = (text, size) => text.length * size * 0.5

/** A day of 5-minute buckets up to NOW_S; values by index. */
export function day(columns: Readonly<Record<string, (i: number) => number>>): SeriesData {
  const timeS = Float64Array.from({ length: 288 }, (_, i) => NOW_S - 86_400 + i * STEP_S)
  const series = Object.entries(columns).map(([name, value]): NamedSeries => {
    const values = timeS.map((_, i) => value(i))
    return { name, values, range: rangeOf(values) }
  })
  return { timeS, stepS: STEP_S, series }
}

/** Statistics of a counter whose buckets are known entirely or not at all, as the store returns them. */
function rangeOf(values: Float64Array): RangeFigures {
  const known = values.filter((value) => !Number.isNaN(value))
  if (known.length === 0) return { average: null, total: null }
  const sum = known.reduce((a, b) => a + b, 0)
  return { average: sum / known.length, total: sum * STEP_S }
}

export function sceneOf(
  type: GraphType,
  data: SeriesData,
  o: { width?: number; height?: number; title?: string | null; legend?: boolean; inverse?: boolean } = {},
  measure: Measure = plainMeasure,
): Scene {
  const { width = 1075, height = 300, title = null, legend = true, inverse = false } = o
  return layout(
    {
      type,
      traces: traces(type, data, inverse),
      ...data,
      fromS: NOW_S - 86_400,
      toS: NOW_S,
      nowS: NOW_S,
      width,
      height,
      title,
      legend,
    },
    measure,
  )
}

/** A source with known numbers instead of a database, which records requests. */
export function knownSeries(o: {
  value?: (timeS: number) => number
  names?: readonly string[]
  ports?: readonly GraphPort[]
  has?: Partial<DeviceHas>
  shades?: Shades
  limits?: SensorLimits
  states?: ReadonlyMap<number, readonly SensorState[]>
}): SeriesSource & { readonly asked: { readonly portIds: readonly number[]; readonly window: SeriesWindow }[] } {
  const asked: { portIds: readonly number[]; window: SeriesWindow }[] = []
  const answer = (names: readonly string[], window: SeriesWindow, portIds: readonly number[] = []): SeriesData => {
    asked.push({ portIds, window })
    const stepS = Math.max(STEP_S, window.stepS)
    const length = Math.ceil((window.toS - window.fromS) / stepS)
    const timeS = Float64Array.from({ length }, (_, i) => window.fromS + i * stepS)
    return {
      timeS,
      stepS,
      series: names.map((name) => ({ name, values: timeS.map(o.value ?? (() => 1)), range: null })),
    }
  }
  const named: Partial<Record<NarrowName, readonly string[]>> = {
    device: ['uptime', 'poll_time', 'available'],
    icmp: ['rtt_avg', 'rtt_min', 'rtt_max', 'loss'],
    service: ['value'],
  }
  return {
    asked,
    ports: async (portIds, window, counters) => answer(counters, window, portIds),
    values: async (kind, _of, window, lines) => answer(lines ?? named[kind] ?? o.names ?? ['one', 'two'], window),
    devicePorts: async () => o.ports ?? [],
    deviceHas: async () => ({
      ports: 0,
      kinds: [],
      sensorClasses: [],
      wirelessClasses: [],
      statistics: [],
      polls: true,
      pings: true,
      lines: [],
      ...o.has,
    }),
    shades: async () => o.shades ?? { outages: [], maintenance: [] },
    limits: async () => o.limits ?? null,
    states: async () => o.states ?? new Map(),
    portName: async () => 'core1 Gi0/1',
    deviceName: async () => 'core1',
  }
}
