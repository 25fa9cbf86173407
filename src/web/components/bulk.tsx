/** @jsxImportSource #jsx */
import { invalid } from '../../core/base/errors.ts'
import { idOf } from '../id.ts'
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../page.ts'

/**
 * A list as a form, with what can be done with the ticked rows. Their checkboxes are named `prefix` and the id of the
 * row; the buttons are named `do`.
 */
export const BulkForm = ({
  visit,
  path,
  prefix,
  label,
  acts,
  children,
}: {
  readonly visit: PageRequest
  /** Address of the list, without its query. */
  readonly path: string
  readonly prefix: string
  /** What the buttons are for. */
  readonly label: string
  readonly acts: Child
  /** The list. */
  readonly children?: Child
}): Html => (
  <form class="card" method="post" action={`${path}${visit.url.search}`}>
    <input type="hidden" name="csrf" value={visit.session.csrf} />
    {/* Pressing Enter in a field submits the first button, which changes nothing. */}
    <button type="submit" name="do" value="none" hidden />
    {children}
    <div class="bulk for-devices">
      <button class="btn s-s bare" type="button" data-choose={prefix} hidden>
        Select all
      </button>
      <span class="sub">{label}</span>
      {acts}
    </div>
  </form>
)

/** An action that needs more fields, behind a button. */
export const BulkMenu = ({ label, children }: { readonly label: string; readonly children?: Child }): Html => (
  <details class="menu left up">
    <summary class="btn">{label}…</summary>
    <div class="sheet ask-sheet stack">{children}</div>
  </details>
)

/** Ids of the ticked rows. Throws `invalid` with the text `none` if there are none. */
export function ticked(form: Form, prefix: string, none: string): number[] {
  const ids = [...form.keys()].map((name) => (name.startsWith(prefix) ? idOf(name.slice(prefix.length)) : 0))
  const chosen = ids.filter((id) => id > 0)
  if (chosen.length === 0) throw invalid(none)
  return chosen
}
