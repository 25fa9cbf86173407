/** Spreads ids evenly over [0, 1), with consecutive ids far apart (Fibonacci hashing). */
export function schedulePhase(id: number): number {
  return (Math.imul(id, 0x9e3779b1) >>> 0) / 2 ** 32
}

/** The first time after `afterMs` at which a device with this interval and phase is due. */
export function nextDue(id: number, intervalMs: number, afterMs: number): number {
  const phaseMs = Math.floor(schedulePhase(id) * intervalMs)
  return Math.floor((afterMs - phaseMs) / intervalMs) * intervalMs + phaseMs + intervalMs
}
