/** State of one check of a device. `off`: not done for this device. `unknown`: no result since the start. */
export type Check = 'ok' | 'failed' | 'off' | 'unknown'

export interface Liveness {
  readonly up: boolean
  /** `status_reason` of the device record: '' when up, else the failing checks, for example `icmp,snmp`. */
  readonly reason: string
}

/**
 * A device is up when all its checks pass (contract: device lifecycle, status). Null while a check is unknown and none
 * has failed; the stored status then stays.
 */
export function judge(checks: { readonly icmp: Check; readonly snmp: Check }): Liveness | null {
  const failing = (['icmp', 'snmp'] as const).filter((name) => checks[name] === 'failed')
  if (failing.length > 0) return { up: false, reason: failing.join(',') }
  if (checks.icmp === 'unknown' || checks.snmp === 'unknown') return null
  // a device without checks is never down
  return { up: true, reason: '' }
}

/** Number of results in a row that change a check (settings status.down_after, status.up_after). */
export interface Steadiness {
  readonly downAfter: number
  readonly upAfter: number
}

/**
 * State of a check after a result. `streak`: number of equal results in a row, including this one. A check that has
 * been unknown since the start stays so until there are enough results to change the stored status (`up`).
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
 * Number of intervals until the next poll of a device that has not answered `failures` times in a row: one at first,
 * later up to four. That poll begins with a single request to check whether the device is back.
 */
export function pauseAfter(failures: number): number {
  if (failures <= 3) return 1
  return failures <= 6 ? 2 : 4
}
