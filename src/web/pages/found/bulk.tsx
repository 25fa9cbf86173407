/** @jsxImportSource #jsx */
import type { Candidate } from '../../../core/candidates/candidate.ts'
import type { Column } from '../../components/table.tsx'
import { plain } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'

/** The column with the checkboxes. */
export const TICK: Column<Candidate> = {
  id: 'tick',
  label: 'Select',
  quiet: true,
  class: 'no',
  cell: ({ id, name }) => <input type="checkbox" name={`candidate-${id}`} aria-label={`Select ${plain(name)}`} />,
}

/** The list as a form, with what can be done with the selected candidates. */
export function BulkForm({
  visit,
  ignored,
  children,
}: {
  readonly visit: PageRequest
  /** The list shows ignored candidates, which can be offered again. */
  readonly ignored: boolean
  readonly children?: Child
}): Html {
  return (
    <form class="card" method="post" action={`/found${visit.url.search}`}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      {/* Pressing Enter in a field submits the first button, which changes nothing. */}
      <button type="submit" name="do" value="none" hidden />
      {children}
      <div class="bulk for-devices">
        <button class="btn s-s bare" type="button" data-choose="candidate-" hidden>
          Select all
        </button>
        <span class="sub">Selected</span>
        <button class="btn first" type="submit" name="do" value="choose">
          Accept…
        </button>
        {ignored ? (
          <button class="btn" type="submit" name="do" value="unignore">
            Offer again
          </button>
        ) : (
          <button class="btn" type="submit" name="do" value="ignore">
            Ignore
          </button>
        )}
        {can(visit, 'admin') ? (
          <details class="menu left up">
            <summary class="btn">Exclude network…</summary>
            <div class="sheet ask-sheet stack">
              <p>
                Addresses in the network are never asked again: it is added to setting autodiscovery.nets-exclude. What
                was found there already stays until it is ignored.
              </p>
              <div class="field">
                <label for="bulk-network">Network</label>
                <input class="inp" id="bulk-network" name="network" placeholder="198.51.100.0/24" maxlength="50" />
              </div>
              <button class="btn first" type="submit" name="do" value="exclude">
                Exclude
              </button>
            </div>
          </details>
        ) : null}
      </div>
    </form>
  )
}
