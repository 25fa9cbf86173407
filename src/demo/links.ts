import type { Windows } from './curve.ts'
import type { DeviceSeeds } from './device.ts'
import { HAPPENINGS, type HappeningName, happening } from './timetable.ts'
import { type Flow, type FlowPlan, flow } from './traffic.ts'

interface Link {
  /** Mean bit/s in the direction away from the Internet. */
  readonly downBps: number
  readonly upBps: number
  readonly shape: FlowPlan['shape']
  /** No traffic while this happens. */
  readonly without?: HappeningName
  /** The ports at both ends are down then. */
  readonly loses?: 'carrier'
  /** Additional bit/s in the direction away from the Internet while the job runs. */
  readonly jobBps?: number
}

/** Cables between devices of the fleet. Both ends count the same traffic, so their graphs agree. */
export const LINKS = {
  'isp-a': { downBps: 510e6, upBps: 96e6, shape: 'office' },
  'isp-b': { downBps: 170e6, upBps: 58e6, shape: 'evening', without: 'no session' },
  'edge-1 pe-1': { downBps: 220e6, upBps: 610e6, shape: 'evening' },
  'edge-1 fw-1': { downBps: 650e6, upBps: 150e6, shape: 'office' },
  'fw-1 core-1': { downBps: 640e6, upBps: 148e6, shape: 'office' },
  'core-1 access-1': { downBps: 210e6, upBps: 38e6, shape: 'office' },
  'core-1 access-2': { downBps: 84e6, upBps: 17e6, shape: 'office' },
  'core-1 access-3': { downBps: 120e6, upBps: 26e6, shape: 'office' },
  'core-1 warehouse-1': { downBps: 14e6, upBps: 3e6, shape: 'office', without: 'no power', loses: 'carrier' },
  'core-1 wlc-1': { downBps: 190e6, upBps: 41e6, shape: 'office' },
  'core-1 wan-1': { downBps: 88e6, upBps: 31e6, shape: 'office', jobBps: 110e6 },
  'core-1 leaf-1': { downBps: 1.9e9, upBps: 2.6e9, shape: 'server' },
  'core-1 access-4': { downBps: 46e6, upBps: 9e6, shape: 'office' },
  'access-1 ap-1': { downBps: 34e6, upBps: 7e6, shape: 'office' },
  'wan-1 branch-2': { downBps: 18e6, upBps: 4e6, shape: 'office' },
  'wan-1 branch-1': { downBps: 41e6, upBps: 9e6, shape: 'office' },
  'leaf-1 web-1': { downBps: 58e6, upBps: 430e6, shape: 'evening' },
  'leaf-1 db-1': { downBps: 390e6, upBps: 510e6, shape: 'server' },
  'leaf-1 nas-1': { downBps: 460e6, upBps: 280e6, shape: 'backup' },
  'leaf-1 esx-1 a': { downBps: 720e6, upBps: 610e6, shape: 'server' },
  'leaf-1 esx-1 b': { downBps: 540e6, upBps: 470e6, shape: 'storage' },
  'leaf-1 ups-1': { downBps: 3e3, upBps: 4e3, shape: 'flat' },
  'access-1 printer-1': { downBps: 90e3, upBps: 11e3, shape: 'office' },
  'warehouse-1 ap-2': { downBps: 9e6, upBps: 2e6, shape: 'office', without: 'no power', loses: 'carrier' },
  'warehouse-1 printer-3': { downBps: 40e3, upBps: 9e3, shape: 'office', without: 'no power', loses: 'carrier' },
} as const satisfies Record<string, Link>

export type LinkName = keyof typeof LINKS

/** Whether this is the name of a link. */
export function isLink(name: string): name is LinkName {
  return Object.hasOwn(LINKS, name)
}

/** Traffic at one end of a link, and when it is down. `upper` is the end named first (for provider links: the provider). */
export function linkEnd(
  { links, of }: Omit<DeviceSeeds, 'own'>,
  name: LinkName,
  end: 'upper' | 'lower',
): { in: Flow; out: Flow; link?: Windows } {
  const { downBps, upBps, shape, without, loses, jobBps }: Link = LINKS[name]
  const octets = downBps > 1e6 ? { down: 980, up: 420 } : { down: 240, up: 180 }
  const when = (what: HappeningName) => happening(what, of(HAPPENINGS[what].device))
  const common = { shape, ...(without !== undefined && { link: when(without) }) }
  const down = flow(links(`${name} down`), {
    ...common,
    ...{ meanBps: downBps, packetOctets: octets.down, chatterPps: 4 },
    ...(jobBps !== undefined && { job: { bps: jobBps, pauses: when('job') } }),
  })
  const up = flow(links(`${name} up`), { ...common, meanBps: upBps, packetOctets: octets.up, chatterPps: 2 })
  const ends = end === 'upper' ? { in: up, out: down } : { in: down, out: up }
  return loses === undefined || common.link === undefined ? ends : { ...ends, link: common.link }
}
