import type { AlertRule } from '../../../domain/alerts/rules.ts'
import type { AlertRow } from '../../../domain/alerts/service.ts'
import { localTime } from '../../../lib/record-times.ts'
import type { AlertModel } from '../alerts/model.ts'
import { bit, orEmpty } from './forms.ts'

type Alert = (typeof AlertModel.list.static)['alerts'][number]
type Rule = (typeof AlertModel.rules.static)['rules'][number]

/** The alerts of list_alerts and get_alert. */
export const presentAlerts = (rows: readonly AlertRow[]): Alert[] => rows.map(presentAlert)

/** Typed clients expect `alerted` and `open` as flags. */
function presentAlert(row: AlertRow): Alert {
  return {
    hostname: row.hostname,
    id: row.id,
    device_id: row.device_id,
    rule_id: row.rule_id,
    state: row.state,
    note: orEmpty(row.note),
    timestamp: localTime(row.timestamp),
    info: row.info,
    severity: row.severity,
    name: row.name,
    proc: orEmpty(row.proc),
    notes: orEmpty(row.notes),
    alerted: bit(row.alerted),
    open: bit(row.open),
  }
}

/** A rule in list_alert_rules and get_alert_rule, with the members of both the documentation and LibreNMS. */
export function presentRule({ disabled, invert_map, devices, groups, locations, ...rule }: AlertRule): Rule {
  return {
    ...rule,
    device_id: devices[0] ?? -1,
    disabled: bit(disabled),
    invert_map: bit(invert_map),
    devices: [...devices],
    groups: [...groups],
    locations: [...locations],
  }
}
