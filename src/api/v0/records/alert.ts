import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { AlertModel } from '../alerts/model.ts'
import { bit } from './forms.ts'

type Rule = (typeof AlertModel.rules.static)['rules'][number]

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
