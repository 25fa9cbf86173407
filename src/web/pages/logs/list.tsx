/** @jsxImportSource #jsx */
import type { BrowsedLog } from '../../../core/logs/service.ts'
import { type Page, page } from '../../page.ts'
import { LOG_NAMES } from './labels.ts'
import { LOG_GATES, loadLog } from './load.ts'
import { type LogData, LogView } from './view.tsx'

const PATHS: Readonly<Record<BrowsedLog, string>> = { event: '/logs', syslog: '/logs/syslog', alert: '/logs/alert' }

/** The logs of all devices. */
export const logPages: readonly Page[] = (['event', 'syslog', 'alert'] as const).map((log) =>
  page<LogData>({
    path: PATHS[log],
    gate: LOG_GATES[log],
    ...(log === 'event' && { nav: { label: 'Logs', icon: 'log', group: 'explore', order: 60 } }),
    load: (visit) => loadLog(visit, log, null, (one) => hrefOf(one, visit.query)),
    view: (data, { query, nowMs }) => ({
      title: log === 'event' ? 'Logs' : `${LOG_NAMES[log]} log`,
      crumbs: log === 'event' ? [{ label: 'Logs' }] : [{ label: 'Logs', href: '/logs' }, { label: LOG_NAMES[log] }],
      body: (
        <>
          <div class="head">
            <h1>{LOG_NAMES[log]}</h1>
          </div>
          <LogView data={data} query={query} nowMs={nowMs} />
        </>
      ),
    }),
  }),
)

/** The address of another log, keeping the filters that all logs have. */
function hrefOf(log: BrowsedLog, query: URLSearchParams): string {
  const kept = new URLSearchParams(
    [...query].filter(([name]) => ['device', 'q', 'from', 'since', 'to', 'tail'].includes(name)),
  )
  return kept.size === 0 ? PATHS[log] : `${PATHS[log]}?${kept}`
}
