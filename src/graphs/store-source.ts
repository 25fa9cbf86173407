import type { Settings } from '../config/schema.ts'
import type { Store } from '../store/client.ts'
import { deviceParts, deviceTitle, pollIntervalOfDevice, pollIntervalOfPort, portFacts, portTitle } from '../store/readers/graph-facts.ts'
import {
  deviceSeries,
  type GapRule,
  icmpSeries,
  mempoolSeries,
  portSeries,
  processorSeries,
  sensorSeries,
  storageSeries,
} from '../store/readers/series.ts'
import type { SeriesSource } from './series-source.ts'

/** The stored series as the graphs want them. A pause is a gap by setting `series.gap_intervals` and the device's interval. */
export function storedSeries(store: Store, settings: Settings): SeriesSource {
  const rule = (intervalS: number | null): GapRule => ({
    intervals: settings.get('series.gap_intervals'),
    intervalS: intervalS ?? settings.get('poller.interval'),
  })
  const ofDevice = async (deviceId: number) => rule(await pollIntervalOfDevice(store, deviceId))
  return {
    async ports(portIds, window) {
      const [first] = portIds
      return portSeries(store, portIds, window, rule(first === undefined ? null : await pollIntervalOfPort(store, first)))
    },
    device: async (id, window) => deviceSeries(store, id, window, await ofDevice(id)),
    icmp: (id, window) => icmpSeries(store, id, window, rule(settings.get('ping.interval'))),
    processors: async (id, window) => processorSeries(store, id, window, await ofDevice(id)),
    mempools: async (id, window) => mempoolSeries(store, id, window, await ofDevice(id)),
    storage: async (id, window) => storageSeries(store, id, window, await ofDevice(id)),
    sensors: async (id, sensorClass, window) => sensorSeries(store, id, sensorClass, window, await ofDevice(id)),
    devicePorts: (id) => portFacts(store, id),
    deviceHas: (id) => deviceParts(store, id),
    portName: (id) => portTitle(store, id),
    deviceName: (id) => deviceTitle(store, id),
  }
}
