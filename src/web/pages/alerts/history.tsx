/** @jsxImportSource #jsx */

import type { AlertLogRow } from '../../../core/alerts/alert-list.ts'
import { isAcknowledged, isOpen } from '../../../core/base/alert-states.ts'
import { Mark } from '../../components/icon.tsx'
import { Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { page } from '../../page.ts'
import { AlertTabs, STATES, severityTone } from './parts.tsx'

const PER_PAGE = 100

interface HistoryData {
  readonly rows: readonly AlertLogRow[]
  /** Key of the next page; null: this is the last. */
  readonly next: string | null
}

/** Changes of alerts, latest first. */
export const alertHistoryPage = page<HistoryData>({
  path: '/alerts/history',
  gate: 'AlertLog.viewAny',
  load: ({ services, actor, query }) => services.alertList.past(actor, query.get('before'), PER_PAGE),
  view: ({ rows, next }, visit) => ({
    title: 'Alert history',
    crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: 'History' }],
    body: (
      <>
        <div class="head">
          <h1>Alert history</h1>
        </div>
        <AlertTabs visit={visit} here="/alerts/history" />
        <section class="card">
          {rows.length === 0 ? (
            <Empty title="No changes" help={['how-to/alerts', 'When alerts are raised']} />
          ) : (
            <Changes rows={rows} nowMs={visit.nowMs} named />
          )}
          <nav class="pager" aria-label="Pages of the list">
            <span>{rows.length === 1 ? '1 change' : `${rows.length} changes`}</span>
            <span class="right">
              {visit.query.has('before') ? (
                <a class="btn s-s" href="/alerts/history">
                  Latest
                </a>
              ) : null}
              {next === null ? null : (
                <a class="btn s-s" rel="next" href={`/alerts/history?before=${next}`}>
                  Earlier
                </a>
              )}
            </span>
          </nav>
        </section>
      </>
    ),
  }),
})

const toneOf = ({ state, severity }: AlertLogRow) =>
  !isOpen(state) ? 'ok' : isAcknowledged(state) ? 'ack' : state === 4 ? 'warn' : severityTone(severity)

/** Changes, one per line; `named`: with rule and device. */
export function Changes({
  rows,
  nowMs,
  named,
}: {
  readonly rows: readonly AlertLogRow[]
  readonly nowMs: number
  readonly named: boolean
}): Html {
  return (
    <ul class="past-list clock">
      {rows.map((row) => (
        <li>
          <Time at={row.at} nowMs={nowMs} clock />
          <Mark tone={toneOf(row)} label={STATES[row.state] ?? String(row.state)} />
          <div dir="auto">
            {named ? (
              <>
                {row.alert_id === null ? plain(row.rule) : <a href={`/alerts/${row.alert_id}`}>{plain(row.rule)}</a>}
                {' · '}
                <a href={`/device/${row.device_id}`}>{plain(row.device)}</a>{' '}
              </>
            ) : null}
            <span class="sub">
              {row.by === null
                ? (STATES[row.state] ?? row.state)
                : `${isAcknowledged(row.state) ? 'acknowledged' : 'made active again'} by ${plain(row.by)}`}
              {row.by === null && row.faults > 1 ? `, ${row.faults} faults` : ''}
            </span>
            {row.what === '' || row.by !== null ? null : (
              <span class="l2" dir="auto">
                {plain(row.what)}
                {row.faults > 1 ? `, and ${row.faults - 1} more` : ''}
              </span>
            )}
            {row.note === null ? null : (
              <span class="l2 note-text" dir="auto">
                {plain(row.note)}
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
