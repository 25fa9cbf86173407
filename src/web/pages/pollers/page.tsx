/** @jsxImportSource #jsx */

import type { RemotePollerRow } from '../../../core/pollers/remote/service.ts'
import type { ClusterNode, ModuleCost, PolledDevice, PollerService } from '../../../core/pollers/service.ts'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain, Share, secondsText, Time, Unknown } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { RemotePollers } from './remote.tsx'

type Load = Awaited<ReturnType<PollerService['load']>>

/** Whether polling keeps up, and where its time goes. */
export const pollersPage = page<
  Load & { readonly nodes: readonly ClusterNode[]; readonly remote: readonly RemotePollerRow[] }
>({
  path: '/pollers',
  gate: 'Poller.viewAny',
  nav: { label: 'Pollers', icon: 'gauge', group: 'manage', order: 40 },
  async load({ services, actor }) {
    const [load, nodes, remote] = await Promise.all([
      services.pollers.load(actor),
      services.pollers.nodes(),
      services.remotePollers.list(),
    ])
    return { ...load, nodes, remote }
  },
  view: ({ load, late, slowest, modules, intervalS, nodes, remote }, visit) => ({
    title: 'Pollers',
    crumbs: [{ label: 'Pollers' }],
    body: (
      <>
        <div class="head">
          <h1>Pollers</h1>
          <div class="acts">
            <a class="btn" href="/database">
              Database
            </a>
            {can(visit, 'PollerGroup.viewAny') ? (
              <a class="btn" href="/pollers/groups">
                Groups
              </a>
            ) : null}
          </div>
          <p>
            {load.late === 0
              ? `No devices are late: all ${count(load.devices)} are polled on time.`
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
                <Empty
                  title="Nothing has been polled yet"
                  help={['tutorial/start', 'From nothing to the first graph']}
                />
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
            <Processes nodes={nodes} visit={visit} />
            <RemotePollers pollers={remote} visit={visit} />
            <Card title="Modules" sub="cost of each device's last discovery">
              {modules.length === 0 ? (
                <Empty
                  title="Nothing has been discovered yet"
                  help={['tutorial/start', 'From nothing to the first graph']}
                />
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
    ['Interval', `${duration(intervalS)}, unless set for a device`],
    ['Total poll time', `${secondsText(load.spent_s)} per interval`],
    ['Concurrency', load.devices === 0 ? <Unknown /> : `${(load.spent_s / intervalS).toFixed(2)} devices on average`],
    ['Longest poll', secondsText(load.longest_s)],
    ['Never polled', count(load.never)],
  ]
}

const FIGURES: readonly (readonly [figure: string, words: (value: number) => string, always: boolean])[] = [
  ['devices', (n) => `${count(n)} devices`, true],
  ['waiting', (n) => `${count(n)} waiting`, false],
  ['late', (n) => `${count(n)} late polls since start`, false],
  ['lag_ms', (n) => `${secondsText(n / 1000)} behind`, false],
  ['buffered', (n) => `${count(n)} samples in memory`, false],
  ['fenced', (n) => `${count(n)} polls left to others`, false],
]

/** What a process reports about itself, as text. */
function said({ roles, groups, figures }: ClusterNode): string {
  const parts = FIGURES.flatMap(([figure, words, always]) => {
    const value = figures[figure]
    return typeof value === 'number' && (always || value > 0) ? [words(value)] : []
  })
  const own = groups === null ? [] : [`poller groups ${groups.join(', ')}`]
  return [roles.join(', '), ...own, ...parts].join(' · ')
}

function Processes({ nodes, visit }: { readonly nodes: readonly ClusterNode[]; readonly visit: PageRequest }): Html {
  return (
    <Card title="Processes" sub={count(nodes.length)}>
      {nodes.length === 0 ? (
        <Empty title="No process has reported yet" help={['runbooks/poller-late', 'When nothing is polled']} />
      ) : (
        <ul class="rows">
          {nodes.map((node) => (
            <li>
              <span class="grow" dir="auto">
                {plain(node.name)}
                <span class="l2">{plain(said(node))}</span>
                <span class="l2">
                  {plain(`${node.version} on ${node.host}, seen `)}
                  <Time at={new Date(node.seenAt * 1000)} nowMs={visit.nowMs} />
                </span>
              </span>
              {node.isLeader ? <Pill tone="ack">Leader</Pill> : null}
              {node.living ? <Pill tone="ok">Running</Pill> : <Pill tone="bad">Gone</Pill>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const deviceColumns = (visit: PageRequest): readonly Column<PolledDevice>[] => [
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
    label: 'Of interval',
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
