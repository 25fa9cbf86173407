/** @jsxImportSource #jsx */
import { BulkForm, BulkMenu } from '../../components/bulk.tsx'
import { deviceName } from '../../components/device-state.tsx'
import type { Column } from '../../components/table.tsx'
import { plain } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import type { Row } from './load.ts'

/** Whether the actor may do anything with several devices. */
export const mayBulk = (visit: PageRequest): boolean =>
  (['Device.update', 'Device.delete', 'DeviceGroup.update'] as const).some((gate) => can(visit, gate))

export const Tick = ({ row }: { readonly row: Row }): Html => (
  <input type="checkbox" name={`device-${row.device_id}`} aria-label={`Select ${plain(deviceName(row))}`} />
)

/** The column with the checkboxes. */
export const TICK: Column<Row> = {
  id: 'tick',
  label: 'Select',
  quiet: true,
  class: 'no',
  cell: (row) => <Tick row={row} />,
}

/** The list as a form, with the actions for the selected devices. */
export const BulkDevices = ({ visit, children }: { readonly visit: PageRequest; readonly children?: Child }): Html => (
  <BulkForm visit={visit} path="/devices" prefix="device-" label="Selected devices" acts={<Acts visit={visit} />}>
    {children}
  </BulkForm>
)

const Acts = ({ visit }: { readonly visit: PageRequest }): Html => (
  <>
    {can(visit, 'Device.update') ? (
      <>
        <button class="btn" type="submit" name="do" value="discover">
          Rediscover
        </button>
        <button class="btn" type="submit" name="do" value="poll">
          Poll now
        </button>
        <BulkMenu label="Maintenance">
          <div class="field">
            <label for="bulk-duration">Duration from now, hours:minutes</label>
            <input class="inp" id="bulk-duration" name="duration" value="2:00" maxlength="10" />
          </div>
          <div class="field">
            <label for="bulk-notes">Notes</label>
            <input class="inp" id="bulk-notes" name="notes" maxlength="1000" />
          </div>
          <button class="btn first" type="submit" name="do" value="maintenance">
            Put under maintenance
          </button>
        </BulkMenu>
      </>
    ) : null}
    {can(visit, 'DeviceGroup.update') ? (
      <BulkMenu label="Add to group">
        <div class="field">
          <label for="bulk-group">Group</label>
          <input class="inp" id="bulk-group" name="group" maxlength="255" />
        </div>
        <button class="btn first" type="submit" name="do" value="group">
          Add
        </button>
      </BulkMenu>
    ) : null}
    {can(visit, 'Device.delete') ? (
      <BulkMenu label="Delete">
        <p>Their ports, sensors, samples, graphs, alerts and events will be deleted too. This cannot be undone.</p>
        <div class="field">
          <label for="bulk-confirm">To confirm, enter the number of selected devices.</label>
          <input class="inp" id="bulk-confirm" name="confirm" inputmode="numeric" maxlength="5" autocomplete="off" />
        </div>
        <button class="btn danger" type="submit" name="do" value="delete">
          Delete devices
        </button>
      </BulkMenu>
    ) : null}
  </>
)
