/** @jsxImportSource #jsx */
import { isAdmin } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type { TransceiverRow } from '../../../core/inventory/service.ts'
import type { EventRow, HealthValue, NeighbourRow, PortStation } from '../../../core/lists/service.ts'
import type { OpenMaintenance } from '../../../core/maintenance/service.ts'
import type { PortRow, PortSettings, PortVlanRow } from '../../../core/ports/service.ts'
import { allZeroWords } from '../../all-zero-words.ts'
import { ChartCard, QuietChart } from '../../components/chart.tsx'
import { MaintenancePill, portState } from '../../components/device-state.tsx'
import { ofForm } from '../../components/form.tsx'
import { measuredGraph } from '../../components/graph-specs.ts'
import { classWord } from '../../components/health.tsx'
import { Pill } from '../../components/icon.tsx'
import { Events } from '../../components/lists.tsx'
import { type PageRange, RangeBar, rangeOf } from '../../components/range.tsx'
import { addressText, amount, Card, Empty, LastSeen, mac, plain, Time, Unknown } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { firstPoll } from '../device/progress.tsx'
import { HealthRows } from '../device/tabs/health.tsx'
import { Neighbours } from '../device/tabs/neighbour-rows.tsx'
import { errorsOf, ethernetOf, othersOf, packetsOf, trafficOf } from './charts.ts'
import { Settings, settingsAction } from './settings.tsx'

const STATIONS = 12
const EVENTS = 12

/**
 * Maximum number of sensor charts: enough for the power of four lanes in both directions, bias, temperature and
 * voltage.
 */
const MAX_SENSOR_CHARTS = 12

interface PortData {
  readonly port: PortRow
  readonly range: PageRange
  /** null: the port is granted, but its device is not. */
  readonly device: string | null
  readonly hostname: string
  readonly neighbours: readonly NeighbourRow[]
  readonly stations: readonly PortStation[]
  readonly vlans: readonly PortVlanRow[]
  readonly transceivers: readonly TransceiverRow[]
  readonly sensors: readonly HealthValue[]
  /** The device has Ethernet counters of the port, and they are read. */
  readonly ethernet: boolean
  /** What to say in place of charts that show only zeros; null: they are drawn. */
  readonly quiet: { readonly errors: string | null; readonly ethernet: string | null }
  /** Why there are no values yet; null: there may be. */
  readonly empty: Child
  readonly addresses: readonly string[]
  /** When the device last answered, if it no longer does; null: it does. */
  readonly oldSince: Date | null
  readonly events: readonly EventRow[]
  /** Of the port by itself; null: none. */
  readonly maintenance: OpenMaintenance | null
  /** null: the actor may not change the port. */
  readonly settings: PortSettings | null
}

/** A port: traffic, errors, optics, and what is connected to it. */
export const portPage = page<PortData>({
  path: '/port/:id',
  gate: 'Port.viewAny',
  scripts: ['chart.js'],
  load,
  view,
  actions: { settings: settingsAction },
})

async function load(visit: PageRequest): Promise<PortData> {
  const { services, actor, params } = visit
  const { ports, devices, fleet, inventory, config } = services
  const id = idOf(params['id'])
  const port = id === 0 ? null : await ports.record(actor, id)
  if (port === null || port['deleted'] === 1) throw notFound(`Port ${params['id']} does not exist`)
  const may = (gate: Permission) => isAllowed(actor, gate, config)
  const key = await devices.find(actor, String(port.device_id)).catch(() => null)
  const range = rangeOf(visit.query, visit.nowMs, await fleet.addedAt(port.device_id))
  const allZero = (type: string) => allZeroWords(type, range, (options) => services.graphs.port(id, type, options))
  const counted = ports.hasEthernetCounters(id)
  const [
    neighbours,
    stations,
    vlans,
    transceivers,
    addresses,
    events,
    record,
    sensors,
    settings,
    oldSince,
    ethernet,
    maintenance,
    quietErrors,
    quietEthernet,
  ] = await Promise.all([
    may('Link.viewAny') ? fleet.neighbours(actor, { portId: id }) : [],
    fleet.stations(id, STATIONS),
    ports.vlans(id),
    inventory.transceivers(actor, { portId: id }),
    ports.addresses({ portId: id }),
    may('Eventlog.viewAny') ? fleet.events(actor, { deviceId: port.device_id, portId: id, limit: EVENTS }) : [],
    key === null ? null : devices.record(actor, key),
    // Graphs of sensors belong to the device, so the user needs access to it.
    key !== null && may('Sensor.viewAny') ? fleet.portSensors(id) : [],
    may('Port.update') ? ports.settings(actor, id) : null,
    fleet.oldSince(port.device_id),
    counted,
    services.maintenance.ofPart('port', id, visit.nowMs),
    allZero('port_errors'),
    counted.then((has) => (has ? allZero('port_etherlike') : null)),
  ])
  return {
    port,
    range,
    device: record === null ? null : plain(record.display || record.hostname),
    hostname: key?.hostname ?? '',
    neighbours,
    stations,
    vlans,
    transceivers,
    sensors,
    ethernet,
    quiet: { errors: quietErrors, ethernet: quietEthernet },
    oldSince,
    maintenance,
    empty: record === null ? null : firstPoll({ deviceId: port.device_id, record }, visit),
    addresses: addresses
      .map((row) => Object.values(row).find((value) => typeof value === 'string' && /[.:]/.test(value)))
      .map(String),
    events,
    settings,
  }
}

const textOf = (port: PortRow, name: keyof PortRow): string | null => {
  const value = port[name]
  return value === null || value === undefined || value === '' ? null : plain(String(value))
}

function view(data: PortData, visit: PageRequest): PageView {
  const { port, device } = data
  const { range } = data
  const name = textOf(port, 'ifName') ?? textOf(port, 'ifDescr') ?? `port ${port.port_id}`
  // Many devices report the port name as the alias of a port that has none.
  const given = textOf(port, 'ifAlias')
  const alias = given === textOf(port, 'ifDescr') || given === textOf(port, 'ifName') ? null : given
  const speed = typeof port['ifSpeed'] === 'number' && port['ifSpeed'] > 0 ? port['ifSpeed'] : null
  const state = portState({
    ifAdminStatus: textOf(port, 'ifAdminStatus'),
    ifOperStatus: textOf(port, 'ifOperStatus'),
    old_since: data.oldSince,
  })
  const graphDevice = { deviceId: port.device_id, hostname: data.hostname }
  const subject = {
    portId: port.port_id,
    device: data.hostname === '' ? null : graphDevice,
    ifName: textOf(port, 'ifName') ?? '',
    speed,
  }
  return {
    title: `${name} of ${device ?? 'a device'}`,
    crumbs: [
      { label: 'Devices', href: '/devices' },
      ...(device === null ? [] : [{ label: device, href: `/device/${port.device_id}` }]),
      { label: name },
    ],
    body: (
      <>
        <div class="title" data-live={`port:${port.port_id}`}>
          <h1 dir="auto">
            {device === null ? '' : `${device} `}
            {name}
          </h1>
          <Pill tone={state.tone}>{state.word}</Pill>
          {port['ignore'] === 1 ? <Pill tone="off">Ignored</Pill> : null}
          {port['disabled'] === 1 ? <Pill tone="off">Not polled</Pill> : null}
          {data.oldSince === null ? null : <LastSeen at={data.oldSince} nowMs={visit.nowMs} />}
          {data.maintenance === null ? null : <MaintenancePill maintenance={data.maintenance} nowMs={visit.nowMs} />}
          {isAdmin(visit.actor) ? (
            <div class="acts">
              <a class="btn" href={`/maintenance?kind=port&ref=${port.port_id}#title`}>
                Maintenance…
              </a>
            </div>
          ) : null}
        </div>
        <div class="meta">
          {alias === null ? null : <span dir="auto">{alias}</span>}
          <span>
            <b>Speed</b>
            {speed === null ? (
              <Unknown why="Not reported by the device, so there is no utilisation and no limit line" />
            ) : (
              amount(speed, 'bit/s')
            )}
          </span>
          <Fact label="Duplex" value={textOf(port, 'ifDuplex')} />
          <Fact label="MTU" value={textOf(port, 'ifMtu')} />
          <Fact label="Type" value={textOf(port, 'ifType')} />
          <Fact label="MAC" value={port['ifPhysAddress'] ? mac(String(port['ifPhysAddress'])) : null} />
        </div>
        <RangeBar range={range} query={visit.query} />
        <div class="stack">
          <ChartCard spec={trafficOf(subject)} range={range} sub="in above, out below" empty={data.empty} />
          <div class="two">
            <ChartCard spec={packetsOf(subject)} range={range} sub="unicast" empty={data.empty} />
            {data.quiet.errors === null ? (
              <ChartCard spec={errorsOf(subject)} range={range} empty={data.empty} />
            ) : null}
            <ChartCard spec={othersOf(subject)} range={range} empty={data.empty} />
            {data.ethernet && data.quiet.ethernet === null ? (
              <ChartCard spec={ethernetOf(subject)} range={range} empty={data.empty} />
            ) : null}
            {data.sensors.slice(0, MAX_SENSOR_CHARTS).map((sensor) => (
              // A separate chart for each, because each has its own limits.
              <ChartCard
                spec={measuredGraph(graphDevice, plain(sensor.descr) || classWord(sensor.class), sensor)}
                range={range}
                sub={classWord(sensor.class)}
              >
                <HealthRows rows={[sensor]} nowMs={visit.nowMs} />
              </ChartCard>
            ))}
          </div>
          {data.quiet.errors === null ? null : (
            <QuietChart spec={errorsOf(subject)} range={range} words={data.quiet.errors} />
          )}
          {data.quiet.ethernet === null ? null : (
            <QuietChart spec={ethernetOf(subject)} range={range} words={data.quiet.ethernet} />
          )}
          <div class="three">
            <Card title="Connected to">
              <Neighbours rows={data.neighbours} />
            </Card>
            <Stations data={data} portId={port.port_id} nowMs={visit.nowMs} />
            <div class="stack">
              {data.transceivers.map((one) => (
                <Transceiver row={one} />
              ))}
              {data.settings === null ? null : <Settings visit={ofForm(visit, 'settings')} settings={data.settings} />}
              <Card title="History">
                <Events rows={data.events} nowMs={visit.nowMs} device={false} portId={port.port_id} />
              </Card>
            </div>
          </div>
        </div>
      </>
    ),
  }
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string | null }): Html | null =>
  value === null ? null : (
    <span>
      <b>{label}</b>
      {value}
    </span>
  )

function Stations({
  data: { stations, vlans, addresses },
  portId,
  nowMs,
}: {
  readonly data: PortData
  readonly portId: number
  readonly nowMs: number
}): Html {
  const tagged = vlans.filter(({ untagged }) => untagged !== 1).map(({ vlan }) => vlan)
  const untagged = vlans.filter((row) => row.untagged === 1).map(({ vlan }) => vlan)
  return (
    <Card title="Stations" sub={stations.length === 0 ? undefined : `the last ${stations.length} seen`}>
      {stations.length === 0 ? (
        <Empty title="No stations have been seen" help={['how-to/where-is-it', 'Where stations are read']} />
      ) : (
        <ul class="rows">
          {stations.map(({ mac: digits, address, vlan, seen }) => (
            <li>
              <span class="grow mono">
                <a href={`/mac/${digits}`}>{mac(digits)}</a>
                <span class="l2">
                  {[address === null ? null : addressText(address), vlan === null ? null : `VLAN ${vlan}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <Time at={seen} nowMs={nowMs} bare />
            </li>
          ))}
        </ul>
      )}
      <footer>
        <div>
          <a href={`/sightings?port=${portId}`}>What was on this port</a>
        </div>
        {addresses.length === 0 ? null : <div>Addresses {addresses.map(plain).join(', ')}</div>}
        {untagged.length === 0 ? null : <div>Untagged VLAN {untagged.join(', ')}</div>}
        {tagged.length === 0 ? null : (
          <div>
            Tagged {tagged.slice(0, 40).join(', ')}
            {tagged.length > 40 ? ` and ${tagged.length - 40} others` : ''}
          </div>
        )}
      </footer>
    </Card>
  )
}

function Transceiver({ row }: { readonly row: TransceiverRow }): Html {
  const facts = [
    ['Type', row.type],
    ['Vendor', row.vendor],
    ['Model', row.model],
    ['Serial', row.serial],
    ['Wavelength', row.wavelength === null ? null : `${row.wavelength} nm`],
    ['Reach', row.distance === null ? null : `${row.distance} m`],
    ['Connector', row.connector],
  ] as const
  return (
    <Card title="Transceiver">
      <dl class="facts body">
        {facts.map(([label, value]) =>
          value === null || value === '' ? null : (
            <>
              <dt>{label}</dt>
              <dd dir="auto">{plain(value)}</dd>
            </>
          ),
        )}
      </dl>
    </Card>
  )
}
