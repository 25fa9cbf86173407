/** @jsxImportSource #jsx */
import type { Until } from '../../../core/alerts/faults/service.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'

const HOUR_MS = 3_600_000

/** How long people acknowledge or mute something, by its name in forms. */
const TIMES: Readonly<Record<string, readonly [label: string, ms: number]>> = {
  '1h': ['for 1 hour', HOUR_MS],
  '8h': ['for 8 hours', 8 * HOUR_MS],
  '1d': ['for 1 day', 24 * HOUR_MS],
  '7d': ['for 7 days', 168 * HOUR_MS],
}

interface UntilProps {
  readonly id: string
  /** Offers until it gets worse. */
  readonly worse: boolean
  /** What is chosen first; absent: until it is over. */
  readonly first?: 'worse'
}

/** The choice `until` of a form. */
export const UntilField = ({ id, worse, first }: UntilProps): Html => (
  <div class="field">
    <label for={id}>How long</label>
    <select class="inp" id={id} name="until">
      <option value="clear">until it is over</option>
      {worse ? (
        <option value="worse" selected={first === 'worse'}>
          until it gets worse
        </option>
      ) : null}
      {Object.entries(TIMES).map(([name, [label]]) => (
        <option value={name}>{label}</option>
      ))}
    </select>
  </div>
)

/** What the field says; absent: until it is over. Throws `invalid`. */
export function untilOf(text: string | undefined, nowMs: number): Until {
  if (text === undefined || text === '' || text === 'clear') return 'clear'
  if (text === 'worse') return 'worse'
  const time = Object.hasOwn(TIMES, text) ? TIMES[text] : undefined
  if (time === undefined) throw invalid(`How long: choose until it is over, until it gets worse, or a time`)
  return new Date(nowMs + time[1])
}
