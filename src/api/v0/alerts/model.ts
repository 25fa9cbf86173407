import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'

const Severity = t.Union([t.Literal('ok'), t.Literal('warning'), t.Literal('critical')])
const Bit = t.Union([t.Literal(0), t.Literal(1)])
const Ids = t.Array(whole())

const Alert = t.Object(
  {
    hostname: t.String(),
    id: whole(),
    device_id: whole(),
    rule_id: whole(),
    state: whole({ description: '0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed' }),
    alerted: Bit,
    open: Bit,
    note: t.String({ description: 'Acknowledgement notes, one per line' }),
    timestamp: t.String({ description: 'Y-m-d H:i:s, server time' }),
    info: t.String({ description: 'JSON text; until_clear after an acknowledgement' }),
    severity: Severity,
    name: t.String({ description: 'Name of the rule' }),
    proc: t.String(),
    notes: t.String({ description: 'Notes of the rule' }),
  },
  { title: 'Alert' },
)

const OperationSegment = t.Object(
  {
    id: whole({ description: 'Of the operation' }),
    name: t.String({ description: 'Of the operation' }),
    position: whole(),
    operation_phase: t.Union([t.Literal('problem'), t.Literal('recovery'), t.Literal('update')]),
    escalation_step_from: whole({ description: 'Steps count from 1' }),
    escalation_step_to: t.Union([whole(), t.Null()], { description: 'null: no end' }),
    start_in_seconds: whole(),
    step_duration_seconds: whole({ description: '0: that of the operation' }),
    transports: t.Array(
      t.Object({
        id: t.String({ description: '3: a transport, g2: a group, s4: a schedule of people on call' }),
        text: t.String({ description: 'mail: NOC' }),
      }),
    ),
  },
  { title: 'OperationSegment' },
)

const AlertRule = t.Object(
  {
    id: whole(),
    device_id: whole({ description: 'First device of the rule; -1 if it has none' }),
    severity: Severity,
    extra: t.String({
      description: 'JSON text: mute, count, delay, invert, interval, recovery, ...; times in seconds',
    }),
    disabled: Bit,
    name: t.String(),
    query: t.String({ description: 'The rule as SQL' }),
    rule: t.String({ description: 'The rule in words' }),
    builder: t.String({ description: 'JSON text of the rule group, as it was sent' }),
    proc: Text,
    invert_map: Bit,
    notes: Text,
    alert_operation_id: t.Union([whole(), t.Null()], { description: 'null: the rule has no operation' }),
    devices: Ids,
    groups: Ids,
    locations: Ids,
    default_operation_step_duration_seconds: t.Union([whole(), t.Null()], {
      description: 'Of its operation; null: setting alert.step_duration',
    }),
    operations: t.Array(OperationSegment, { description: 'Segments of its operation' }),
  },
  { title: 'AlertRule' },
)

const AlertTemplate = t.Object(
  {
    id: whole(),
    name: t.String(),
    template: t.String(),
    title: Text,
    title_rec: Text,
    alert_rules: Ids,
  },
  { title: 'AlertTemplate' },
)

const Id = t.Union([whole(), t.String()])
const loose = (options: { description?: string } = {}) =>
  t.Optional(t.Union([t.Boolean(), t.Number(), t.String(), t.Null()], options))
const ids = (description: string) => t.Optional(t.Union([t.Array(Id), whole(), t.String(), t.Null()], { description }))
const FLAG = { description: 'true, 1 or any text except 0 and false' }
const DURATION = { description: 'Seconds, or a number with m, h or d: 90, 5 m, 1h' }

const ruleBody = {
  devices: ids('List of ids or hostnames; -1: all devices'),
  device_id: ids('Same as devices, which overrides it'),
  groups: ids('Ids of device groups'),
  locations: ids('Ids of locations'),
  builder: t.Union([t.Record(t.String(), t.Unknown()), t.String()], {
    description: 'Rule group, as an object or JSON text',
  }),
  severity: t.String({ description: 'ok, warning or critical, in any case' }),
  name: t.String({ description: 'Unique' }),
  disabled: loose({ description: '1: not evaluated' }),
  count: loose({ description: 'Maximum number of notifications; -1 (default): no limit' }),
  delay: loose(DURATION),
  interval: loose(DURATION),
  mute: loose(FLAG),
  invert: loose(FLAG),
  invert_map: loose(FLAG),
  recovery: loose(FLAG),
  acknowledgement: loose(FLAG),
  notes: t.Optional(t.String()),
  proc: t.Optional(t.String()),
  override_query: loose(),
  adv_query: loose(),
  alert_operation_id: loose({
    description:
      'Id of an operation; null: nobody is notified; absent: as before, for a new rule its transports or the default ones',
  }),
  operations: t.Optional(
    t.Union([t.Array(t.Record(t.String(), t.Unknown())), t.Null()], {
      description: 'Segments of a new operation for the rule, with transports as ids; only without alert_operation_id',
    }),
  ),
  default_operation_step_duration: loose({
    description: 'How long a step of its operation takes, for all rules that use it: 90, 5 m, 1h',
  }),
}

const templateBody = t.Object(
  {
    template_id: loose({ description: 'Template to replace; if absent, a new one is created' }),
    name: t.String(),
    template: t.String(),
    title: t.Optional(t.String()),
    title_rec: t.Optional(t.String()),
    alert_rules: ids('Ids of rules'),
  },
  { title: 'AlertTemplateBody' },
)

const Message = t.Object({ status: Ok, message: t.String() }, { title: 'Done' })
const TemplateStored = t.Object(
  {
    status: t.Union([Ok, t.Literal('warning', { description: 'Some rules do not exist' })]),
    message: t.String(),
    id: whole(),
  },
  { title: 'AlertTemplateStored' },
)

export const AlertModel = {
  id: documented(t.Object({ id: t.String({ description: 'Numeric id' }) })),
  listQuery: documented(
    t.Object({
      state: t.Optional(t.String({ description: 'States, separated by commas; default 1' })),
      severity: t.Optional(t.String({ description: 'ok, warning or critical' })),
      alert_rule: t.Optional(t.String({ description: 'Id of a rule' })),
      order: t.Optional(
        t.String({ description: 'Column, optionally followed by ASC or DESC; default timestamp DESC' }),
      ),
    }),
  ),
  list: documented(t.Object({ status: Ok, message: t.Literal(''), alerts: t.Array(Alert), count: whole() })),
  acknowledge: documented(
    t.Object({
      note: t.Optional(t.String()),
      until_clear: loose({ description: 'true: until the alert clears; otherwise until it changes' }),
    }),
  ),
  unmute: documented(t.Object({ note: t.Optional(t.String()) })),
  message: documented(Message),
  rules: documented(t.Object({ status: Ok, message: t.Literal(''), rules: t.Array(AlertRule), count: whole() })),
  rule: documented(t.Object(ruleBody)),
  editRule: documented(
    t.Object({
      rule_id: loose({ description: 'Rule to replace; if absent, a new one is created' }),
      ...ruleBody,
    }),
  ),
  ruleStored: documented(t.Object({ status: Ok })),
  templates: documented(t.Object({ status: Ok, alert_templates: t.Array(AlertTemplate), count: whole() })),
  template: documented(templateBody),
  templateStored: documented(TemplateStored),
}
