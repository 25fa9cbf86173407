/** @jsxImportSource #jsx */
import type { Candidate } from '../../../core/candidates/candidate.ts'
import { BulkForm, BulkMenu } from '../../components/bulk.tsx'
import type { Column } from '../../components/table.tsx'
import { plain } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { PREFIX } from './chosen.ts'

/** The column with the checkboxes. */
export const TICK: Column<Candidate> = {
  id: 'tick',
  label: 'Select',
  quiet: true,
  class: 'no',
  cell: ({ id, name }) => <input type="checkbox" name={`${PREFIX}${id}`} aria-label={`Select ${plain(name)}`} />,
}

/** The list as a form, with what can be done with the selected candidates. */
export const BulkCandidates = ({
  visit,
  ignored,
  children,
}: {
  readonly visit: PageRequest
  /** The list shows ignored candidates, which can be offered again. */
  readonly ignored: boolean
  readonly children?: Child
}): Html => (
  <BulkForm
    visit={visit}
    path="/found"
    prefix={PREFIX}
    label="Selected"
    acts={<Acts visit={visit} ignored={ignored} />}
  >
    {children}
  </BulkForm>
)

const Acts = ({ visit, ignored }: { readonly visit: PageRequest; readonly ignored: boolean }): Html => (
  <>
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
      <BulkMenu label="Exclude network">
        <p>
          Addresses in the network are never asked again: it is added to setting autodiscovery.nets-exclude. What was
          found there already stays until it is ignored.
        </p>
        <div class="field">
          <label for="bulk-network">Network</label>
          <input class="inp" id="bulk-network" name="network" placeholder="198.51.100.0/24" maxlength="50" />
        </div>
        <button class="btn first" type="submit" name="do" value="exclude">
          Exclude
        </button>
      </BulkMenu>
    ) : null}
  </>
)
