/** @jsxImportSource #jsx */
import type { PickedPort } from '../../core/ports/pick.ts'
import { tickedIds } from '../id.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../page.ts'
import { plain } from './values.tsx'

const MAX_FOUND = 30

/** The ports of a form: those chosen, and those found by the search text. */
export interface Picking {
  readonly chosen: readonly PickedPort[]
  /** Chosen ports that the actor may not see. */
  readonly unseen: readonly number[]
  readonly found: readonly PickedPort[]
  readonly text: string
}

/** Ids of the ports ticked in a form. */
export const tickedPorts = (form: Form): number[] => tickedIds(form.keys(), 'port')

/** Reads what the picker shows: the ports ticked in a refused form, otherwise those stored. */
export async function loadPicking({ services, actor, sent }: PageRequest, stored: readonly number[]): Promise<Picking> {
  const ids = sent === null ? [...stored] : tickedPorts(sent)
  const text = sent?.get('find') ?? ''
  const [chosen, found] = await Promise.all([
    services.portPicker.named(actor, ids),
    services.portPicker.find(actor, text, MAX_FOUND),
  ])
  const seen = new Set(chosen.map(({ port_id }) => port_id))
  return {
    chosen,
    unseen: ids.filter((id) => !seen.has(id)),
    found: found.filter(({ port_id }) => !seen.has(port_id)),
    text,
  }
}

/** Checkboxes for the chosen ports, and a search for others that keeps what was typed in the form. */
export function PortPicker({ picking: { chosen, unseen, found, text } }: { readonly picking: Picking }): Html {
  return (
    <fieldset class="field picker">
      <legend class="lab">Ports</legend>
      {chosen.length + unseen.length === 0 ? <span class="hint">None yet.</span> : null}
      {chosen.map((port) => (
        <Box port={port} on />
      ))}
      {unseen.map((id) => (
        <label>
          <input type="checkbox" name={`port-${id}`} checked /> A port without access
        </label>
      ))}
      <div class="line2">
        <input
          class="inp quick"
          type="search"
          name="find"
          value={text}
          placeholder="Device, port or alias"
          aria-label="Find ports"
          maxlength="100"
        />
        <button class="btn" type="submit" name="do" value="find" formnovalidate>
          Find ports
        </button>
      </div>
      {text !== '' && found.length === 0 ? <span class="hint">No other port matches.</span> : null}
      {found.map((port) => (
        <Box port={port} on={false} />
      ))}
      {found.length >= MAX_FOUND ? <span class="hint">First {MAX_FOUND} shown; add words to find fewer.</span> : null}
    </fieldset>
  )
}

const Box = ({ port, on }: { readonly port: PickedPort; readonly on: boolean }): Html => (
  <label>
    <input type="checkbox" name={`port-${port.port_id}`} checked={on} />{' '}
    <span dir="auto">{plain(`${port.device} ${port.ifName ?? `port ${port.port_id}`}`)}</span>{' '}
    <span class="sub" dir="auto">
      {plain(port.ifAlias ?? '')}
    </span>
  </label>
)
