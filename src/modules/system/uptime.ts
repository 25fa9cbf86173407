/** Seconds after which sysUpTime, 32 bits of 1/100 s, wraps: 497 days. */
const WRAP_S = 2 ** 32 / 100

/**
 * Whole seconds since the agent started. sysUpTime wraps after 497 days but snmpEngineTime, in seconds, only after 68
 * years, so it shows how often sysUpTime has wrapped if both started together. `undefined` if neither is known.
 */
export function uptimeSeconds(ticks: number | undefined, engineTime: number | undefined): number | undefined {
  if (ticks === undefined || ticks < 0) return engineTime !== undefined && engineTime > 0 ? engineTime : undefined
  const seconds = ticks / 100
  if (engineTime !== undefined && engineTime > seconds) {
    const wraps = Math.round((engineTime - seconds) / WRAP_S)
    // Both clocks are the agent's own, so after a real wrap they agree to within minutes.
    if (wraps > 0 && Math.abs(engineTime - seconds - wraps * WRAP_S) < 600) return Math.floor(seconds + wraps * WRAP_S)
  }
  return Math.floor(seconds)
}
