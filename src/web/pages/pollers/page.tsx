/** @jsxImportSource #jsx */
import type { ModuleCost, PolledDevice, PollerService } from '../../../domain/pollers/service.ts'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain, Share, secondsText, Time, Unknown } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import { page, type Visit } from '../../page.ts'
import { mayOf } from '../../permit.ts'

type Load = Awaited<ReturnType<PollerService['load']>>
type Pollers = Awaited<ReturnType<PollerService['list']>>

/** Whether polling keeps up, and what it spends its time on. */
export const pollersPage = page<Load & { readonly pollers: Pollers }>({
  path: '/pollers',
  gate: 'Poller.viewAny',
  nav: { label: 'Pollers', icon: 'gauge', group: 'manage', order: 40 },
  async load({ services, actor }) {
    const [load, pollers] = await Promise.all([services.pollers.load(actor), services.pollers.list()])
    return { ...load, pollers }
  },
  view: ({ load, late, slowest, modules, intervalS, pollers }, visit) => ({
    title: 'Pollers',
    crumbs: [{ label: 'Pollers' }],
    body: (
      <>
        <div class="head">
          <h1>Pollers</h1>
          <div class="acts">
            {mayOf(visit, 'PollerGroup.viewAny') ? (
              <a class="btn" href="/pollers/groups">
                Groups
              </a>
            ) : null}
          </div>
          <p>
            {load.late === 0
              ? `No device is late: ${count(load.devices)} devices are polled in time.`
              : `${count(load.late)} of ${count(load.devices)} devices are late.`}
          </p>
        </div>
        <div class="cols">
          <div class="stack">
            {late.length === 0 ? null : (
              <Card title="Late" sub="not polled for 1.2 times their interval, or never">
                <Table columns={deviceColumns(visit)} rows={late} query={visit.query} caption="Late devices" />
              </Card>
            )}
            <Card title="Slowest" sub="last poll of each device">
              {slowest.length === 0 ? (
                <Empty title="Nothing was polled yet" />
              ) : (
                <Table columns={deviceColumns(visit)} rows={slowest} query={visit.query} caption="Slowest devices" />
              )}
            </Card>
          </div>
          <div class="stack">
            <Card title="Load">
              <dl class="facts">
                {facts(load, intervalS).map(([label, value]) => (
                  <>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </>
                ))}
              </dl>
            </Card>
            <Processes pollers={pollers} visit={visit} />
            <Card title="Modules" sub="cost of the last discoveries">
              {modules.length === 0 ? (
                <Empty title="Nothing was discovered yet" />
              ) : (
                <Table columns={moduleColumns(modules)} rows={modules} query={visit.query} caption="Modules" />
              )}
            </Card>
          </div>
        </div>
      </>
    ),
  }),
})

function facts(load: Load['load'], intervalS: number): readonly (readonly [string, Child])[] {
  return [
    ['Devices', count(load.devices)],
    ['Interval', `${duration(intervalS)}, unless a device has its own`],
    ['Time of all polls', `${secondsText(load.spent_s)} in each round`],
    ['Busy at once', load.devices === 0 ? <Unknown /> : `${(load.spent_s / intervalS).toFixed(2)} devices on average`],
    ['Longest poll', secondsText(load.longest_s)],
    ['Never polled', count(load.never)],
  ]
}

function Processes({ pollers, visit }: { readonly pollers: Pollers; readonly visit: Visit }): Html {
  const rows = pollers.pollers.map((poller) =>
    'last_report' in poller
      ? { name: poller.poller_name, at: new Date(poller.last_report * 1000), devices: null, took: null }
      : { name: poller.poller_name, at: poller.last_polled, devices: poller.devices, took: poller.time_taken },
  )
  return (
    <Card title="Processes" sub={count(rows.length)}>
      {rows.length === 0 ? (
        <Empty title="None has reported yet" />
      ) : (
        <ul class="rows">
          {rows.map(({ name, at, devices, took }) => (
            <li>
              <span class="grow" dir="auto">
                {plain(name)}
                <span class="l2">
                  {devices === null ? '' : `${count(devices)} devices in ${secondsText(took ?? 0)} · `}
                  <Time at={at} nowMs={visit.nowMs} />
                </span>
              </span>
              {visit.nowMs - at.getTime() < 900_000 ? <Pill tone="ok">Running</Pill> : <Pill tone="bad">Silent</Pill>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const deviceColumns = (visit: Visit): readonly Column<PolledDevice>[] => [
  {
    id: 'name',
    label: 'Device',
    cell: ({ device_id, name }) => (
      <a class="name" href={`/device/${device_id}/capture`} dir="auto">
        {plain(name)}
      </a>
    ),
  },
  { id: 'at', label: 'Polled', class: 'lab', cell: ({ last_polled }) => <Time at={last_polled} nowMs={visit.nowMs} /> },
  {
    id: 'took',
    label: 'Took',
    numeric: true,
    cell: ({ took_s }) => (took_s === null ? <Unknown /> : secondsText(took_s)),
  },
  {
    id: 'share',
    label: 'Of its interval',
    numeric: true,
    cell: ({ took_s, interval_s }) => <Share percent={took_s === null ? null : (took_s / interval_s) * 100} />,
  },
]

const moduleColumns = (rows: readonly ModuleCost[]): readonly Column<ModuleCost>[] => {
  const all = rows.reduce((sum, { took_ms }) => sum + took_ms, 0)
  return [
    { id: 'module', label: 'Module', cell: ({ module }) => <span class="name">{plain(module)}</span> },
    { id: 'devices', label: 'Devices', numeric: true, class: 'lg', cell: ({ devices }) => count(devices) },
    { id: 'requests', label: 'Requests', numeric: true, cell: ({ requests }) => count(requests) },
    { id: 'took', label: 'Time', numeric: true, cell: ({ took_ms }) => secondsText(took_ms / 1000) },
    {
      id: 'share',
      label: 'Share',
      numeric: true,
      cell: ({ took_ms }) => (all === 0 ? <Unknown /> : `${Math.round((took_ms / all) * 100)} %`),
    },
  ]
}
