import { clockOf, OWN_CLOCK } from '../../lib/zone-clock.ts'

/** Epoch ms as `Y-m-d H:i:s` in the server's time zone. */
export function instantText(ms: number): string {
  return clockOf(OWN_CLOCK, ms)
}
