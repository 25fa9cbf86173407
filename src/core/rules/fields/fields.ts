import { DEVICE } from '../../records/device.ts'
import { isStoredPortColumn, PORT } from '../../records/port.ts'
import { DEVICE_FIELDS } from './device.ts'
import { HEALTH_FIELDS } from './health.ts'
import { COMMON, type TableWords } from './labels.ts'
import { PORT_FIELDS } from './ports.ts'
import { ROUTING_FIELDS } from './routing.ts'

const TABLES: Readonly<Record<string, TableWords | undefined>> = {
  ...DEVICE_FIELDS,
  ...PORT_FIELDS,
  ...HEALTH_FIELDS,
  ...ROUTING_FIELDS,
}

const MINUTES = [5, 10, 15, 20, 30, 60]

/** Macros by name. */
const MACRO_WORDS: Readonly<Record<string, string | undefined>> = {
  device: 'device is enabled and not ignored',
  device_up: 'device is up',
  device_down: 'device is down',
  port: 'port exists, is polled and not ignored',
  port_up: 'port is up',
  port_down: 'port is down, but not by configuration',
  port_now_down: 'port went down since the last poll',
  port_usage_perc: 'port: use of its speed, busier direction, %',
  port_in_usage_perc: 'port: use of its speed, in, %',
  port_out_usage_perc: 'port: use of its speed, out, %',
  port_in_error_perc: 'port: errors in, share of packets, %',
  port_out_error_perc: 'port: errors out, share of packets, %',
  port_has_xdp_neighbours: 'port has a neighbour',
  port_has_xdp_neighbours_device: 'port has a neighbour that is monitored',
  sensor: 'sensor exists and raises alerts',
  sensor_port_link: 'sensor belongs to a port that is up',
  state_sensor_ok: 'state sensor is ok',
  state_sensor_warning: 'state sensor is in a warning',
  state_sensor_critical: 'state sensor is critical',
  state_sensor_unknown: 'state sensor is unknown',
  service: 'service check is enabled and not ignored',
  component: 'component is enabled and not ignored',
  component_normal: 'component is ok',
  component_warning: 'component is in a warning',
  component_critical: 'component is critical',
  device_cpu_avg_perc: 'device: mean load of its processors, %',
  packet_loss_5m: 'ping: loss in the last 5 minutes, %',
  packet_loss_15m: 'ping: loss in the last 15 minutes, %',
  ping_loss_variance_perc: 'ping: loss, deviation from the mean, %',
  ping_rtt_variance_perc: 'ping: round-trip time, deviation from the mean, %',
  bill_quota_over_quota: 'bill: use of its allowance, %',
  bill_cdr_over_quota: 'bill: use of its committed rate, %',
  device_component_down_cisco: 'a part of a Cisco device is down',
  device_component_down_junos: 'a part of a Junos device is down',
  pdu_over_amperage_apc: 'current of an APC power strip is too high',
  now: 'now',
  ...Object.fromEntries(MINUTES.map((minutes) => [`past_${minutes}m`, `${minutes} minutes ago`])),
}

/**
 * What a field of rules means, in words and with its unit: `port: speed, bit/s`. null: the field is not known, such as one
 * of a rule that was imported.
 */
export function fieldWords(field: string): string | null {
  const [table = '', column = ''] = field.split('.')
  if (table === 'macros') return Object.hasOwn(MACRO_WORDS, column) ? (MACRO_WORDS[column] ?? null) : null
  const words = Object.hasOwn(TABLES, table) ? TABLES[table] : undefined
  if (words === undefined) return null
  const own = Object.hasOwn(words.columns, column) ? words.columns[column] : undefined
  const common = Object.hasOwn(COMMON, column) ? COMMON[column] : undefined
  const shown = aboutOf(table, column)
  const what = own ?? common ?? shown ?? (isOwnId(column) ? 'own number' : undefined)
  return what === undefined ? null : `${words.subject}: ${what}`
}

/** What the description of the API's record says about a column of devices or ports. */
function aboutOf(table: string, column: string): string | undefined {
  const isShown = table === 'devices' || (table === 'ports' && isStoredPortColumn(column))
  const members: Readonly<Record<string, { readonly form: string; readonly about?: string }>> =
    table === 'devices' ? DEVICE : PORT
  const about = isShown && Object.hasOwn(members, column) ? members[column]?.about : undefined
  return about === undefined ? undefined : about.charAt(0).toLowerCase() + about.slice(1)
}

/** Primary keys: `id`, `sensor_id`. Numbers of other objects are described where they are. */
const isOwnId = (column: string) => column === 'id' || /^[\w]+_id$/.test(column)

/** What a row of a table is, in words: `BGP session`. null: the table is not known. */
export function tableWords(table: string): string | null {
  return (Object.hasOwn(TABLES, table) ? TABLES[table]?.subject : null) ?? null
}
