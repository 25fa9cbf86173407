/** @jsxImportSource #jsx */
import { DEVICE_STATES } from '../../../core/lists/service.ts'
import { STATE_WORDS, stateTone } from '../../components/device-state.tsx'
import { Chip, CsvLink, FilterChoice, FilterMenu, keptFields, QuickFind, Segments } from '../../components/filters.tsx'
import { same } from '../../components/form.tsx'
import { Icon, Mark } from '../../components/icon.tsx'
import { csvOf, Pager, Table, withQuery } from '../../components/table.tsx'
import { Empty, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { BulkForm, mayBulk, TICK } from './bulk.tsx'
import { bulkActions } from './bulk-actions.ts'
import { alwaysShown, chosenColumns, deviceColumns, isOptional } from './columns.tsx'
import { type DevicesData, loadDevices, PER_PAGE } from './load.ts'
import { Tiles } from './tiles.tsx'

/** The list of devices, with filters, columns and bulk actions. */
export const devicesPage = page<DevicesData>({
  path: '/devices',
  gate: 'Device.viewAny',
  nav: { label: 'Devices', icon: 'server', group: 'main', order: 30, bar: true },
  async load(visit) {
    const isCsv = visit.query.get('format') === 'csv'
    const data = await loadDevices(visit, isCsv)
    if (!isCsv) return data
    const chosen = chosenColumns(visit.query)
    return csvOf(
      deviceColumns(visit.nowMs).filter(({ id }) => chosen.has(id) || id === 'address'),
      data.rows,
      'devices',
    )
  },
  view: devicesView,
  actions: bulkActions,
})

function devicesView(data: DevicesData, visit: PageRequest): PageView {
  const { rows, counts, wanted, total } = data
  const { query } = visit
  const chosen = chosenColumns(query)
  const usual = deviceColumns(visit.nowMs).filter(({ id }) => chosen.has(id))
  const columns = query.has('cols') ? usual.map(alwaysShown) : usual
  const isTiles = query.get('view') === 'tiles'
  const mayChoose = mayBulk(visit) && rows.length > 0
  const filters = filtersOf(data)
  const mayAdd = can(visit, 'Device.create')
  const nothing = counts.all === 0 && filters.length === 0
  const list = (
    <>
      {rows.length === 0 ? (
        <Empty
          title={
            wanted.state === null ? 'No device matches' : `No device is ${STATE_WORDS[wanted.state].toLowerCase()}`
          }
        >
          <p>
            {filters.length === 0
              ? 'That is good news.'
              : `The list is limited by ${filters.length} of the filters above.`}
          </p>
          <a class="btn" href="/devices">
            Remove filters
          </a>
        </Empty>
      ) : isTiles ? (
        <Tiles rows={rows} choose={mayChoose} />
      ) : (
        <Table
          columns={mayChoose ? [TICK, ...columns] : columns}
          rows={rows}
          query={query}
          sort={{ id: wanted.sort, descending: wanted.descending }}
          caption="Devices"
          keyOf={({ device_id }) => `device:${device_id}`}
        />
      )}
      <Pager
        query={query}
        page={data.page}
        perPage={PER_PAGE}
        total={total}
        what={total === 1 ? 'device' : 'devices'}
      />
    </>
  )
  return {
    title: 'Devices',
    crumbs: [{ label: 'Devices' }],
    body: (
      <>
        <div class="head">
          <h1>Devices</h1>
          {nothing ? null : (
            <div class="acts">
              {mayAdd ? (
                <a class="btn" href="/devices/new">
                  <Icon name="plus" />
                  Add device
                </a>
              ) : null}
              <CsvLink query={query} />
              {isTiles ? null : <Columns visit={visit} chosen={chosen} />}
            </div>
          )}
        </div>
        {nothing ? (
          <FirstDevice mayAdd={mayAdd} />
        ) : (
          <>
            <Filters data={data} query={query} chips={filters} />
            {mayChoose ? <BulkForm visit={visit}>{list}</BulkForm> : <section class="card">{list}</section>}
          </>
        )}
      </>
    ),
  }
}

/** Instructions for an installation without devices. */
export function FirstDevice({ mayAdd }: { readonly mayAdd: boolean }): Html {
  return (
    <section class="card">
      <Empty title="No devices are monitored yet">
        {mayAdd ? (
          <>
            <p>A name or an address is enough to start with.</p>
            <a class="btn first" href="/devices/new">
              <Icon name="plus" />
              Add the first device
            </a>
            <p>From the command line:</p>
            <pre class="pre">portlight device add 192.0.2.1 --community public</pre>
            <p>
              Or look at a simulated fleet first: <code>portlight serve --demo</code>
            </p>
          </>
        ) : (
          <p>You have no access to any device. An administrator can grant you devices, ports and groups.</p>
        )}
      </Empty>
    </section>
  )
}

const FIELDS = ['location', 'os', 'type'] as const

function filtersOf({
  wanted,
}: DevicesData): readonly { readonly name: string; readonly label: string; readonly value: string }[] {
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

function Filters({
  data: { counts, choices, wanted },
  query,
  chips,
}: {
  readonly data: DevicesData
  readonly query: URLSearchParams
  readonly chips: ReturnType<typeof filtersOf>
}): Html {
  return (
    <div class="filters">
      <Segments
        label="State"
        name="state"
        current={wanted.state}
        query={query}
        choices={[
          { value: null, label: 'All', n: counts.all },
          ...DEVICE_STATES.map((state) => ({
            value: state,
            label: STATE_WORDS[state],
            n: counts[state],
            mark: <Mark tone={stateTone(state)} label={null} />,
          })),
        ]}
      />
      {chips.map(({ name, label, value }) => (
        <Chip label={label} value={plain(value)} href={withQuery(query, { [name]: null })} />
      ))}
      <FilterMenu action="/devices">
        {keptFields(query, FIELDS)}
        <FilterChoice name="location" label="Location" current={wanted.location} options={same(choices.locations)} />
        <FilterChoice name="os" label="System" current={wanted.os} options={same(choices.systems)} />
        <FilterChoice name="type" label="Type" current={wanted.type} options={same(choices.types)} />
      </FilterMenu>
      <QuickFind action="/devices" query={query} text={wanted.text} />
      <Segments
        label="View"
        name="view"
        current={query.get('view') === 'tiles' ? 'tiles' : null}
        query={query}
        choices={[
          { value: null, label: 'Table' },
          { value: 'tiles', label: 'Tiles' },
        ]}
      />
    </div>
  )
}

function Columns({ visit, chosen }: { readonly visit: PageRequest; readonly chosen: ReadonlySet<string> }): Html {
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
        <button class="btn first" type="submit">
          Apply
        </button>
      </form>
    </details>
  )
}
