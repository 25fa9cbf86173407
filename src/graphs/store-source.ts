import type { Store } from '../store/client.ts'
import { deviceHas, deviceSubject, graphPorts, portSubject } from '../store/readers/graph-subjects.ts'
import {
  deviceSeries,
  type GapRule,
  icmpSeries,
  portSeries,
  sensorSeries,
  serviceSeries,
  statSeries,
  supplySeries,
  usageSeries,
} from '../store/readers/series.ts'
import type { SeriesSource } from './series-source.ts'

/** The settings that say what a gap is, read at each graph: they may change. */
export interface GapSettings {
  get(name: 'poller.interval' | 'ping.interval' | 'series.gap_intervals'): number
}

/** The series of the database. Throws StoreError. */
export function storedSeries(store: Store, settings: GapSettings): SeriesSource {
  const rule = (intervalS: number): GapRule => ({ intervals: settings.get('series.gap_intervals'), intervalS })
  const polled = async (subject: Promise<{ pollIntervalS: number | null } | null>): Promise<GapRule> =>
    rule((await subject)?.pollIntervalS ?? settings.get('poller.interval'))
  const ofDevice = (deviceId: number) => polled(deviceSubject(store, deviceId))
  return {
    ports: async (portIds, window, counters) => {
      // All of one device, or a single one.
      const [first] = portIds
      const gap = first === undefined ? rule(settings.get('poller.interval')) : await polled(portSubject(store, first))
      return portSeries(store, portIds, window, gap, counters)
    },
    device: async (id, window) => deviceSeries(store, id, window, await ofDevice(id)),
    icmp: (id, window) => icmpSeries(store, id, window, rule(settings.get('ping.interval'))),
    processors: async (id, window, only) => usageSeries(store, 'processor', id, window, await ofDevice(id), only),
    mempools: async (id, window, only) => usageSeries(store, 'mempool', id, window, await ofDevice(id), only),
    storage: async (id, window, only) => usageSeries(store, 'storage', id, window, await ofDevice(id), only),
    sensors: async (id, sensorClass, window, only) =>
      sensorSeries(store, 'sensors', id, sensorClass, window, await ofDevice(id), only),
    wireless: async (id, sensorClass, window, only) =>
      sensorSeries(store, 'wireless_sensors', id, sensorClass, window, await ofDevice(id), only),
    service: (id, window) => serviceSeries(store, id, window, rule(settings.get('poller.interval'))),
    supplies: async (id, window) => supplySeries(store, id, window, await ofDevice(id)),
    stats: async (id, names, window) => statSeries(store, id, names, window, await ofDevice(id)),
    devicePorts: (id) => graphPorts(store, id),
    deviceHas: (id) => deviceHas(store, id),
    portName: async (id) => (await portSubject(store, id))?.name ?? null,
    deviceName: async (id) => (await deviceSubject(store, id))?.name ?? null,
  }
}
