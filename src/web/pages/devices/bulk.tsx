/** @jsxImportSource #jsx */
import { deviceName } from '../../components/device-state.tsx'
import type { Column } from '../../components/table.tsx'
import { plain } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { Visit } from '../../page.ts'
import { mayOf } from '../../permit.ts'
import type { Row } from './load.ts'

/** Whether the actor may do anything with several devices. */
export const mayBulk = (visit: Visit): boolean =>
  (['Device.update', 'Device.delete', 'DeviceGroup.update'] as const).some((gate) => mayOf(visit, gate))

export const Tick = ({ row }: { readonly row: Row }): Html => (
  <input type="checkbox" name={`device-${row.device_id}`} aria-label={`Choose ${plain(deviceName(row))}`} />
)

/** The column with which devices are chosen. */
export const TICK: Column<Row> = {
  id: 'tick',
  label: 'Choose',
  quiet: true,
  class: 'no',
  cell: (row) => <Tick row={row} />,
}

/** The list as a form, with what can be done with the chosen devices. */
export function BulkForm({ visit, children }: { readonly visit: Visit; readonly children?: Child }): Html {
  const mayUpdate = mayOf(visit, 'Device.update')
  return (
    <form class="card" method="post" action={`/devices${visit.url.search}`}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      {/* what Enter in a field does: nothing to the devices */}
      <button type="submit" name="do" value="none" hidden />
      {children}
      <div class="bulk for-devices">
        <button class="btn s-s bare" type="button" data-choose="device-" hidden>
          Choose all
        </button>
        <span class="sub">Chosen devices</span>
        {mayUpdate ? (
          <>
            <button class="btn" type="submit" name="do" value="discover">
              Rediscover
            </button>
            <button class="btn" type="submit" name="do" value="poll">
              Poll now
            </button>
            <Menu label="Maintenance">
              <div class="field">
                <label for="bulk-duration">Lasts from now, hours:minutes</label>
                <input class="inp" id="bulk-duration" name="duration" value="2:00" maxlength="10" />
              </div>
              <div class="field">
                <label for="bulk-notes">Notes</label>
                <input class="inp" id="bulk-notes" name="notes" maxlength="1000" />
              </div>
              <button class="btn first" type="submit" name="do" value="maintenance">
                Put under maintenance
              </button>
            </Menu>
          </>
        ) : null}
        {mayOf(visit, 'DeviceGroup.update') ? (
          <Menu label="Add to group">
            <div class="field">
              <label for="bulk-group">Group</label>
              <input class="inp" id="bulk-group" name="group" maxlength="255" />
            </div>
            <button class="btn first" type="submit" name="do" value="group">
              Add
            </button>
          </Menu>
        ) : null}
        {mayOf(visit, 'Device.delete') ? (
          <Menu label="Delete">
            <p>Their ports, sensors, samples, graphs, alerts and events go with them. This cannot be undone.</p>
            <div class="field">
              <label for="bulk-confirm">How many are chosen? Enter the number.</label>
              <input
                class="inp"
                id="bulk-confirm"
                name="confirm"
                inputmode="numeric"
                maxlength="5"
                autocomplete="off"
              />
            </div>
            <button class="btn danger" type="submit" name="do" value="delete">
              Delete devices
            </button>
          </Menu>
        ) : null}
      </div>
    </form>
  )
}

const Menu = ({ label, children }: { readonly label: string; readonly children?: Child }): Html => (
  <details class="menu left up">
    <summary class="btn">{label}…</summary>
    <div class="sheet ask-sheet stack">{children}</div>
  </details>
)
