/** A macro: an expression over `{table.column}` and `{macros.name}`, and its type. */
export interface Macro {
  readonly type: 'condition' | 'number' | 'time'
  readonly sql: string
  /** Fields that it reads besides those in braces. */
  readonly reads?: readonly string[]
}

const condition = (sql: string): Macro => ({ type: 'condition', sql: `(${sql})` })
const number = (sql: string): Macro => ({ type: 'number', sql: `(${sql})` })
const time = (minutes: number): Macro => ({
  type: 'time',
  sql: minutes === 0 ? 'now()' : `(now() - interval '${minutes} minutes')`,
})

/** Utilisation of a port in percent of its speed; unknown if the speed is unknown. */
const portUsage = (octetsPerSecond: string) => number(`${octetsPerSecond} * 8 * 100 / nullif({ports.ifSpeed}, 0)`)

/** Errors in percent of unicast packets. */
const portErrors = (way: 'In' | 'Out') =>
  number(`{ports.if${way}Errors_rate} * 100 / nullif({ports.if${way}UcastPkts_rate}, 0)`)

/** A state sensor in this generic state. */
const stateSensor = (generic: number) =>
  condition(
    `{sensors.sensor_current} = {state_translations.state_value} and {state_translations.state_generic_value} = ${generic}`,
  )

/** Deviation of the last ping from the average, in percent. */
const pingVariance = (kind: 'loss' | 'rtt') =>
  number(
    `({device_stats.ping_${kind}_last} - {device_stats.ping_${kind}_avg}) * 100 / nullif({device_stats.ping_${kind}_avg}, 0)`,
  )

/** A vendor-specific state sensor that is critical, because a part of the device is down. */
const componentDown = (types: string) =>
  condition(
    `{sensors.sensor_class} = 'state' and {sensors.sensor_type} ilike '${types}' and {macros.state_sensor_critical}`,
  )

const component = (status: number) => condition(`{component.status} = ${status} and {macros.component}`)

/** Macros of rules (contract BEHAVIOUR.md 9) by name. A condition is 1 or 0, or null if unknown. */
export const MACROS: Readonly<Record<string, Macro>> = {
  device: condition('{devices.disabled} = 0 and {devices.ignore} = 0'),
  device_up: condition('{devices.status} = 1 and {macros.device}'),
  device_down: condition('{devices.status} = 0 and {macros.device}'),
  port: condition('{ports.deleted} = 0 and {ports.ignore} = 0 and {ports.disabled} = 0'),
  port_up: condition(`{ports.ifOperStatus} = 'up' and {ports.ifAdminStatus} = 'up' and {macros.port}`),
  port_down: condition(`{ports.ifOperStatus} = 'down' and {ports.ifAdminStatus} <> 'down' and {macros.port}`),
  port_now_down: condition(
    `{ports.ifOperStatus} <> {ports.ifOperStatus_prev} and {ports.ifOperStatus_prev} = 'up'
      and {ports.ifAdminStatus} = 'up' and {macros.port}`,
  ),
  port_usage_perc: portUsage('greatest({ports.ifInOctets_rate}, {ports.ifOutOctets_rate})'),
  port_in_usage_perc: portUsage('{ports.ifInOctets_rate}'),
  port_out_usage_perc: portUsage('{ports.ifOutOctets_rate}'),
  port_in_error_perc: portErrors('In'),
  port_out_error_perc: portErrors('Out'),
  port_has_xdp_neighbours: condition('{links.local_port_id} = {ports.port_id}'),
  port_has_xdp_neighbours_device: condition('{macros.port_has_xdp_neighbours} and {links.remote_port_id} is not null'),
  sensor: condition('{sensors.sensor_alert} = 1'),
  sensor_port_link: condition(
    `{sensors.entPhysicalIndex_measured} = 'ports' and {sensors.entPhysicalIndex} = {ports.ifIndex}::text
      and {macros.port_up}`,
  ),
  state_sensor_ok: stateSensor(0),
  state_sensor_warning: stateSensor(1),
  state_sensor_critical: stateSensor(2),
  state_sensor_unknown: stateSensor(3),
  service: condition('{services.service_disabled} = 0 and {services.service_ignore} = 0'),
  component: condition('{component.disabled} = 0 and {component.ignore} = 0'),
  component_normal: component(0),
  component_warning: component(1),
  component_critical: component(2),
  device_cpu_avg_perc: {
    ...number('(select avg(c.processor_usage) from processors c where c.device_id = {devices.device_id})'),
    reads: ['processors.processor_usage'],
  },
  packet_loss_5m: number('case when {devices.status} = 0 then 100 else 0 end'),
  packet_loss_15m: number('case when {devices.status} = 0 then 100 else 0 end'),
  ping_loss_variance_perc: pingVariance('loss'),
  ping_rtt_variance_perc: pingVariance('rtt'),
  bill_quota_over_quota: number(
    `case when {bills.bill_type} = 'quota' then {bills.total_data} * 100.0 / nullif({bills.bill_quota}, 0) end`,
  ),
  bill_cdr_over_quota: number(
    `case when {bills.bill_type} = 'cdr' then {bills.rate_95th} * 100.0 / nullif({bills.bill_cdr}, 0) end`,
  ),
  device_component_down_cisco: componentDown('cisco%'),
  device_component_down_junos: componentDown('jnx%'),
  pdu_over_amperage_apc: condition(
    `{devices.os} = 'apc' and {sensors.sensor_class} = 'current' and {sensors.sensor_descr} = 'Bank Total'
      and {sensors.sensor_current} > {sensors.sensor_limit}`,
  ),
  now: time(0),
  past_5m: time(5),
  past_10m: time(10),
  past_15m: time(15),
  past_20m: time(20),
  past_30m: time(30),
  past_60m: time(60),
}
