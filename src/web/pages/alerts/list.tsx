/** @jsxImportSource #jsx */

import type { AlertListQuery, OpenAlertRow } from '../../../core/alerts/alert-list.ts'
import type { Until } from '../../../core/alerts/faults/service.ts'
import { isAcknowledged } from '../../../core/base/alert-states.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { AlertMaintenance } from '../../../core/maintenance/service.ts'
import { QuickField, textOf } from '../../components/filters.tsx'
import { AddLink, Button } from '../../components/form.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { type Column, withQuery } from '../../components/table.tsx'
import { count, Empty, plain, Time } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import type { Form, PageRequest } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { AlertPill, AlertTabs, instantOf, STATES } from './parts.tsx'

const ALL = { name: '', label: 'All', tone: null } as const
/** Parts of the list, by their name in the address; '': all. */
const VIEWS: readonly {
  readonly name: '' | 'critical' | 'warning' | 'acknowledged'
  readonly label: string
  readonly tone: Tone | null
  readonly severity?: AlertListQuery['severity']
  readonly state?: AlertListQuery['state']
}[] = [
  ALL,
  { name: 'critical', label: 'Critical', tone: 'bad', severity: 'critical' },
  { name: 'warning', label: 'Warning', tone: 'warn', severity: 'warning' },
  { name: 'acknowledged', label: 'Acknowledged', tone: 'ack', state: 'acknowledged' },
]

const viewOf = (query: URLSearchParams): (typeof VIEWS)[number] =>
  VIEWS.find(({ name }) => name === query.get('view')) ?? ALL

/** Open alerts, and which of them are acknowledged. */
export const alertsPage = listPage({
  path: '/alerts',
  gate: 'Alert.viewAny',
  nav: { label: 'Alerts', icon: 'bell', group: 'main', order: 20, bar: true },
  title: 'Alerts',
  caption: 'Open alerts',
  what: ['alert', 'alerts'],
  query(query) {
    const { name, state = null, severity = null } = viewOf(query)
    return { view: name, state, severity, text: textOf(query) }
  },
  async load({ services, actor, nowMs }, { view, ...wanted }) {
    const { rows: open, counts } = await services.alertList.open(actor, wanted)
    const maintained = await services.maintenance.ofAlerts(
      open.map(({ id }) => id),
      nowMs,
    )
    const rows = open.map((alert) => ({ ...alert, maintenance: maintained.get(alert.id) ?? null }))
    const past = counts.all === 0 ? (await services.alertList.past(actor, null, 1)).rows : []
    return { rows, counts, total: rows.length === 0 ? null : counts[view || 'all'], lastEnd: past[0]?.at ?? null }
  },
  columns: (_, visit) => columnsFor(visit.nowMs, can(visit, 'Alert.update')),
  keyOf: ({ id }) => `alert:${id}`,
  listOf: 'alert',
  head: ({ counts: { waiting, all } }) => (
    <h1 data-fresh="head">
      {waiting > 0
        ? `${count(waiting)} ${waiting === 1 ? 'alert needs' : 'alerts need'} attention`
        : all > 0
          ? 'All alerts are acknowledged'
          : 'No alerts'}
    </h1>
  ),
  acts: (_, visit) => (can(visit, 'AlertRule.create') ? <AddLink href="/alerts/rules/new">Rule</AddLink> : null),
  above: (_, visit) => <AlertTabs visit={visit} here="/alerts" />,
  filters: ({ counts, wanted }, { query }) => (
    <>
      <div class="seg" role="group" aria-label="Severity" data-fresh="counts">
        {VIEWS.map(({ name, label, tone }) => (
          <a href={withQuery(query, { view: name })} aria-current={name === wanted.view ? 'true' : null}>
            {tone === null ? null : <Mark tone={tone} label={null} />}
            {label} <small>{count(counts[name || 'all'])}</small>
          </a>
        ))}
      </div>
      <form class="right" method="get" action="/alerts" data-lean>
        <input type="hidden" name="view" value={wanted.view} />
        <QuickField text={wanted.text} placeholder="Device or rule" label="Part of the name of a device or rule" />
      </form>
    </>
  ),
  empty: ({ counts, wanted, lastEnd }, { nowMs }) => (
    <Empty title={counts.all === 0 && wanted.text === '' ? 'No open alerts' : 'No alerts match'}>
      {lastEnd === null ? (
        <p>
          None has been raised yet. <a href="/alerts/rules">Rules</a> define what raises one.
        </p>
      ) : (
        <p>
          The last change was <Time at={lastEnd} nowMs={nowMs} />. <a href="/alerts/history">History</a>
        </p>
      )}
    </Empty>
  ),
  card(content, { rows }, visit) {
    if (rows.length === 0)
      return (
        <section class="card" data-live-list="alert" aria-label="Open alerts">
          {content}
        </section>
      )
    if (!can(visit, 'Alert.update')) return <section class="card">{content}</section>
    return <AcknowledgeForm visit={visit}>{content}</AcknowledgeForm>
  },
  actions: {
    async acknowledge(visit, form) {
      requireGate(visit, 'Alert.update')
      const alerts = chosen(form)
      if (alerts.length === 0) throw invalid('Select one or more alerts first')
      const until: Until = form.get('until_clear') === '1' ? 'clear' : 'worse'
      const given = { note: (form.get('note') ?? '').trim(), until }
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

/** The list as a form that acknowledges the selected alerts. */
function AcknowledgeForm({ visit, children }: { readonly visit: PageRequest; readonly children: Child }): Html {
  return (
    <form class="card" method="post" action={`/alerts${visit.url.search}`}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <input type="hidden" name="do" value="acknowledge" />
      {children}
      <div class="bulk">
        <span class="sub">Selected alerts</span>
        <input class="inp" name="note" maxlength="1000" placeholder="Note: who does what, by when" aria-label="Note" />
        <label>
          <input type="checkbox" name="until_clear" value="1" /> stay quiet until it ends
        </label>
        <Button>Acknowledge</Button>
      </div>
    </form>
  )
}

const HELD: Readonly<Record<string, string>> = {
  delay: 'delayed: not notified yet',
  maintenance: 'maintenance: not notified',
  parents: 'parents down: not notified',
  asking: 'waiting for parents: not notified yet',
  flapping: 'flapping: not notified',
}

interface ShownAlert extends OpenAlertRow {
  /** null: nothing that it is about is under maintenance. */
  readonly maintenance: AlertMaintenance | null
}

function columnsFor(nowMs: number, mayAct: boolean): readonly Column<ShownAlert>[] {
  const tick: Column<ShownAlert> = {
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
      cell: ({ id, rule, device, device_id, what, maintenance }) => (
        <>
          <a class="name" href={`/alerts/${id}`} dir="auto">
            {plain(what === '' ? `${device}: ${rule}` : what)}
          </a>
          <span class="l2" dir="auto">
            <a href={`/device/${device_id}`}>{plain(device)}</a> · {plain(rule)}
          </span>
          {maintenance === null ? null : (
            <span class="l2 wrap">
              {maintenance.of} under maintenance until <Time at={maintenance.until} nowMs={nowMs} clock />
            </span>
          )}
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
          {faults > 1 ? `, ${count(faults)} faults` : ''}
          {held === null && note === null ? null : (
            <span class={held === null ? 'l2' : 'l2 wrap'} dir="auto">
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
            aria-label={`${isAcknowledged(state) ? 'Make active again:' : 'Acknowledge'} ${plain(rule)} of ${plain(device)}`}
          >
            {isAcknowledged(state) ? 'Make active' : 'Acknowledge'}
          </a>
        ) : null,
    },
  ]
}

/** The latest note, without its date. */
const lastLine = (note: string): string => (note.split('\n').at(-1) ?? '').replace(/^.{10,40}? - (?:Ack|Note) /, '')
