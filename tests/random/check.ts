import type { Dialect } from '../../src/core/base/actor.ts'
import type { Made } from './requests.ts'

/** An answer as it came. */
export interface Received {
  readonly status: number
  /** Without parameters. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** Nothing is stored yet, or the graph is none; the answer of every operation that draws. */
const NO_PICTURE = [/^No Data file /, / template missing$/s]
const RULE = [
  /^We couldn't parse the provided json$/,
  /^We couldn't parse your rule$/,
  /^Addition failed : Name has already been used$/,
  /^Update failed : Invalid rule id$/,
  /^Failed to update existing alert rule$/,
]

/**
 * The answers of 500 that clients of LibreNMS know, as the contract lists them, by operation and message: only dialect
 * `librenms` sends them. Any other 500 is a fault.
 */
export const KNOWN_FAILURES: Readonly<Record<string, readonly RegExp[]>> = {
  // an order by what is no column of devices
  list_devices: [/^Server Error$/],
  // taken names and addresses, agents that do not answer, versions that there are not
  add_device: [
    / already exists$/s,
    /^Cannot add .+, already have device .+ with this IP /s,
    /^Already have device .+ due to duplicate sysName: /s,
    /^Could not ping /,
    /^Could not connect to .+, please check the snmp details and snmp reachability$/s,
    /^Unsupported SNMP Version ".*", must be v1, v2c, or v3$/s,
    /^Failed to add device$/,
  ],
  // what cannot be changed, lists of different length, values that a column cannot hold
  update_device_field: [
    /^Device field is not allowed to be updated/,
    /^Device fields failed to be updated/,
    /^Device .+ field failed to be updated$/s,
  ],
  rename_device: [/^Device failed to be renamed$/],
  // a severity beyond 0 to 5
  add_eventlog: [/^Server Error$/],
  edit_components: [/^Components could not be edited\.$/],
  delete_components: [/^Components could not be deleted\.$/],
  add_devicegroup: [/^We couldn't parse your rule$/],
  update_devicegroup: [/^We couldn't parse your rule$/],
  edit_bgp_descr: [/^Invalid JSON data$/],
  // an empty list
  list_ospfv3: [/^Error retrieving ospfv3_nbrs$/],
  add_rule: RULE,
  edit_rule: RULE,
  // a template that is not there
  add_alert_template: [/^Server Error$/],
  edit_alert_template: [/^Server Error$/],
  get_service_for_host: [/^No valid hostname or device id provided$/],
  edit_service_from_host: [/^Failed to update the service with id /],
  delete_service_from_host: [/^Failed to delete the service$/],
  // a name that is taken
  add_location: [/^Server Error$/],
  edit_location: [/^Failed to update location$/],
  create_edit_bill: [
    /^Invalid JSON data$/,
    /^Port .+ does not exists$/s,
    /^Argument bill_id is not allowed on bill create \(auto assigned\)$/,
    /^Missing parameters: {2}\w+/,
  ],
  // always: there is no such thing in LibreNMS either
  update_transceiver_metric_thresholds: [/^Server Error$/],
  get_graph_generic_by_hostname: NO_PICTURE,
  get_graph_by_port_hostname: NO_PICTURE,
  get_health_graph: NO_PICTURE,
  get_health_sensor_graph: NO_PICTURE,
  get_wireless_graph: NO_PICTURE,
  get_wireless_sensor_graph: NO_PICTURE,
  get_graph_by_service: NO_PICTURE,
  get_graph_by_portgroup: NO_PICTURE,
  get_graph_by_portgroup_multiport_bits: NO_PICTURE,
  get_bill_graph: NO_PICTURE,
  get_bill_history_graph: NO_PICTURE,
}

/** Words of a runtime, a driver or a database, which no client should ever read. */
const LEAKS =
  /\bat .+:\d+:\d+|node_modules|\/src\/|PostgresError|syntax error at|relation "|column "|does not exist at|operator does not|invalid input syntax|violates |duplicate key|out of range for type|\bECONN|\bSELECT .+ FROM\b|TypeError|RangeError|undefined is not|is not a function/i

/** What is wrong with an answer to a caller of the dialect; null: nothing. */
export function faultOf({ operation }: Made, { status, type, bytes }: Received, dialect: Dialect): string | null {
  const text = type.endsWith('json') ? new TextDecoder().decode(bytes) : ''
  if (status >= 400 && LEAKS.test(text)) return `tells of the inside: ${text.slice(0, 300)}`
  const contents = operation.answers.get(status)
  if (contents === undefined) return `status ${status} is not declared: ${text.slice(0, 200)}`
  const validate = contents.get(type)
  if (validate === undefined) return `${status} as «${type}» is not declared: ${text.slice(0, 200)}`
  if (validate === null) {
    const isPicture = type !== 'image/png' || Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG'
    return isPicture ? null : 'no PNG'
  }
  const json = parse(text)
  if (json === undefined) return `no JSON: ${text.slice(0, 200)}`
  if (!validate(json)) {
    const [error] = validate.errors ?? []
    return `${status} is not as declared: ${error?.instancePath} ${error?.message}: ${text.slice(0, 300)}`
  }
  if (status !== 500) return null
  if (dialect === 'documented') return `500: ${text.slice(0, 200)}`
  const message = messageOf(json)
  const isKnown = KNOWN_FAILURES[operation.id]?.some((pattern) => pattern.test(message)) ?? false
  return isKnown ? null : `500 that the contract does not list: ${text.slice(0, 200)}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(json: unknown): string {
  const { message } = { message: '', ...(typeof json === 'object' ? json : {}) }
  return typeof message === 'string' ? message : JSON.stringify(message)
}
