import { formatIp } from '@portlight/addresses/ip.ts'
import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { wholeUpTo } from '../../lib/whole.ts'
import {
  CB_QOS_DIRECTION,
  CB_QOS_IF_TYPE,
  CB_QOS_OBJECT_TYPE,
  cbQosCMCfgTable,
  cbQosCMStatsTable,
  cbQosObjectsTable,
  cbQosPolicyMapCfgTable,
  cbQosServicePolicyTable,
} from '../../mibs/cisco-class-based-qos-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import { isFrom } from '../vendor.ts'
import { counterKey, type QosClassRow, type QosCounterRow } from './observation.ts'

/** Keys of the follow-ups. */
const POLICIES = 'policies'
const CLASSES = 'classes'

/** Classes that are read of a device. */
const MAX_CLASSES = 10_000
/** Policies within classes: IOS allows three. */
const MAX_DEPTH = 8
const MAX_NAME = 255
const MAX_INDEX = 0xffff_ffff
const MAX_IF_INDEX = 0x7fff_ffff

const NO_POLICIES = need(cbQosServicePolicyTable, [])
const ALL = {
  policies: NO_POLICIES,
  objects: need(cbQosObjectsTable),
  policyMaps: need(cbQosPolicyMapCfgTable),
  classMaps: need(cbQosCMCfgTable),
}
const NONE = {
  policies: need(cbQosServicePolicyTable),
  objects: need(cbQosObjectsTable, []),
  policyMaps: need(cbQosPolicyMapCfgTable, []),
  classMaps: need(cbQosCMCfgTable, []),
}

/**
 * The classes of QoS policies on interfaces (CISCO-CLASS-BASED-QOS-MIB). Those of wireless clients, which come and go,
 * are left out.
 */
export const discoverQos = phase({
  *follow({ device, followed }) {
    if (!isFrom(device, 'cisco')) return
    yield { key: POLICIES, tables: NONE }
    if ((followed.get(POLICIES)?.tables['policies']?.rows.size ?? 0) > 0) yield { key: CLASSES, tables: ALL }
  },
  run({ followed, unread }) {
    const policies = followed.get(POLICIES)?.tables.policies
    if (policies === undefined) return []
    const read = followed.get(CLASSES)?.tables
    const complete = policies.complete && (read === undefined || Object.values(read).every((table) => table.complete))
    if (read === undefined) return [{ kind: 'qos', complete, rows: [] }]
    const { rows, unknown } = classRows(policies.rows, read.objects.rows, {
      policymap: new Map([...read.policyMaps.rows].map(([index, row]) => [index, row.cbQosPolicyMapName])),
      classmap: new Map([...read.classMaps.rows].map(([index, row]) => [index, row.cbQosCMName])),
    })
    unread(cbQosObjectsTable, unknown)
    return [{ kind: 'qos', complete, rows }]
  },
})

/** The columns that show that a class is still the one that discovery found. */
const ATTACHED = need(cbQosServicePolicyTable, ['cbQosPolicyDirection', 'cbQosIfIndex'])
const CONFIGURED = need(cbQosObjectsTable, ['cbQosConfigIndex'])
const COUNTERS = { ...need(cbQosCMStatsTable), sparse: true } as const

/** Their counters. SNMPv1 has no Counter64, so agents asked with it have none of them. */
export const pollQos = phase({
  *follow({ device, followed }) {
    if (!isFrom(device, 'cisco')) return
    yield {
      key: POLICIES,
      tables: { policies: ATTACHED, objects: need(cbQosObjectsTable, []), counters: need(cbQosCMStatsTable, []) },
    }
    if ((followed.get(POLICIES)?.tables['policies']?.rows.size ?? 0) > 0)
      yield { key: CLASSES, tables: { policies: NO_POLICIES, objects: CONFIGURED, counters: COUNTERS } }
  },
  run({ followed }) {
    const policies = followed.get(POLICIES)?.tables.policies.rows
    const read = followed.get(CLASSES)?.tables
    if (policies === undefined || read === undefined) return []
    const rows = [...read.counters.rows].flatMap(([index, row]): QosCounterRow[] => {
      const [policy, object] = decodeIndex(index, ['integer', 'integer']) ?? []
      const attached = policies.get(String(policy))
      const config = read.objects.rows.get(index)?.cbQosConfigIndex
      if (object === undefined || attached === undefined || config === undefined) return []
      const counters = [
        row.cbQosCMPrePolicyByte64,
        row.cbQosCMPostPolicyByte64,
        row.cbQosCMDropByte64,
        row.cbQosCMPrePolicyPkt64,
        row.cbQosCMDropPkt64,
      ].map(counterOf)
      if (counters.every(Number.isNaN)) return []
      const place = { ifIndex: ifIndexOf(attached), direction: directionOf(attached) }
      return [{ key: counterKey({ qos_index: index, config_index: config, ...place }), counters }]
    })
    return [{ kind: 'qos_counters', complete: read.counters.complete, rows: rows.slice(0, MAX_CLASSES) }]
  },
})

type Policy = Row<typeof cbQosServicePolicyTable>
type Names = Readonly<Record<'policymap' | 'classmap', ReadonlyMap<string, string | undefined>>>

/** The classes with their names; `unknown`: indexes of those that have none, are within themselves, or too many. */
function classRows(policies: Rows<typeof cbQosServicePolicyTable>, objects: Rows<typeof cbQosObjectsTable>, of: Names) {
  const found = new Map<string, QosClassRow>()
  const unknown: string[] = []
  for (const [index, { cbQosConfigIndex, cbQosObjectsType }] of objects) {
    if (enumName(CB_QOS_OBJECT_TYPE, cbQosObjectsType) !== 'classmap') continue
    const [policy, object] = decodeIndex(index, ['integer', 'integer']) ?? []
    const attached = policies.get(String(policy))
    // a policy that was attached or detached while it was read
    if (attached === undefined && policy !== undefined && object !== undefined) continue
    const names = policy === undefined || object === undefined ? null : namesOf(objects, of, policy, object)
    const config = wholeUpTo(cbQosConfigIndex, MAX_INDEX) ?? null
    if (attached === undefined || names === null || config === null) {
      unknown.push(index)
      continue
    }
    const circuit = circuitOf(attached)
    if (circuit === null) continue
    const row: QosClassRow = {
      ifIndex: ifIndexOf(attached),
      circuit,
      direction: directionOf(attached),
      ...names,
      qos_index: index,
      config_index: config,
    }
    const key = JSON.stringify([row.ifIndex, circuit, row.direction, row.policy, row.class])
    if (found.has(key)) continue
    if (found.size < MAX_CLASSES) found.set(key, row)
    else unknown.push(index)
  }
  return { rows: [...found.values()], unknown }
}

/** The policy and the class of an object, from the outermost; null: a name is missing, or there is no outermost. */
function namesOf(
  objects: Rows<typeof cbQosObjectsTable>,
  names: Names,
  policy: number,
  object: number,
): Pick<QosClassRow, 'policy' | 'class'> | null {
  const classes: string[] = []
  let outermost: string | undefined
  let at = object
  for (let depth = 0; at !== 0; depth++) {
    const row = objects.get(`${policy}.${at}`)
    const type = enumName(CB_QOS_OBJECT_TYPE, row?.cbQosObjectsType)
    const name = type === undefined ? '' : names[type].get(String(row?.cbQosConfigIndex))
    if (depth > 2 * MAX_DEPTH || name === undefined || name === '') return null
    if (type === 'classmap') classes.unshift(cut(name))
    else outermost = name
    at = row?.cbQosParentObjectsIndex ?? 0
  }
  if (outermost === undefined) return null
  return { policy: cut(outermost), class: cut(classes.join(' / ')) }
}

const cut = (text: string) => text.slice(0, MAX_NAME).toWellFormed()

const directionOf = ({ cbQosPolicyDirection }: Policy) => enumName(CB_QOS_DIRECTION, cbQosPolicyDirection) ?? ''

const ifIndexOf = ({ cbQosIfIndex }: Policy) => wholeUpTo(cbQosIfIndex, MAX_IF_INDEX) ?? 0

/** null: a wireless client. */
function circuitOf(policy: Policy): string | null {
  const number = (value: number | undefined) => wholeUpTo(value, MAX_INDEX) ?? 0
  switch (enumName(CB_QOS_IF_TYPE, policy.cbQosIfType)) {
    case 'frDLCI':
      return `DLCI ${number(policy.cbQosFrDLCI)}`
    case 'atmPVC':
      return `VC ${number(policy.cbQosAtmVPI)}/${number(policy.cbQosAtmVCI)}`
    case 'controlPlane':
      return ['control plane', number(policy.cbQosEntityIndex) || ''].join(' ').trim()
    case 'vlanPort':
      return `VLAN ${number(policy.cbQosVlanIndex)}`
    case 'evc':
      return `EVC ${number(policy.cbQosEVC)}`
    case 'tunnel':
      return ['tunnel', formatIp(policy.cbQosTunDstAddr)].join(' ').trim()
    case 'wirelessIntf':
      return null
    default:
      return ''
  }
}

/** A Counter64; NaN: not reported, or beyond what counts exactly, which takes 100 Gbit/s 22 years. */
function counterOf(value: number | undefined): number {
  return wholeUpTo(value, Number.MAX_SAFE_INTEGER) ?? Number.NaN
}
