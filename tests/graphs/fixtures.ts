import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { layout } from '../../src/graphs/layout.ts'
import type { Measure, Scene } from '../../src/graphs/scene.ts'
import type {
  DeviceHas,
  GraphPort,
  NamedSeries,
  SeriesData,
  SeriesSource,
  SeriesWindow,
} from '../../src/graphs/series-source.ts'
import { traces } from '../../src/graphs/trace.ts'

/** Saturday 2026-11-21 12:00 UTC. */
export const NOW_S = Date.UTC(2026, 10, 21, 12) / 1000
export const STEP_S = 300

/** Every letter is half its size wide: numbers that a test can work out. */
export const plainMeasure: Measure = (text, size) => text.length * size * 0.5

/** A day of 5-minute buckets up to NOW_S; values by index. */
export function day(columns: Readonly<Record<string, (i: number) => number>>): SeriesData {
  const timeS = Float64Array.from({ length: 288 }, (_, i) => NOW_S - 86_400 + i * STEP_S)
  const series: NamedSeries[] = Object.entries(columns).map(([name, value]) => ({
    name,
    values: timeS.map((_, i) => value(i)),
  }))
  return { timeS, stepS: STEP_S, series }
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

/** Known numbers instead of a database, and a record of what was asked for. */
export function knownSeries(o: {
  value?: (timeS: number) => number
  names?: readonly string[]
  ports?: readonly GraphPort[]
  has?: Partial<DeviceHas>
}): SeriesSource & { readonly asked: { readonly portIds: readonly number[]; readonly window: SeriesWindow }[] } {
  const asked: { portIds: readonly number[]; window: SeriesWindow }[] = []
  const answer = (names: readonly string[], window: SeriesWindow, portIds: readonly number[] = []): SeriesData => {
    asked.push({ portIds, window })
    const stepS = Math.max(STEP_S, window.stepS)
    const length = Math.ceil((window.toS - window.fromS) / stepS)
    const timeS = Float64Array.from({ length }, (_, i) => window.fromS + i * stepS)
    return { timeS, stepS, series: names.map((name) => ({ name, values: timeS.map(o.value ?? (() => 1)) })) }
  }
  const items = async (_id: number, window: SeriesWindow) => answer(o.names ?? ['one', 'two'], window)
  return {
    asked,
    ports: async (portIds, window, counters) => answer(counters, window, portIds),
    device: async (_id, window) => answer(['uptime', 'poll_time', 'available'], window),
    icmp: async (_id, window) => answer(['rtt_avg', 'rtt_min', 'rtt_max', 'loss'], window),
    processors: items,
    mempools: items,
    storage: items,
    sensors: async (_id, _sensorClass, window) => answer(o.names ?? ['one', 'two'], window),
    wireless: async (_id, _sensorClass, window) => answer(o.names ?? ['one', 'two'], window),
    supplies: items,
    stats: async (_id, names, window) => answer(names, window),
    service: async (_id, window) => answer(['value'], window),
    devicePorts: async () => o.ports ?? [],
    deviceHas: async () => ({
      ports: 0,
      processors: 0,
      mempools: 0,
      storage: 0,
      sensorClasses: [],
      wirelessClasses: [],
      supplies: 0,
      statistics: [],
      ...o.has,
    }),
    portName: async () => 'core1 Gi0/1',
    deviceName: async () => 'core1',
  }
}
