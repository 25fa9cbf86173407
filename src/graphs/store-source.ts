import type { Store } from '../core/database/client.ts'
import { type GapRule, kindSeries, portSeries, type SubjectsOf } from '../core/series/read.ts'
import { limitsOf, type Shades, shadesOf, statesOf } from '../core/series/read-annotations.ts'
import { deviceHas, deviceOfPort, deviceSubject, graphPorts, portSubject } from '../core/series/read-subjects.ts'
import { KINDS, type NarrowName } from '../series/kinds.ts'
import type { SeriesSource } from './series-source.ts'

/** Settings that define a gap, read for each graph because they may change. */
export interface GapSettings {
  get(name: 'poller.interval' | 'ping.interval' | 'series.gap_intervals'): number
}

const NO_SHADES: Shades = { outages: [], maintenance: [] }

/** The series in the database. Throws StoreError. */
export function storedSeries(store: Store, settings: GapSettings): SeriesSource {
  const rule = (intervalS: number): GapRule => ({ intervals: settings.get('series.gap_intervals'), intervalS })
  const polled = async (subject: Promise<{ pollIntervalS: number | null } | null>): Promise<GapRule> =>
    rule((await subject)?.pollIntervalS ?? settings.get('poller.interval'))
  const ofDevice = (deviceId: number) => polled(deviceSubject(store, deviceId))
  const ruleOf = (kind: NarrowName, { deviceId, only }: SubjectsOf) => {
    if (deviceId !== undefined) return ofDevice(deviceId)
    const ofPort = KINDS[kind].subject.table === 'ports' && only != null
    return ofPort ? polled(portSubject(store, only)) : rule(settings.get('poller.interval'))
  }
  return {
    ports: (portIds, window, counters) => {
      // all ports belong to one device, or there is only one
      const [first] = portIds
      const gap = first === undefined ? rule(settings.get('poller.interval')) : polled(portSubject(store, first))
      return portSeries(store, portIds, window, gap, counters)
    },
    values: async (kind, of, window, lines) => {
      const pinged = kind === 'icmp' ? rule(settings.get('ping.interval')) : null
      return kindSeries(store, kind, of, window, pinged ?? (await ruleOf(kind, of)), lines)
    },
    devicePorts: (id) => graphPorts(store, id),
    deviceHas: (id) => deviceHas(store, id),
    shades: async (of, fromS, toS) => {
      const deviceId = 'deviceId' in of ? of.deviceId : await deviceOfPort(store, of.portId)
      return deviceId === null ? NO_SHADES : shadesOf(store, deviceId, fromS, toS)
    },
    limits: (kind, id) => limitsOf(store, kind === 'sensor' ? 'sensors' : 'wireless_sensors', id),
    states: (ids) => statesOf(store, ids),
    portName: async (id) => (await portSubject(store, id))?.name ?? null,
    deviceName: async (id) => (await deviceSubject(store, id))?.name ?? null,
  }
}
