import { numberOf } from './amounts.ts'

type Values = (field: string) => unknown

/** 1, 0, or null where a part is unknown and none is false: how a macro's `and` reads. */
function all(...parts: readonly (boolean | null)[]): 1 | 0 | null {
  if (parts.includes(false)) return 0
  return parts.includes(null) ? null : 1
}

/** Whether a value is this; null: it is unknown. */
const is = (value: unknown, wanted: string | number): boolean | null =>
  value === null ? null : String(value).toLowerCase() === String(wanted)
const not = (value: boolean | null): boolean | null => (value === null ? null : !value)

/** `value` in percent of `of`; null: unknown. */
function percent(value: unknown, of: unknown, factor = 100): number | null {
  const [part, whole] = [numberOf(value), numberOf(of)]
  return part === null || whole === null || whole === 0 ? null : (part * factor) / whole
}

const on = (value: Values, table: string): boolean | null =>
  all(is(value(`${table}.disabled`), 0), is(value(`${table}.ignore`), 0)) === 1 ? true : null

const stateIs = (generic: number) => (value: Values) =>
  all(
    value('sensors.sensor_current') === null || value('state_translations.state_value') === null
      ? null
      : numberOf(value('sensors.sensor_current')) === numberOf(value('state_translations.state_value')),
    is(value('state_translations.state_generic_value'), generic),
  )

const usage =
  (...ways: readonly ('In' | 'Out')[]) =>
  (value: Values): number | null => {
    const rates = ways.map((way) => numberOf(value(`ports.if${way}Octets_rate`)))
    const known = rates.filter((rate) => rate !== null)
    return known.length === 0 ? null : percent(Math.max(...known), value('ports.ifSpeed'), 800)
  }

const deviation =
  (kind: 'loss' | 'rtt') =>
  (value: Values): number | null => {
    const [last, mean] = [
      numberOf(value(`device_stats.ping_${kind}_last`)),
      numberOf(value(`device_stats.ping_${kind}_avg`)),
    ]
    return last === null || mean === null ? null : percent(last - mean, mean)
  }

const componentIs = (status: number) => (value: Values) => all(is(value('component.status'), status))

const lost = (value: Values): number | null => {
  const isDown = is(value('devices.status'), 0)
  return isDown === null ? null : isDown ? 100 : 0
}

const billed = (type: 'quota' | 'cdr', used: string, allowed: string) => (value: Values) =>
  is(value('bills.bill_type'), type) === true ? percent(value(used), value(allowed)) : null

/** Macros (`src/core/rules/macros.ts`) whose value follows from the row: condition as 1 or 0, number in its unit. */
const MACROS: Readonly<Record<string, (value: Values) => number | null>> = {
  device: (value) => all(is(value('devices.disabled'), 0), on(value, 'devices')),
  device_up: (value) => all(is(value('devices.status'), 1)),
  device_down: (value) => all(is(value('devices.status'), 0)),
  port: (value) => all(is(value('ports.deleted'), 0)),
  port_up: (value) => all(is(value('ports.ifOperStatus'), 'up'), is(value('ports.ifAdminStatus'), 'up')),
  port_down: (value) => all(is(value('ports.ifOperStatus'), 'down'), not(is(value('ports.ifAdminStatus'), 'down'))),
  port_now_down: (value) =>
    all(
      not(is(value('ports.ifOperStatus'), 'up')),
      is(value('ports.ifOperStatus_prev'), 'up'),
      is(value('ports.ifAdminStatus'), 'up'),
    ),
  port_usage_perc: usage('In', 'Out'),
  port_in_usage_perc: usage('In'),
  port_out_usage_perc: usage('Out'),
  port_in_error_perc: (value) => percent(value('ports.ifInErrors_rate'), value('ports.ifInUcastPkts_rate')),
  port_out_error_perc: (value) => percent(value('ports.ifOutErrors_rate'), value('ports.ifOutUcastPkts_rate')),
  sensor: (value) => all(is(value('sensors.sensor_alert'), 1)),
  state_sensor_ok: stateIs(0),
  state_sensor_warning: stateIs(1),
  state_sensor_critical: stateIs(2),
  state_sensor_unknown: stateIs(3),
  component_normal: componentIs(0),
  component_warning: componentIs(1),
  component_critical: componentIs(2),
  packet_loss_5m: lost,
  packet_loss_15m: lost,
  ping_loss_variance_perc: deviation('loss'),
  ping_rtt_variance_perc: deviation('rtt'),
  bill_quota_over_quota: billed('quota', 'bills.total_data', 'bills.bill_quota'),
  bill_cdr_over_quota: billed('cdr', 'bills.rate_95th', 'bills.bill_cdr'),
}

/** The value of a macro for a row; null: unknown, or it does not follow from the row. */
export function macroOf(name: string, value: Values): number | null {
  return Object.hasOwn(MACROS, name) ? (MACROS[name]?.(value) ?? null) : null
}
