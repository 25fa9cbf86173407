/** @jsxImportSource #jsx */
import type { AlertInFull } from '../../../core/alerts/alert-list.ts'
import { isAcknowledged } from '../../../core/base/alert-states.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { UntilField } from './until.tsx'

/** Id of the form, to which the boxes in the list of faults belong. */
export const ACKNOWLEDGE_FORM = 'acknowledge'

/**
 * The form that acknowledges an open alert: all its faults or those ticked. `several`: there is more than one.
 * What follows the alert's state is renewed with it; the note stays.
 */
export function Acknowledge({
  alert,
  several,
  visit,
}: {
  readonly alert: AlertInFull['alert']
  readonly several: boolean
  readonly visit: PageRequest
}): Html {
  const done = isAcknowledged(alert.state)
  return (
    <section class="card" id="act">
      <header data-fresh="act-head">
        <h2>{done ? 'Acknowledged' : 'Acknowledge'}</h2>
      </header>
      <form class="form" id={ACKNOWLEDGE_FORM} method="post" action={`/alerts/${alert.id}`}>
        <input type="hidden" name="csrf" value={visit.session.csrf} />
        <input type="hidden" name="seen" value={String(alert.since.getTime())} />
        <div class="field">
          <label for="note">Note</label>
          <textarea class="inp" id="note" name="note" rows="2" maxlength="10000" placeholder="Who does what, by when" />
        </div>
        <div data-fresh="act-until">{done ? null : <UntilField id="until" worse first="worse" />}</div>
        <div class="acts" data-fresh="act">
          {done ? (
            <Do name="unmute" first>
              Make active again
            </Do>
          ) : (
            <Do name="acknowledge" first>
              {several ? 'Acknowledge all' : 'Acknowledge'}
            </Do>
          )}
          {several && !done ? <Do name="faults">Acknowledge those ticked</Do> : null}
          <Do name="note">Add note only</Do>
        </div>
      </form>
    </section>
  )
}

const Do = ({
  name,
  first,
  children,
}: {
  readonly name: string
  readonly first?: boolean
  readonly children: string
}): Html => (
  <button class={first === true ? 'btn first' : 'btn'} type="submit" name="do" value={name}>
    {children}
  </button>
)
