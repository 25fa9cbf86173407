import type { Motion } from '../curves.ts'
import { happening } from '../timetable.ts'
import type { Story } from './story.ts'

/** bgpPeerState of BGP4-MIB. */
const ACTIVE = 3
const ESTABLISHED = 6
/** bgpPeerLastError: hold timer expired (RFC 4271 §4.5). */
const HOLD_TIMER_EXPIRED = Uint8Array.of(4, 0)

/** A BGP session that is lost again and again. Lines: `prefixes`, those accepted while it is up. */
export const session: Story = (lines, own) => {
  const up = happening('no session', own)
  const prefixes = Number(lines.find(([name]) => name === 'prefixes')?.[1] ?? 0)
  const sinceS: Motion = (t) => Math.floor(t.s - Math.max(up.changedAt(t.s), t.bootS))
  const values: Readonly<Record<string, Motion>> = {
    state: (t) => (up.isOn(t.s) ? ESTABLISHED : ACTIVE),
    // of the present or, while there is none, the last session
    'established time': sinceS,
    'last error': () => HOLD_TIMER_EXPIRED,
    prefixes: (t) => (up.isOn(t.s) ? prefixes : 0),
  }
  return (name) => values[name]
}
