/** What one check of a device said last. `off`: not made for this device. `unknown`: not made since the start. */
export type Check = 'ok' | 'failed' | 'off' | 'unknown'

export interface Liveness {
  readonly up: boolean
  /** The record's `status_reason`: '' when up, else the failing checks, for example `icmp,snmp`. */
  readonly reason: string
}

/**
 * A device is up when all checks that are made for it pass (contract: device lifecycle, status). `null` while a check
 * that is made has not answered yet and none has failed: what was known before the start still holds.
 */
export function judge(checks: { readonly icmp: Check; readonly snmp: Check }): Liveness | null {
  const failing = (['icmp', 'snmp'] as const).filter((name) => checks[name] === 'failed')
  if (failing.length > 0) return { up: false, reason: failing.join(',') }
  if (checks.icmp === 'unknown' || checks.snmp === 'unknown') return null
  // nothing is checked: nothing says that it is down
  return { up: true, reason: '' }
}

/**
 * How many intervals to wait before a device that has not answered `failures` times in a row is asked again: every
 * interval at first, then less and less often, up to every fourth. One request tells whether it is back.
 */
export function pauseAfter(failures: number): number {
  if (failures <= 3) return 1
  return failures <= 6 ? 2 : 4
}
