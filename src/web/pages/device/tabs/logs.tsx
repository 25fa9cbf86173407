/** @jsxImportSource #jsx */
import { isAllowed } from '../../../../core/base/permissions.ts'
import type { BrowsedLog } from '../../../../core/logs/service.ts'
import { LOG_GATES, loadLog } from '../../logs/load.ts'
import { type LogData, LogView } from '../../logs/view.tsx'
import { tab } from '../tab.ts'

/** The logs of a device: events by default, or `?log=syslog` and `?log=alert`. */
export const logsTab = tab<LogData>({
  id: 'logs',
  label: 'Logs',
  gate: 'Eventlog.viewAny',
  load(visit, { deviceId }) {
    const asked = visit.query.get('log')
    const log: BrowsedLog = asked === 'syslog' || asked === 'alert' ? asked : 'event'
    const isOpen = isAllowed(visit.actor, LOG_GATES[log], visit.services.config)
    return loadLog(visit, isOpen ? log : 'event', deviceId, (one) =>
      one === 'event' ? `/device/${deviceId}/logs` : `/device/${deviceId}/logs?log=${one}`,
    )
  },
  view: (data, { query, nowMs }) => <LogView data={data} query={query} nowMs={nowMs} />,
})
