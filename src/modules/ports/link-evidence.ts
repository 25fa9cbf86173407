/**
 * What the traffic of ports says about their speed. Agents report 10 Mbit/s for tunnels, VLANs and link aggregations
 * that carry far more, and a single reading above the link's speed is an error of the agent. So readings above it are
 * refused until several of similar size prove that the port is faster than its ifSpeed.
 */
export interface LinkEvidence {
  /** What traffic has proved the port to carry, bit/s; 0: nothing beyond its speed. */
  proven(portId: number): number
  /** A reading above the port's speed and above what is proven. True: it is one too many to be an error. */
  above(portId: number, bitsPerSecond: number): boolean
  /** A reading that the port can carry. */
  within(portId: number): void
  /** Number of ports about which something is known. */
  readonly size: number
}

/** Readings of similar size that prove a speed; the last of them is believed. */
const ENOUGH = 3
/** Each ordinary reading takes away this part of one above the speed, so an error now and then proves nothing. */
const FADING = 1 / 10
/** Readings are of similar size within this factor. */
const SIMILAR = 10
/** A port may carry this many times what was seen. */
const ROOM = 2
/** Ports of one device about which something is known; the oldest is forgotten. */
const MAX_PORTS = 20_000

interface Known {
  readonly readings: number
  /** The smallest and the largest of them, bit/s. */
  readonly least: number
  readonly most: number
  readonly proven: number
}

export function createLinkEvidence(): LinkEvidence {
  const ports = new Map<number, Known>()
  const keep = (portId: number, known: Known): void => {
    ports.set(portId, known)
    if (ports.size <= MAX_PORTS) return
    for (const oldest of ports.keys()) {
      ports.delete(oldest)
      return
    }
  }
  return {
    proven: (portId) => ports.get(portId)?.proven ?? 0,
    above(portId, rate) {
      const before = ports.get(portId)
      const proven = before?.proven ?? 0
      const similar = before !== undefined && rate <= before.least * SIMILAR && rate * SIMILAR >= before.most
      const readings = (similar ? before.readings : 0) + 1
      const least = similar ? Math.min(before.least, rate) : rate
      const most = similar ? Math.max(before.most, rate) : rate
      const enough = readings >= ENOUGH - 0.5
      keep(portId, { readings: enough ? 0 : readings, least, most, proven: enough ? most * ROOM : proven })
      return enough
    },
    within(portId) {
      const before = ports.get(portId)
      if (before === undefined || before.readings === 0) return
      const readings = before.readings - FADING
      if (readings > 0) ports.set(portId, { ...before, readings })
      else if (before.proven > 0) ports.set(portId, { ...before, readings: 0 })
      else ports.delete(portId)
    },
    get size() {
      return ports.size
    },
  }
}
