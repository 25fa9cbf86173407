/** Last result of one check of a device. `off`: not done for this device. `unknown`: not done since the start. */
export type Check = 'ok' | 'failed' | 'off' | 'unknown'

export interface Liveness {
  readonly up: boolean
  /** `status_reason` of the device record: '' when up, else the failing checks, for example `icmp,snmp`. */
  readonly reason: string
}

/**
 * A device is up when all its checks pass (contract: device lifecycle, status). `null` while a check is still unknown and
 * none has failed: the status from before the start remains.
 */
export function judge(checks: { readonly icmp: Check; readonly snmp: Check }): Liveness | null {
  const failing = (['icmp', 'snmp'] as const).filter((name) => checks[name] === 'failed')
  if (failing.length > 0) return { up: false, reason: failing.join(',') }
  if (checks.icmp === 'unknown' || checks.snmp === 'unknown') return null
  // a device without checks is never down
  return { up: true, reason: '' }
}

/** How many results in a row change a check (settings status.down_after, status.up_after). */
export interface Steadiness {
  readonly downAfter: number
  readonly upAfter: number
}

/**
 * A check after a result. `streak`: results of the same kind in a row, this one included. A check that is unknown since the
 * start stays so while the stored status (`up`) needs more results to change.
 */
export function checkAfter(
  before: Check,
  up: boolean,
  { passed, streak }: { readonly passed: boolean; readonly streak: number },
  { downAfter, upAfter }: Steadiness,
): Check {
  const held = before === 'failed' || (before === 'unknown' && !up)
  if (passed) return held && streak < upAfter ? before : 'ok'
  return !held && before !== 'off' && streak < downAfter ? before : 'failed'
}

/**
 * How many intervals to wait before polling a device again that has not answered `failures` times in a row: one at first,
 * then more, up to four. A single request checks whether it is back.
 */
export function pauseAfter(failures: number): number {
  if (failures <= 3) return 1
  return failures <= 6 ? 2 : 4
}
