import type { FaultRow } from '../context.ts'
import type { GraphChoice } from '../signed-graphs.ts'
import { portName } from './of-ports.ts'
import { type RowView, type SentenceRule, viewOf } from './row-view.ts'
import { limitsOn } from './words.ts'

/** The graph of the value that a fault is about. Of a service check, `id` is the check, and the graph its first value. */
export interface FaultGraph extends Omit<GraphChoice, 'of'> {
  readonly of: GraphChoice['of'] | 'service' | 'bill'
  /** What it shows: `Traffic of Gi1/0/17`. */
  readonly title: string
  /** Limits of the rule in the unit of the graph; those that a sensor has itself are drawn anyway. */
  readonly limits: readonly { readonly value: number; readonly lower: boolean; readonly mirrored: boolean }[]
}

const idOf = (view: RowView, field: string): number | null => {
  const id = view.number(field)
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Parts of devices with a graph of their own: table, id, type of the graph, name, compared share, what is 100 %. */
const PARTS = [
  ['storage', 'storage_id', 'device_storage', 'storage_descr', 'storage_perc', 'storage_size'],
  ['mempools', 'mempool_id', 'device_mempool', 'mempool_descr', 'mempool_perc', 'mempool_total'],
  ['processors', 'processor_id', 'device_processor', 'processor_descr', 'processor_usage', null],
] as const

const PING = /^(devices\.(status|last_ping\w*)|device_stats\.\w+|macros\.(device_down|packet_loss\w*|ping_\w+))$/

/** The graph of a fault; null: there is none of its value. */
export function faultGraph(rule: SentenceRule, row: FaultRow): FaultGraph | null {
  const view = viewOf(rule, row)
  const device =
    idOf(view, 'devices.device_id') ?? (Number.isSafeInteger(row['device_id']) ? Number(row['device_id']) : 0)
  if (device <= 0) return null
  if (rule.inverted) return null
  return (
    sensorGraph(view, device) ??
    partGraph(view, device) ??
    sessionGraph(view, device) ??
    serviceGraph(view) ??
    billGraph(view) ??
    portGraph(view) ??
    pingGraph(view, device)
  )
}

function sensorGraph(view: RowView, device: number): FaultGraph | null {
  const table = view.has('sensors') ? 'sensors' : 'wireless_sensors'
  const id = idOf(view, `${table}.sensor_id`)
  const kind = view.text(`${table}.sensor_class`, 40)
  if (id === null || !/^[a-z][a-z_-]*$/.test(kind)) return null
  // limits in columns of the sensor are drawn by the graph itself
  const own = ['sensor_limit', 'sensor_limit_warn', 'sensor_limit_low', 'sensor_limit_low_warn']
  const known = own.map((column) => view.number(`${table}.${column}`))
  const limits = limitsOn(view, [`${table}.sensor_current`])
    .filter(({ value }) => kind !== 'state' && !known.includes(value))
    .map((limit) => ({ ...limit, mirrored: false }))
  const type = table === 'sensors' ? `device_${kind}` : `device_wireless_${kind}`
  return { type, of: 'device', id: device, only: id, title: view.text(`${table}.sensor_descr`, 80) || kind, limits }
}

function partGraph(view: RowView, device: number): FaultGraph | null {
  for (const [table, idColumn, type, name, share, whole] of PARTS) {
    const id = idOf(view, `${table}.${idColumn}`)
    if (id === null) continue
    // graphs of memory and file systems are in bytes
    const factor = whole === null ? 1 : (view.number(`${table}.${whole}`) ?? Number.NaN) / 100
    const limits = limitsOn(view, [`${table}.${share}`])
      .map(({ value, lower }) => ({ value: value * factor, lower, mirrored: false }))
      .filter(({ value }) => Number.isFinite(value))
    return { type, of: 'device', id: device, only: id, title: view.text(`${table}.${name}`, 80) || table, limits }
  }
  return null
}

/** What a rule compares of a BGP session, and the graph of it; otherwise that of the prefixes, which vanish with the session. */
const SESSION_GRAPHS = [
  [/^bgpPeers\.bgpPeer(In|Out)Updates/, 'device_bgp_updates', 'Updates'],
  [/^bgpPeers\.bgpPeer(In|Out)TotalMessages/, 'device_bgp_messages', 'Messages'],
] as const

function sessionGraph(view: RowView, device: number): FaultGraph | null {
  const id = view.has('bgpPeers') ? idOf(view, 'bgpPeers.bgpPeer_id') : null
  if (id === null) return null
  const compared = SESSION_GRAPHS.find(([fields]) => view.held.some(({ field }) => fields.test(field)))
  const [, type, what] = compared ?? [null, 'device_bgp_prefixes', 'Accepted prefixes']
  const peer = view.text('bgpPeers.bgpPeerIdentifier', 60)
  const title = `${what}${peer === '' ? '' : ` from ${peer}`}`
  const accepted = compared === undefined ? limitsOn(view, ['bgpPeers_cbgp.AcceptedPrefixes']) : []
  return {
    type,
    of: 'device',
    id: device,
    only: id,
    title,
    limits: accepted.map((one) => ({ ...one, mirrored: false })),
  }
}

function serviceGraph(view: RowView): FaultGraph | null {
  const id = view.has('services') ? idOf(view, 'services.service_id') : null
  if (id === null) return null
  const name = view.text('services.service_name', 80) || view.text('services.service_type', 80)
  return { type: 'service_graph', of: 'service', id, only: null, title: name || 'Service check', limits: [] }
}

const BILL_RATES = ['bills.rate_95th', 'bills.rate_95th_in', 'bills.rate_95th_out', 'bills.rate_average']

/** The traffic of a bill, with the rate that the rule compares; else with the committed one, if it is billed by rate. */
function billGraph(view: RowView): FaultGraph | null {
  const id = view.has('bills') ? (idOf(view, 'bills.bill_id') ?? idOf(view, 'bill_ports.bill_id')) : null
  if (id === null) return null
  const committed = view.text('bills.bill_type', 10) === 'cdr' ? view.number('bills.bill_cdr') : null
  const compared = limitsOn(view, BILL_RATES)
  const usual = committed === null || committed <= 0 ? [] : [{ value: committed, lower: false }]
  const limits = (compared.length > 0 ? compared : usual).map((limit) => ({ ...limit, mirrored: false }))
  const name = view.text('bills.bill_name', 80)
  return { type: 'bill_bits', of: 'bill', id, only: null, title: `Traffic of ${name || 'the bill'}`, limits }
}

const IN_PERCENT = ['macros.port_usage_perc', 'macros.port_in_usage_perc', 'macros.port_out_usage_perc']

function portGraph(view: RowView): FaultGraph | null {
  const id = view.has('ports') ? idOf(view, 'ports.port_id') : null
  if (id === null) return null
  const errors = view.held.some(({ field }) => /error|discard/i.test(field))
  const speed = view.number('ports.ifSpeed')
  const limits = limitsOn(view, IN_PERCENT).flatMap(({ value, lower }) =>
    speed === null || speed <= 0 || errors ? [] : [{ value: (value / 100) * speed, lower, mirrored: true }],
  )
  const title = `${errors ? 'Errors' : 'Traffic'} of ${portName(view)}`
  return { type: errors ? 'port_errors' : 'port_bits', of: 'port', id, only: null, title, limits }
}

function pingGraph(view: RowView, device: number): FaultGraph | null {
  if (!view.held.some(({ field }) => PING.test(field))) return null
  return { type: 'device_icmp_perf', of: 'device', id: device, only: null, title: 'Ping', limits: [] }
}
