/** @jsxImportSource #jsx */
import { parseNetwork } from '@portlight/addresses/networks.ts'
import { invalid } from '../../../core/base/errors.ts'
import { plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../../page.ts'

/** Most networks of a form, and most of them that are offered as checkboxes. */
const MOST = 1000
const OFFERED = 50

/** A network that is offered as a checkbox. */
export interface OfferedNetwork {
  readonly network: string
  /** What it is, beside the box; '': nothing to say. */
  readonly about: string
  readonly on: boolean
}

/** Checkboxes for networks. What was ticked is kept when the form is refused. */
export function NetworkBoxes({
  legend,
  networks,
  sent,
}: {
  readonly legend: string
  readonly networks: readonly OfferedNetwork[]
  /** The refused form; null: none. */
  readonly sent: PageRequest['sent']
}): Html {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      {networks.slice(0, OFFERED).map(({ network, about, on }) => (
        <label class="check">
          <input
            type="checkbox"
            name={`net-${network}`}
            value="1"
            checked={sent === null ? on : sent.has(`net-${network}`)}
          />
          <span>
            {plain(network)}
            {about === '' ? null : <span class="hint"> {plain(about)}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The networks that a form ticks or writes, each once. Throws `invalid` for what is not a network. */
export function networksOf(form: Form, field = 'networks'): string[] {
  const ticked = [...form.keys()].flatMap((name) => (name.startsWith('net-') ? [name.slice(4)] : []))
  const written = (form.get(field) ?? '').split(/[\s,;]+/).filter((part) => part !== '')
  const all = [...new Set([...ticked, ...written])]
  if (all.length > MOST) throw invalid(`Enter at most ${MOST} networks`)
  for (const text of all) {
    if (parseNetwork(text) === null)
      throw invalid(`${text.slice(0, 60)} is not a network: enter one such as 198.51.100.0/24, or an address`)
  }
  return all
}
