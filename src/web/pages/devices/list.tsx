/** @jsxImportSource #jsx */
import { DEVICE_STATES, type DeviceCounts } from '../../../core/lists/service.ts'
import { STATE_WORDS, stateTone } from '../../components/device-state.tsx'
import {
  Chip,
  CsvLink,
  FilterChoice,
  FilterMenu,
  keptFields,
  NoMatch,
  QuickFind,
  Segments,
  stateChoices,
} from '../../components/filters.tsx'
import { AddLink, Button, same } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { withQuery } from '../../components/table.tsx'
import { Empty, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { BulkDevices, mayBulk, TICK } from './bulk.tsx'
import { bulkActions } from './bulk-actions.ts'
import { chosenColumns, chosenIds, deviceColumns, isOptional } from './columns.tsx'
import { loadDevices, type Row, type Wanted, wantedOf } from './load.ts'
import { Tiles } from './tiles.tsx'

/** The list of devices, with filters, columns and bulk actions. */
export const devicesPage = listPage({
  path: '/devices',
  gate: 'Device.viewAny',
  nav: { label: 'Devices', icon: 'server', group: 'main', order: 30, bar: true },
  title: 'Devices',
  caption: 'Devices',
  what: ['device', 'devices'],
  csv: { name: 'devices', most: 100_000 },
  query: wantedOf,
  load: loadDevices,
  columns: ({ rows }, visit) => [...(mayChoose(rows, visit) ? [TICK] : []), ...chosenColumns(visit)],
  keyOf: ({ device_id }) => `device:${device_id}`,
  acts: (list, visit) =>
    hasNone(list) ? undefined : (
      <>
        {can(visit, 'Device.create') ? <AddLink href="/devices/new">Add device</AddLink> : null}
        <CsvLink query={visit.query} />
        {isTiled(visit) ? null : <Columns visit={visit} />}
      </>
    ),
  nothing: (list, visit) =>
    hasNone(list) ? <FirstDevice mayAdd={can(visit, 'Device.create')} mayScan={can(visit, 'admin')} /> : null,
  filters: ({ counts, choices, wanted }, visit) => (
    <>
      <Segments
        label="State"
        name="state"
        current={wanted.state}
        query={visit.query}
        choices={stateChoices(DEVICE_STATES, (state) => [stateTone(state), STATE_WORDS[state]], counts)}
      />
      {chipsOf(wanted).map(({ name, label, value }) => (
        <Chip label={label} value={plain(value)} href={withQuery(visit.query, { [name]: null })} />
      ))}
      <FilterMenu action="/devices">
        {keptFields(visit.query, FIELDS)}
        <FilterChoice name="location" label="Location" current={wanted.location} options={same(choices.locations)} />
        <FilterChoice name="os" label="System" current={wanted.os} options={same(choices.systems)} />
        <FilterChoice name="type" label="Type" current={wanted.type} options={same(choices.types)} />
      </FilterMenu>
      <QuickFind action="/devices" query={visit.query} text={wanted.text} />
      <Segments
        label="View"
        name="view"
        current={isTiled(visit) ? 'tiles' : null}
        query={visit.query}
        choices={[
          { value: null, label: 'Table' },
          { value: 'tiles', label: 'Tiles' },
        ]}
      />
    </>
  ),
  instead: ({ rows }, visit) =>
    isTiled(visit) && rows.length > 0 ? <Tiles rows={rows} choose={mayChoose(rows, visit)} /> : null,
  empty({ wanted }) {
    const filters = chipsOf(wanted).length
    return (
      <NoMatch
        title={wanted.state === null ? 'No device matches' : `No device is ${STATE_WORDS[wanted.state].toLowerCase()}`}
        list="/devices"
      >
        <p>{filters === 0 ? 'That is good news.' : `The list is limited by ${filters} of the filters above.`}</p>
      </NoMatch>
    )
  },
  card: (content, { rows }, visit) =>
    mayChoose(rows, visit) ? (
      <BulkDevices visit={visit}>{content}</BulkDevices>
    ) : (
      <section class="card">{content}</section>
    ),
  actions: bulkActions,
})

const isTiled = ({ query }: PageRequest) => query.get('view') === 'tiles'

const mayChoose = (rows: readonly Row[], visit: PageRequest) => mayBulk(visit) && rows.length > 0

/** Whether there is no device at all. */
const hasNone = ({ counts, wanted }: { readonly counts: DeviceCounts; readonly wanted: Wanted }) =>
  counts.all === 0 && chipsOf(wanted).length === 0

/** Instructions for an installation without devices. */
export function FirstDevice({ mayAdd, mayScan }: { readonly mayAdd: boolean; readonly mayScan: boolean }): Html {
  return (
    <section class="card">
      <Empty title="No devices are monitored yet">
        {mayAdd ? (
          <>
            <p>A name or an address is enough to start with.</p>
            <div class="acts">
              <AddLink href="/devices/new" first>
                Add the first device
              </AddLink>
              {mayScan ? (
                <a class="btn" href="/first-run">
                  Find them in my networks
                </a>
              ) : null}
            </div>
            <p>From the command line:</p>
            <pre class="pre">portlight device add 192.0.2.1 --community public</pre>
            <p>
              Or look at a simulated fleet first: <code>portlight serve --demo</code>
            </p>
          </>
        ) : (
          <p>
            You have no access to any device. An administrator can grant you devices, ports and groups (
            <a href="/help/how-to/give-access">how</a>).
          </p>
        )}
      </Empty>
    </section>
  )
}

const FIELDS = ['location', 'os', 'type'] as const

/** Active filters other than the state. */
function chipsOf(wanted: Wanted): readonly { readonly name: string; readonly label: string; readonly value: string }[] {
  const named = FIELDS.flatMap((name) => {
    const value = wanted[name]
    return value === null ? [] : [{ name, label: name === 'os' ? 'system' : name, value }]
  })
  return [
    ...named,
    ...(wanted.groupId === null ? [] : [{ name: 'group', label: 'group', value: String(wanted.groupId) }]),
    ...(wanted.text === '' ? [] : [{ name: 'q', label: 'contains', value: wanted.text }]),
  ]
}

function Columns({ visit }: { readonly visit: PageRequest }): Html {
  const chosen = chosenIds(visit.query)
  return (
    <details class="menu">
      <summary class="btn">
        <Icon name="cols" />
        Columns
      </summary>
      <form class="sheet" method="get" action="/devices" data-columns>
        {keptFields(visit.query, ['cols'])}
        {deviceColumns(visit.nowMs)
          .filter(isOptional)
          .map(({ id, label }) => (
            <label>
              <input type="checkbox" name="cols" value={id} checked={chosen.has(id)} />
              {label}
            </label>
          ))}
        <Button first>Apply</Button>
      </form>
    </details>
  )
}
