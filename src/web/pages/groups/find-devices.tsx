/** @jsxImportSource #jsx */

import { plain } from '../../components/values.tsx'
import { tickedIds } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../../page.ts'
import { requireGate } from '../../permissions.ts'

interface Found {
  readonly device_id: number
  readonly name: string
  readonly hostname: string
}

/** The devices that a form offers to tick: those ticked before it was shown again, and those that the text finds. */
export interface Finding {
  readonly text: string
  readonly ticked: readonly Found[]
  readonly found: readonly Found[]
}

const MAX_FOUND = 30

const NO_DEVICES: Finding = { text: '', ticked: [], found: [] }

/** Ids of the devices ticked in a form. */
export const tickedDevices = (form: Form): number[] => tickedIds(form.keys(), 'device')

/** Reads what the form shows; nothing if it was not sent. Only devices that the actor may see. */
export async function loadFinding({ services, actor, sent }: PageRequest): Promise<Finding> {
  if (sent === null) return NO_DEVICES
  const text = (sent.get('find') ?? '').trim().slice(0, 100)
  const known = await services.devices.allVisible(actor, tickedDevices(sent).map(String))
  const ticked = known.flatMap((device) => (device === null ? [] : [{ ...device, name: device.hostname }]))
  if (text === '') return { ...NO_DEVICES, ticked }
  const all = {
    state: null,
    location: null,
    os: null,
    type: null,
    groupId: null,
    sort: 'name',
    descending: false,
  } as const
  const { rows } = await services.fleet.devices(actor, { ...all, text, offset: 0, limit: MAX_FOUND })
  const on = new Set(ticked.map(({ device_id }) => device_id))
  const found = rows.filter(({ device_id }) => !on.has(device_id)).map((row) => ({ ...row, name: row.display }))
  return { text, ticked, found }
}

/** Answers the button that finds devices: the form is shown again, with them. Asks for the permission to store it. */
export const findDevices = (gate: 'DeviceGroup.create' | 'DeviceGroup.update') => async (visit: PageRequest) => {
  requireGate(visit, gate)
  return {
    notice: { tone: 'ok', text: 'Not saved yet. Tick the devices that belong to the group, then save.' },
  } as const
}

/** A search for devices, and boxes for those that it finds. */
export function FindDevices({ finding: { text, ticked, found } }: { readonly finding: Finding }): Html {
  return (
    <fieldset class="field picker">
      <legend class="lab">Add devices</legend>
      {ticked.map((device) => (
        <Box device={device} on />
      ))}
      <div class="line2">
        <input
          class="inp quick"
          type="search"
          name="find"
          value={text}
          placeholder="Name, address, hardware or location"
          aria-label="Find devices"
          maxlength="100"
        />
        <button class="btn" type="submit" name="do" value="find" formnovalidate>
          Find devices
        </button>
      </div>
      {text !== '' && found.length === 0 ? <span class="hint">No other device matches.</span> : null}
      {found.map((device) => (
        <Box device={device} on={false} />
      ))}
      {found.length >= MAX_FOUND ? <span class="hint">First {MAX_FOUND} shown; type more to find fewer.</span> : null}
    </fieldset>
  )
}

const Box = ({ device: { device_id, name, hostname }, on }: { readonly device: Found; readonly on: boolean }): Html => (
  <label>
    <input type="checkbox" name={`device-${device_id}`} value="1" checked={on} /> <span dir="auto">{plain(name)}</span>{' '}
    <span class="sub" dir="auto">
      {name === hostname ? '' : plain(hostname)}
    </span>
  </label>
)
