import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type { BrowsedLog } from '../../../core/logs/service.ts'
import { htmlPart } from '../../components/part.ts'
import type { PageRequest } from '../../page.ts'
import { type LogData, LogTable } from './view.tsx'
import { filterOf, wantedOf } from './wanted.ts'

/** Permission required for each log. */
export const LOG_GATES: Readonly<Record<BrowsedLog, Permission>> = {
  event: 'Eventlog.viewAny',
  syslog: 'Syslog.viewAny',
  alert: 'AlertLog.viewAny',
}

/**
 * A log as requested by the address; `deviceId` null: of the device named in the address, or of all devices. With
 * `format=rows`, only the rows, for the script. A device that the actor may not see has no rows.
 */
export async function loadLog(
  visit: PageRequest,
  log: BrowsedLog,
  deviceId: number | null,
  hrefOf: (log: BrowsedLog) => string,
): Promise<LogData | Response> {
  const { services, actor, query, nowMs } = visit
  const wanted = wantedOf(query, log, nowMs)
  const named =
    deviceId !== null || wanted.device === ''
      ? null
      : await services.devices.find(actor, wanted.device).catch(() => null)
  const isNowhere = wanted.refused !== null || (deviceId === null && wanted.device !== '' && named === null)
  const rows = isNowhere
    ? []
    : await services.logs.browse(actor, log, filterOf(wanted, deviceId ?? named?.device_id ?? null))
  const logs = (['event', 'syslog', 'alert'] as const)
    .filter((one) => isAllowed(actor, LOG_GATES[one], services.config))
    .map((one) => ({ log: one, href: hrefOf(one) }))
  const data: LogData = { log, wanted, rows, logs, isOfDevice: deviceId !== null }
  if (query.get('format') !== 'rows') return data
  const own = new URLSearchParams(query)
  for (const name of ['format', 'after', 'before']) own.delete(name)
  return htmlPart(LogTable({ data, rows, query: own, nowMs }))
}
