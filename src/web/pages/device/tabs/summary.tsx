/** @jsxImportSource #jsx */

import type { OpenAlertRow } from '../../../../core/alerts/alert-list.ts'
import { isAllowed, type Permission } from '../../../../core/base/permissions.ts'
import type { EventRow, HealthValue, NeighbourRow, PortListRow } from '../../../../core/lists/service.ts'
import { ChartCard } from '../../../components/chart.tsx'
import { portState } from '../../../components/device-state.tsx'
import { deviceGraph, healthGraph, TALL } from '../../../components/graph-specs.ts'
import { classWord } from '../../../components/health.tsx'
import { Alerts, Events } from '../../../components/lists.tsx'
import { RangeBar, rangeOf } from '../../../components/range.tsx'
import { Card, duration, percentUp, plain, Time } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import { graphDevice, instantOf, nameOf } from '../facts.ts'
import { panelOf } from '../front-panel.ts'
import { firstPoll, isPingOnly } from '../progress.tsx'
import { tab } from '../tab.ts'
import { Family } from './family.tsx'
import { HealthRows } from './health.tsx'
import { type Elsewhere, elsewhereOf, Identity } from './identity.tsx'
import { Neighbours } from './neighbour-rows.tsx'

const MAX_PORTS = 400
const HEALTH_ROWS = 6
const EVENTS = 12
const DAY_S = 86_400
/** Classes charted above the traffic (for UPSs) and below it (for servers). */
const SUPPLY = ['charge', 'load', 'runtime'] as const
const SERVER = ['processor', 'memory'] as const
/** Minimum number of ports for a front panel. */
const LEAST_FRONT = 4

interface SummaryData {
  readonly ports: readonly PortListRow[]
  readonly health: readonly HealthValue[]
  readonly neighbours: readonly NeighbourRow[]
  readonly alerts: { readonly rows: readonly OpenAlertRow[]; readonly total: number }
  readonly events: readonly EventRow[]
  readonly availability: readonly {
    readonly duration: number
    readonly spanS: number
    readonly availability_perc: string
  }[]
  readonly elsewhere: Elsewhere
}

export const summaryTab = tab<SummaryData>({
  id: '',
  label: 'Summary',
  gate: 'Device.viewAny',
  charts: true,
  async load({ services, actor }, { deviceId }) {
    const { fleet, devices } = services
    const may = (gate: Permission) => isAllowed(actor, gate, services.config)
    const [ports, health, neighbours, alerts, events, availability, elsewhere] = await Promise.all([
      may('Port.viewAny') ? fleet.ports(actor, deviceId) : [],
      may('Sensor.viewAny') ? fleet.health(deviceId) : [],
      may('Link.viewAny') ? fleet.neighbours(actor, { deviceId }) : [],
      may('Alert.viewAny') ? services.alertList.first(actor, deviceId, 5) : { rows: [], total: 0 },
      may('Eventlog.viewAny') ? fleet.events(actor, { deviceId, limit: EVENTS }) : [],
      devices.availability(deviceId),
      elsewhereOf(services, actor, deviceId),
    ])
    return { ports, health, neighbours, alerts, events, availability, elsewhere }
  },
  view({ ports, health, neighbours, alerts, events, availability, elsewhere }, visit, subject) {
    const { deviceId, record } = subject
    const range = rangeOf(visit.query, visit.nowMs, instantOf(record['inserted']))
    const physical = ports.filter(({ ifType }) => ifType === 'ethernetCsmacd')
    const text = (name: 'sysName' | 'serial' | 'sysContact' | 'sysDescr' | 'notes') => {
      const value = record[name]
      return typeof value === 'string' && value !== '' ? plain(value) : null
    }
    const facts: readonly (readonly [string, Html | string | null])[] = [
      ['Name', text('sysName')],
      ['Serial', text('serial')],
      ['Contact', text('sysContact')],
      ['Description', text('sysDescr')],
      ['Notes', text('notes')],
      ['Added', <Time at={instantOf(record['inserted'])} nowMs={visit.nowMs} />],
    ]
    const chartOf = (name: string) => {
      const values = health.filter((row) => row.class === name)
      const spec = healthGraph(graphDevice(subject), `${classWord(name)} of ${nameOf(subject)}`, values)
      return spec === null
        ? []
        : [<ChartCard spec={spec} range={range} title={classWord(name)} empty={firstPoll(subject, visit)} />]
    }
    return (
      <div class="cols">
        <div class="stack">
          {alerts.total === 0 ? null : (
            <Card title="Open alerts" sub={alerts.total}>
              <Alerts rows={alerts.rows} nowMs={visit.nowMs} device={false} />
            </Card>
          )}
          <RangeBar range={range} query={visit.query} />
          {SUPPLY.flatMap(chartOf)}
          {subject.counts.ports === 0 ? null : (
            <ChartCard
              spec={deviceGraph(graphDevice(subject), 'device_bits', `Traffic of ${nameOf(subject)}`, {
                height: TALL,
                rows: 2,
                p95: true,
              })}
              range={range}
              title="Traffic"
              sub="in above, out below"
              empty={firstPoll(subject, visit)}
            />
          )}
          {SERVER.flatMap(chartOf)}
          {isPingOnly(subject) ? (
            <ChartCard
              spec={deviceGraph(graphDevice(subject), 'device_icmp_perf', `Ping of ${nameOf(subject)}`, {
                height: TALL,
              })}
              range={range}
              title="Ping"
            />
          ) : null}
          {physical.length < LEAST_FRONT || physical.length > MAX_PORTS ? null : <Front ports={physical} />}
          {neighbours.length === 0 ? null : (
            <Card title="Neighbours" sub={neighbours.length} right={<a href={`/device/${deviceId}/neighbours`}>All</a>}>
              <Neighbours rows={neighbours.slice(0, 8)} />
            </Card>
          )}
        </div>
        <div class="stack">
          {health.length === 0 ? null : (
            <Card title="Health" right={<a href={`/device/${deviceId}/health`}>All {health.length}</a>}>
              <HealthRows rows={worstFirst(health).slice(0, HEALTH_ROWS)} nowMs={visit.nowMs} />
            </Card>
          )}
          {availability.length === 0 ? null : (
            <Card title="Availability">
              <dl class="facts body">
                {availability.map(({ duration: windowS, spanS, availability_perc }) => (
                  <>
                    <dt>{windowS >= DAY_S ? `${Math.round(windowS / DAY_S)} d` : duration(windowS)}</dt>
                    <dd>
                      {percentUp(Number(availability_perc))}
                      {spanS >= windowS ? null : <span class="sub"> since it was added {duration(spanS)} ago</span>}
                    </dd>
                  </>
                ))}
              </dl>
            </Card>
          )}
          <Identity elsewhere={elsewhere} deviceId={deviceId} nowMs={visit.nowMs} />
          <Family family={subject.family} />
          <Card title="Facts">
            <dl class="facts body">
              {facts
                .filter(([, value]) => value !== null)
                .map(([label, value]) => (
                  <>
                    <dt>{label}</dt>
                    <dd dir="auto">{value}</dd>
                  </>
                ))}
            </dl>
          </Card>
          <Card title="Events" right={<a href={`/device/${deviceId}/logs`}>All</a>}>
            <Events rows={events} nowMs={visit.nowMs} device={false} />
          </Card>
        </div>
      </div>
    )
  },
})

const share = ({ value, high, high_warn }: HealthValue) => {
  const limit = high_warn ?? high
  return value === null || limit === null || limit <= 0 ? -1 : value / limit
}

/** One value of each class first, then the others; each part with those nearest to a limit first. */
function worstFirst(rows: readonly HealthValue[]): HealthValue[] {
  const sorted = rows.filter(({ value }) => value !== null).toSorted((a, b) => share(b) - share(a))
  const seen = new Set<string>()
  const [first, rest] = [[] as HealthValue[], [] as HealthValue[]]
  for (const row of sorted) {
    ;(seen.has(row.class) ? rest : first).push(row)
    seen.add(row.class)
  }
  return [...first, ...rest]
}

function Front({ ports }: { readonly ports: readonly PortListRow[] }): Html {
  const up = ports.filter((port) => portState(port).word === 'Up').length
  return (
    <Card title="Front panel" sub={`${up} of ${ports.length} up`}>
      {panelOf(ports).map(({ prefix, ports: row }, _, rows) => (
        <div class="front" role="group" aria-label={plain(prefix) || 'Ports'}>
          {rows.length === 1 ? null : <span class="front-of">{plain(prefix)}</span>}
          {row.map(({ port, label }) => {
            const { tone, word } = portState(port)
            const faulty = tone === 'ok' && ((port.errors ?? 0) > 0 || (port.discards ?? 0) > 0)
            const name = plain([port.ifName, port.ifAlias].filter(Boolean).join(' · '))
            return (
              <a
                class={faulty ? 'warn' : tone}
                href={`/port/${port.port_id}`}
                title={`${name}: ${faulty ? 'errors or discards' : word}`}
                aria-label={`${name}: ${faulty ? 'errors or discards' : word}`}
              >
                {plain(label)}
              </a>
            )
          })}
        </div>
      ))}
    </Card>
  )
}
