import { bursty, type Curve, compose, type DailyShape, daily, noisy, type Windows } from './curve.ts'
import { hash01 } from './hash.ts'

/** Usage pattern of an interface. `flat`: constant; `steady`: with next to no noise; `backup`: an hour or two at full speed, mostly at night. */
export type TrafficShape = 'office' | 'evening' | 'server' | 'storage' | 'flat' | 'steady' | 'backup'

const SHAPES: Readonly<
  Record<TrafficShape, DailyShape & { roughness: number; burstS: number; burstShare: number; shortest: number }>
> = {
  office: { peakHour: 13, depth: 0.72, weekend: 0.15, roughness: 0.85, burstS: 2700, burstShare: 0.25, shortest: 0.05 },
  evening: { peakHour: 19, depth: 0.65, weekend: 0, roughness: 0.6, burstS: 5400, burstShare: 0.1, shortest: 0.1 },
  server: { peakHour: 14, depth: 0.45, weekend: 0.1, roughness: 0.7, burstS: 3600, burstShare: 0.2, shortest: 0.06 },
  storage: { peakHour: 15, depth: 0.35, weekend: 0.1, roughness: 0.8, burstS: 7200, burstShare: 0.45, shortest: 0.1 },
  flat: { peakHour: 12, depth: 0.05, weekend: 0, roughness: 0.25, burstS: 3600, burstShare: 0, shortest: 0.1 },
  steady: { peakHour: 12, depth: 0, weekend: 0, roughness: 0.03, burstS: 3600, burstShare: 0, shortest: 0.1 },
  backup: { peakHour: 2, depth: 0.6, weekend: 0, roughness: 0.6, burstS: 21_600, burstShare: 0.7, shortest: 0.15 },
}

/** Whether this is the name of a usage pattern. */
export function isShape(name: string): name is TrafficShape {
  return Object.hasOwn(SHAPES, name)
}

/** Traffic of an interface in one direction, in octets and packets. */
export interface Flow {
  readonly octets: Curve
  readonly unicast: Curve
  readonly multicast: Curve
  readonly broadcast: Curve
}

const SILENCE: Curve = () => 0
/** No traffic. */
export const noFlow: Flow = { octets: SILENCE, unicast: SILENCE, multicast: SILENCE, broadcast: SILENCE }

export interface FlowPlan {
  /** Long-term mean in bit/s. */
  readonly meanBps: number
  readonly shape: TrafficShape
  /** Mean size of unicast packets in octets. */
  readonly packetOctets: number
  /** Broadcasts and multicasts per second. */
  readonly chatterPps?: number
  /** No traffic while the link is down. */
  readonly link?: Windows
  /** In addition, while a job runs, which is outside of `pauses.isOn`: this many bit/s. */
  readonly job?: { readonly bps: number; readonly pauses: Windows }
}

/** A flow whose rates follow daily and weekly cycles, with noise and bursts. */
export function flow(seed: number, { meanBps, shape, packetOctets, chatterPps = 0.5, link, job }: FlowPlan): Flow {
  const { roughness, burstS, burstShare, shortest, ...hours } = SHAPES[shape]
  // shifted by up to an hour and a half, so that the interfaces of a device differ
  const peakHour = hours.peakHour + 3 * (hash01(seed, 0) - 0.5)
  const day = daily({ ...hours, peakHour })
  const time = link === undefined ? day : compose(day, link.onSeconds)
  const shaped = compose(noisy(seed + 10, roughness), compose(bursty(seed + 20, burstS, burstShare, shortest), time))
  // packets follow octets, with a slightly varying mean size
  const packets = compose(noisy(seed + 30, 0.2), shaped)
  const chatter = compose(noisy(seed + 40, 0.5), time)
  const octetRate = meanBps / 8
  const extra: Curve = job === undefined ? () => 0 : (s) => (job.bps / 8) * (s - job.pauses.onSeconds(s))
  return {
    octets: (s) => octetRate * shaped(s) + extra(s),
    unicast: (s) => (octetRate * packets(s) + extra(s)) / packetOctets,
    multicast: (s) => 0.6 * chatterPps * chatter(s),
    broadcast: (s) => 0.4 * chatterPps * chatter(s + 17),
  }
}

/** Rare events in clusters, such as errors and discards; `perHour` on average. */
export function trouble(seed: number, perHour: number): Curve {
  const clustered = compose(bursty(seed, 5400, 0.9), noisy(seed + 1, 0.9))
  return (s) => (perHour / 3600) * clustered(s)
}

/** Curve values at the most recent boot time. It rarely changes, so this halves the work per reading. */
const starts = new WeakMap<Curve, { readonly bootS: number; readonly value: number }>()

/** Value of a counter that follows the curve and was 0 at `bootS`. */
export function reading(curve: Curve, s: number, bootS: number): bigint {
  let start = starts.get(curve)
  if (start?.bootS !== bootS) {
    start = { bootS, value: Math.floor(curve(bootS)) }
    starts.set(curve, start)
  }
  return BigInt(Math.max(0, Math.floor(curve(s)) - start.value))
}
