/** Seconds after which sysUpTime, 32 bits of 1/100 s, wraps: 497 days. */
const WRAP_S = 2 ** 32 / 100
/** A clock that shows more than 25 years counts from another origin, mostly 1970. */
const MAX_S = 25 * 365.25 * 86_400

/** The clocks of a device. `undefined`: it does not have this one. */
export interface Clocks {
  /** SNMPv2-MIB::sysUpTime, 1/100 s since the agent started. */
  readonly agentTicks: number | undefined
  /** SNMP-FRAMEWORK-MIB::snmpEngineTime, seconds since the engine started; does not wrap for 68 years. */
  readonly engineS: number | undefined
  /** HOST-RESOURCES-MIB::hrSystemUptime, 1/100 s since the host started. */
  readonly hostTicks: number | undefined
}

/**
 * Whole seconds since the device started: the largest of its clocks, because an agent may have been restarted since,
 * and sysUpTime wraps after 497 days. `undefined` if none is known.
 */
export function uptimeSeconds({ agentTicks, engineS, hostTicks }: Clocks): number | undefined {
  const seconds = [
    ...(agentTicks === undefined ? [] : [agentTicks / 100]),
    ...[engineS, hostTicks === undefined ? undefined : hostTicks / 100].filter((s) => s !== undefined && s <= MAX_S),
  ].flatMap((s) => (s !== undefined && s > 0 ? [s] : []))
  return seconds.length > 0 ? Math.floor(Math.max(...seconds)) : agentTicks === 0 ? 0 : undefined
}

/** How long a device has been up by its last poll. */
export interface Up {
  /** sysUpTime, 1/100 s. */
  readonly ticks: number
  /** Seconds by which the device has been up longer than sysUpTime says; null: its other clocks are not known yet. */
  readonly aheadS: number | null
  /** Epoch ms. */
  readonly at: number
}

/** What a poll says about the time that the device has been up. */
export interface Since {
  readonly up: Up
  /** The agent has started again, so its counters may have too. */
  readonly restarted: boolean
  /** Seconds the device had been up before it started again; null: it did not. */
  readonly rebootAfterS: number | null
}

/** Tolerance between the agent's clock and ours, s. */
const TOLERANCE_S = 60

/**
 * What follows from sysUpTime at `at`, epoch ms. `clocks`: the other clocks, which are read when nothing is known of the
 * device yet and when sysUpTime went back; null: not read. sysUpTime went back because it wrapped if it continues where
 * our own clock expects it. Otherwise the agent was restarted, and with it the device, unless another clock has gone on.
 */
export function upSince(before: Up | null, ticks: number, at: number, clocks: Clocks | null): Since {
  const known = clocks === null ? undefined : uptimeSeconds({ ...clocks, agentTicks: ticks })
  const aheadS = known === undefined ? null : Math.max(0, known - Math.floor(ticks / 100))
  if (before === null) return { up: { ticks, aheadS, at }, restarted: false, rebootAfterS: null }
  const elapsedS = (at - before.at) / 1000
  if (ticks >= before.ticks)
    return { up: { ticks, aheadS: aheadS ?? before.aheadS, at }, restarted: false, rebootAfterS: null }
  const off = Math.abs(ticks / 100 - ((before.ticks / 100 + elapsedS) % WRAP_S))
  if (Math.min(off, WRAP_S - off) < TOLERANCE_S) {
    // near its end it has wrapped, elsewhere it only jittered
    const wrapped = before.ticks / 100 + elapsedS > WRAP_S - TOLERANCE_S
    const ahead = wrapped ? Math.max(aheadS ?? 0, (before.aheadS ?? 0) + WRAP_S) : (aheadS ?? before.aheadS)
    return { up: { ticks, aheadS: ahead, at }, restarted: false, rebootAfterS: null }
  }
  const upBefore = before.ticks / 100 + (before.aheadS ?? 0)
  const hasGoneOn = known !== undefined && known >= upBefore + elapsedS - TOLERANCE_S
  return {
    up: { ticks, aheadS, at },
    restarted: true,
    rebootAfterS: hasGoneOn ? null : Math.floor(upBefore),
  }
}
