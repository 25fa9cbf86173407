/** @jsxImportSource #jsx */

import type { BoardCounts, BoardQuery, OpenBoardAlert } from '../../../core/alerts/alert-list.ts'
import { isAcknowledged } from '../../../core/base/alert-states.ts'
import { invalid } from '../../../core/base/errors.ts'
import { Icon, Mark, type Tone } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table, withQuery } from '../../components/table.tsx'
import { count, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form, type PageRequest, page } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { AlertPill, AlertTabs, instantOf, STATES } from './parts.tsx'

const PER_PAGE = 100
const MAX_TEXT = 100

interface CurrentData {
  readonly rows: readonly OpenBoardAlert[]
  readonly counts: BoardCounts
  readonly wanted: BoardQuery
  readonly page: number
  /** When the last alert ended; null if there was none. */
  readonly lastEnd: Date | null
}

const VIEWS: readonly {
  readonly name: string
  readonly label: string
  readonly tone: Tone | null
  readonly of: keyof BoardCounts
}[] = [
  { name: '', label: 'All', tone: null, of: 'all' },
  { name: 'critical', label: 'Critical', tone: 'bad', of: 'critical' },
  { name: 'warning', label: 'Warning', tone: 'warn', of: 'warning' },
  { name: 'acknowledged', label: 'Acknowledged', tone: 'ack', of: 'acknowledged' },
]

const viewOf = (query: URLSearchParams) => VIEWS.find(({ name }) => name === query.get('view')) ?? VIEWS[0]

/** Open alerts, and which of them are acknowledged. */
export const alertsPage = page<CurrentData>({
  path: '/alerts',
  gate: 'Alert.viewAny',
  nav: { label: 'Alerts', icon: 'bell', group: 'main', order: 20, bar: true },
  async load({ services, actor, query }) {
    const view = viewOf(query)?.name ?? ''
    const wanted: BoardQuery = {
      state: view === 'acknowledged' ? 'acknowledged' : null,
      severity: view === 'critical' || view === 'warning' ? view : null,
      text: (query.get('q') ?? '').slice(0, MAX_TEXT).replaceAll('\0', '').trim(),
      offset: (pageNumber(query) - 1) * PER_PAGE,
      limit: PER_PAGE,
    }
    const { rows, counts } = await services.alertList.open(actor, wanted)
    const past = counts.all === 0 ? (await services.alertList.past(actor, null, 1)).rows : []
    return { rows, counts, wanted, page: pageNumber(query), lastEnd: past[0]?.at ?? null }
  },
  view(data, visit) {
    const { waiting, all } = data.counts
    const head =
      waiting > 0
        ? `${count(waiting)} ${waiting === 1 ? 'alert needs' : 'alerts need'} attention`
        : all > 0
          ? 'All alerts are acknowledged'
          : 'No alerts'
    return {
      title: 'Alerts',
      crumbs: [{ label: 'Alerts' }],
      body: (
        <>
          <div class="head">
            <h1 data-fresh="head">{head}</h1>
            <div class="acts">
              {can(visit, 'AlertRule.create') ? (
                <a class="btn" href="/alerts/rules/new">
                  <Icon name="plus" />
                  Rule
                </a>
              ) : null}
            </div>
          </div>
          <AlertTabs visit={visit} here="/alerts" />
          <Filters data={data} visit={visit} />
          <List data={data} visit={visit} />
        </>
      ),
    }
  },
  actions: {
    async acknowledge(visit, form) {
      requireGate(visit, 'Alert.update')
      const alerts = chosen(form)
      if (alerts.length === 0) throw invalid('Select one or more alerts first')
      const given = { note: (form.get('note') ?? '').trim(), untilClear: form.get('until_clear') === '1' }
      const counts = { done: 0, ended: 0, absent: 0 }
      for (const { id, seen } of alerts)
        counts[await visit.services.alerts.acknowledge(visit.actor, id, { ...given, seen })]++
      const texts = [
        `${counts.done} ${counts.done === 1 ? 'alert was' : 'alerts were'} acknowledged.`,
        ...(counts.ended > 0 ? [`${counts.ended} had already ended.`] : []),
        ...(counts.absent > 0 ? [`${counts.absent} no longer exist.`] : []),
      ]
      return { notice: { tone: counts.done > 0 ? 'ok' : 'warn', text: texts.join(' ') } }
    },
  },
})

/** Ticked rows, with the time at which the problem shown there began. */
const chosen = (form: Form): { readonly id: number; readonly seen: number | null }[] =>
  [...form.keys()].flatMap((name) => {
    const id = /^alert-(\d{1,9})$/.exec(name)?.[1]
    return id === undefined ? [] : [{ id: Number(id), seen: instantOf(form.get(name)) }]
  })

function Filters({
  data: { counts, wanted },
  visit,
}: {
  readonly data: CurrentData
  readonly visit: PageRequest
}): Html {
  const here = viewOf(visit.query)
  return (
    <div class="filters">
      <div class="seg" role="group" aria-label="Severity" data-fresh="counts">
        {VIEWS.map((view) => (
          <a href={withQuery(visit.query, { view: view.name })} aria-current={view === here ? 'true' : null}>
            {view.tone === null ? null : <Mark tone={view.tone} label={null} />}
            {view.label} <small>{count(counts[view.of])}</small>
          </a>
        ))}
      </div>
      <form class="right" method="get" action="/alerts" data-lean>
        <input type="hidden" name="view" value={here?.name ?? ''} />
        <input
          class="inp quick"
          type="search"
          name="q"
          value={wanted.text}
          placeholder="Device or rule"
          aria-label="Part of the name of a device or rule"
          maxlength={String(MAX_TEXT)}
        />
      </form>
    </div>
  )
}

function List({ data, visit }: { readonly data: CurrentData; readonly visit: PageRequest }): Html {
  const { rows, counts, wanted, lastEnd } = data
  const mayAct = can(visit, 'Alert.update')
  const total =
    wanted.state === 'acknowledged'
      ? counts.acknowledged
      : wanted.severity === 'critical'
        ? counts.critical
        : wanted.severity === 'warning'
          ? counts.warning
          : counts.all
  if (rows.length === 0) {
    return (
      <section class="card" data-live-list="alert" aria-label="Open alerts">
        <Empty title={counts.all === 0 && wanted.text === '' ? 'No open alerts' : 'No alerts match'}>
          {lastEnd === null ? (
            <p>
              None has been raised yet. <a href="/alerts/rules">Rules</a> define what raises one.
            </p>
          ) : (
            <p>
              The last change was <Time at={lastEnd} nowMs={visit.nowMs} />. <a href="/alerts/history">History</a>
            </p>
          )}
        </Empty>
      </section>
    )
  }
  const table = (
    <>
      <Table
        columns={columnsFor(visit.nowMs, mayAct)}
        rows={rows}
        query={visit.query}
        caption="Open alerts"
        keyOf={({ id }) => `alert:${id}`}
        listOf="alert"
      />
      <Pager
        query={visit.query}
        page={data.page}
        perPage={PER_PAGE}
        total={total}
        what={total === 1 ? 'alert' : 'alerts'}
      />
    </>
  )
  if (!mayAct) return <section class="card">{table}</section>
  return (
    <form class="card" method="post" action={`/alerts${visit.url.search}`}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <input type="hidden" name="do" value="acknowledge" />
      {table}
      <div class="bulk">
        <span class="sub">Selected alerts</span>
        <input class="inp" name="note" maxlength="1000" placeholder="Note: who does what, by when" aria-label="Note" />
        <label>
          <input type="checkbox" name="until_clear" value="1" /> stay quiet until it ends
        </label>
        <button class="btn" type="submit">
          Acknowledge
        </button>
      </div>
    </form>
  )
}

const HELD: Readonly<Record<string, string>> = {
  delay: 'delayed: not notified yet',
  maintenance: 'maintenance: not notified',
  parents: 'parents down: not notified',
  flapping: 'flapping: not notified',
}

function columnsFor(nowMs: number, mayAct: boolean): readonly Column<OpenBoardAlert>[] {
  const tick: Column<OpenBoardAlert> = {
    id: 'tick',
    label: 'Select',
    quiet: true,
    class: 'no',
    cell: ({ id, rule, device, since }) => (
      <input
        type="checkbox"
        name={`alert-${id}`}
        value={String(since.getTime())}
        aria-label={`Select ${plain(rule)} of ${plain(device)}`}
      />
    ),
  }
  return [
    ...(mayAct ? [tick] : []),
    { id: 'severity', label: 'Severity', cell: (alert) => <AlertPill {...alert} /> },
    {
      id: 'what',
      label: 'What and where',
      class: 'o2',
      cell: ({ id, rule, device, device_id, what }) => (
        <>
          <a class="name" href={`/alerts/${id}`} dir="auto">
            {plain(rule)}
          </a>
          <span class="l2" dir="auto">
            <a href={`/device/${device_id}`}>{plain(device)}</a>
            {what === '' ? null : ` · ${plain(what).slice(0, 200)}`}
          </span>
        </>
      ),
    },
    {
      id: 'since',
      label: 'Since',
      class: 'nowrap o1',
      cell: ({ since }) => <Time at={since} nowMs={nowMs} bare />,
    },
    {
      id: 'state',
      label: 'Status',
      class: 'no dim lg',
      cell: ({ state, faults, held, note }) => (
        <>
          {STATES[state] ?? ''}
          {faults > 1 ? `, ${count(faults)} rows` : ''}
          {held === null && note === null ? null : (
            <span class="l2" dir="auto">
              {held === null ? plain(lastLine(note ?? '')) : (HELD[held] ?? held)}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'act',
      label: 'Action',
      quiet: true,
      class: 'num r o2',
      cell: ({ id, state, rule, device }) =>
        mayAct ? (
          <a
            class="btn s-s"
            href={`/alerts/${id}#act`}
            aria-label={`${isAcknowledged(state) ? 'Unmute' : 'Acknowledge'} ${plain(rule)} of ${plain(device)}`}
          >
            {isAcknowledged(state) ? 'Unmute' : 'Acknowledge'}
          </a>
        ) : null,
    },
  ]
}

/** The latest note, without its date. */
const lastLine = (note: string): string => (note.split('\n').at(-1) ?? '').replace(/^.{10,40}? - (?:Ack|Note) /, '')
