import type { AlertRule } from '../../../domain/alerts/rules.ts'
import type { AlertRecord } from '../../../domain/alerts/service.ts'
import type { AlertModel } from './model.ts'

type Alert = (typeof AlertModel.list.static)['alerts'][number]
type Rule = (typeof AlertModel.rules.static)['rules'][number]

const bit = (value: number): 0 | 1 => (value === 0 ? 0 : 1)

/** An alert of list_alerts and get_alert. Typed clients expect `alerted` and `open` as flags. */
export function presentAlert({ alerted, open, ...alert }: AlertRecord): Alert {
  return { ...alert, alerted: bit(alerted), open: bit(open) }
}

/** A rule of list_alert_rules and get_alert_rule, with the members of both the documentation and LibreNMS. */
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
