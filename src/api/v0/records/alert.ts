import type { ShownOperation } from '../../../core/alerts/operations/service.ts'
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { AlertModel } from '../alerts/model.ts'
import { bit } from './forms.ts'

type Rule = (typeof AlertModel.rules.static)['rules'][number]

/** A rule in list_alert_rules and get_alert_rule, with the members of both the documentation and LibreNMS. */
export function presentRule({
  disabled,
  invert_map,
  devices,
  groups,
  locations,
  operation,
  silenced: _silenced,
  runbook: _runbook,
  ...rule
}: AlertRule): Rule {
  return {
    ...rule,
    device_id: devices[0] ?? -1,
    disabled: bit(disabled),
    invert_map: bit(invert_map),
    devices: [...devices],
    groups: [...groups],
    locations: [...locations],
    default_operation_step_duration_seconds: operation?.stepDurationS ?? null,
    operations: operation === null ? [] : segmentsOf(operation),
  }
}

/** The segments of an operation; `id` and `name` are those of the operation, as in the documentation. */
function segmentsOf({ id, name, segments }: ShownOperation): Rule['operations'] {
  return segments.map((segment) => ({
    id,
    name,
    position: segment.position,
    operation_phase: segment.phase,
    escalation_step_from: segment.from,
    escalation_step_to: segment.to,
    start_in_seconds: segment.startS,
    step_duration_seconds: segment.durationS,
    transports: segment.targets.map((target) => ({ id: target.text, text: nameOf(target) })),
  }))
}

/** `mail: NOC`; groups and schedules have no kind. */
const nameOf = ({ kind, name, type }: ShownOperation['segments'][number]['targets'][number]) =>
  `${kind === '' ? (type === 'group' ? 'group' : 'on call') : kind}: ${name}`
