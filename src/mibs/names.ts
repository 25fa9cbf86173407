import type { MibScalar, MibTable } from '@portlight/snmp/table.ts'
import * as adslLineMib from './adsl-line-mib.ts'
import * as aiApMib from './ai-ap-mib.ts'
import * as alcatelMacAddressMib from './alcatel-mac-address-mib.ts'
import * as alcatelVlanMgrMib from './alcatel-vlan-mgr-mib.ts'
import * as aristaEntitySensorMib from './arista-entity-sensor-mib.ts'
import * as arubawiredPmMib from './arubawired-pm-mib.ts'
import * as arubawiredPortAccessMib from './arubawired-port-access-mib.ts'
import * as atPluggableDiagnosticsMib from './at-pluggable-diagnostics-mib.ts'
import * as bgp4Mib from './bgp4-mib.ts'
import * as bgp4v2Mib from './bgp4v2-mib.ts'
import * as bridgeMib from './bridge-mib.ts'
import * as ciscoAuthFrameworkMib from './cisco-auth-framework-mib.ts'
import * as ciscoBgp4Mib from './cisco-bgp4-mib.ts'
import * as ciscoCdpMib from './cisco-cdp-mib.ts'
import * as ciscoClassBasedQosMib from './cisco-class-based-qos-mib.ts'
import * as ciscoIpsecFlowMonitorMib from './cisco-ipsec-flow-monitor-mib.ts'
import * as ciscoPortSecurityMib from './cisco-port-security-mib.ts'
import * as ciscoRttmonMib from './cisco-rttmon-mib.ts'
import * as ciscoStpExtensionsMib from './cisco-stp-extensions-mib.ts'
import * as ciscoVtpMib from './cisco-vtp-mib.ts'
import * as dellAuthManagerMib from './dell-auth-manager-mib.ts'
import * as dismanPingMib from './disman-ping-mib.ts'
import * as eltexMesPhysicalDescriptionMib from './eltex-mes-physical-description-mib.ts'
import * as entityMib from './entity-mib.ts'
import * as entitySensorMib from './entity-sensor-mib.ts'
import * as etherlikeMib from './etherlike-mib.ts'
import * as extremeEdpMib from './extreme-edp-mib.ts'
import * as extremeVlanMib from './extreme-vlan-mib.ts'
import * as f5BigipLocalMib from './f5-bigip-local-mib.ts'
import * as fcmgmtMib from './fcmgmt-mib.ts'
import * as firebrickBgpMib from './firebrick-bgp-mib.ts'
import * as foundryMib from './foundry-mib.ts'
import * as foundryVlanMib from './foundry-vlan-mib.ts'
import * as hh3cTransceiverInfoMib from './hh3c-transceiver-info-mib.ts'
import * as hostResourcesMib from './host-resources-mib.ts'
import * as hpDot1xExtensionsMib from './hp-dot1x-extensions-mib.ts'
import * as hpIcfTransceiverMib from './hp-icf-transceiver-mib.ts'
import * as huaweiAaaMib from './huawei-aaa-mib.ts'
import * as huaweiBgpVpnMib from './huawei-bgp-vpn-mib.ts'
import * as huaweiL2mamMib from './huawei-l2mam-mib.ts'
import * as huaweiOpticalMib from './huawei-optical-mib.ts'
import * as ieee8021QBridgeMib from './ieee8021-q-bridge-mib.ts'
import * as ieee8023LagMib from './ieee8023-lag-mib.ts'
import * as ifMib from './if-mib.ts'
import * as ipForwardMib from './ip-forward-mib.ts'
import * as ipMib from './ip-mib.ts'
import * as ipiCmmChassisMib from './ipi-cmm-chassis-mib.ts'
import * as ipsecMibs from './ipsec-mibs.ts'
import * as ipv6Mib from './ipv6-mib.ts'
import * as isisMib from './isis-mib.ts'
import * as juniperBgp4V2Mib from './juniper-bgp4-v2-mib.ts'
import * as juniperDomMib from './juniper-dom-mib.ts'
import * as juniperMib from './juniper-mib.ts'
import * as juniperRpmMib from './juniper-rpm-mib.ts'
import * as juniperVlanMib from './juniper-vlan-mib.ts'
import * as l3vpnMibs from './l3vpn-mibs.ts'
import * as lldpMib from './lldp-mib.ts'
import * as lmSensorsMib from './lm-sensors-mib.ts'
import * as mikrotikMib from './mikrotik-mib.ts'
import * as mikrotikOpticalMib from './mikrotik-optical-mib.ts'
import * as opticsTables from './optics-tables.ts'
import * as ospfMib from './ospf-mib.ts'
import * as ospfv3Mib from './ospfv3-mib.ts'
import * as printerMib from './printer-mib.ts'
import * as qBridgeMib from './q-bridge-mib.ts'
import * as rcVlanMib from './rc-vlan-mib.ts'
import * as snmpFrameworkMib from './snmp-framework-mib.ts'
import * as snmpv2Mib from './snmpv2-mib.ts'
import * as timetraBgpMib from './timetra-bgp-mib.ts'
import * as timetraChassisMib from './timetra-chassis-mib.ts'
import * as timetraPortMib from './timetra-port-mib.ts'
import * as timetraServMib from './timetra-serv-mib.ts'
import * as timetraVrtrMib from './timetra-vrtr-mib.ts'
import * as tplinkDot1qVlanMib from './tplink-dot1q-vlan-mib.ts'
import * as tplinkIpv6addrMib from './tplink-ipv6addr-mib.ts'
import * as transceiverTables from './transceiver-tables.ts'
import * as tropicPsdMib from './tropic-psd-mib.ts'
import * as ucdSnmpMib from './ucd-snmp-mib.ts'
import * as vdsl2LineMib from './vdsl2-line-mib.ts'
import * as zyxelTransceiverMib from './zyxel-transceiver-mib.ts'

/** Every MIB module in this folder. */
const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  adslLineMib,
  aiApMib,
  alcatelMacAddressMib,
  alcatelVlanMgrMib,
  aristaEntitySensorMib,
  arubawiredPmMib,
  arubawiredPortAccessMib,
  atPluggableDiagnosticsMib,
  bgp4Mib,
  bgp4v2Mib,
  bridgeMib,
  ciscoAuthFrameworkMib,
  ciscoBgp4Mib,
  ciscoCdpMib,
  ciscoClassBasedQosMib,
  ciscoIpsecFlowMonitorMib,
  ciscoPortSecurityMib,
  ciscoRttmonMib,
  ciscoStpExtensionsMib,
  ciscoVtpMib,
  dellAuthManagerMib,
  dismanPingMib,
  eltexMesPhysicalDescriptionMib,
  entityMib,
  entitySensorMib,
  etherlikeMib,
  extremeEdpMib,
  extremeVlanMib,
  f5BigipLocalMib,
  fcmgmtMib,
  firebrickBgpMib,
  foundryMib,
  foundryVlanMib,
  hh3cTransceiverInfoMib,
  hostResourcesMib,
  hpDot1xExtensionsMib,
  hpIcfTransceiverMib,
  huaweiAaaMib,
  huaweiBgpVpnMib,
  huaweiL2mamMib,
  huaweiOpticalMib,
  ieee8021QBridgeMib,
  ieee8023LagMib,
  ifMib,
  ipMib,
  ipiCmmChassisMib,
  ipsecMibs,
  ipv6Mib,
  ipForwardMib,
  isisMib,
  juniperBgp4V2Mib,
  juniperDomMib,
  juniperMib,
  juniperRpmMib,
  juniperVlanMib,
  l3vpnMibs,
  lldpMib,
  lmSensorsMib,
  mikrotikMib,
  mikrotikOpticalMib,
  opticsTables,
  ospfMib,
  ospfv3Mib,
  printerMib,
  qBridgeMib,
  rcVlanMib,
  snmpFrameworkMib,
  snmpv2Mib,
  timetraBgpMib,
  timetraChassisMib,
  timetraPortMib,
  timetraServMib,
  timetraVrtrMib,
  tplinkDot1qVlanMib,
  tplinkIpv6addrMib,
  transceiverTables,
  tropicPsdMib,
  ucdSnmpMib,
  vdsl2LineMib,
  zyxelTransceiverMib,
]

/** The name of an OID. */
export interface ObjectName {
  /** `IF-MIB::ifDescr.3`; a column not defined here is `IF-MIB::ifEntry.1.3`. */
  readonly text: string
  /** Without module and instance: `ifDescr`. */
  readonly object: string
}

interface Known {
  readonly kind: 'subtree' | 'table' | 'entry' | 'column' | 'scalar'

  /** With its module: `IF-MIB::ifDescr`. */
  readonly name: string
  readonly oid: string
}

/** Common subtrees in addition to those of the tables. */
const SUBTREES: readonly Known[] = [
  { kind: 'subtree', name: 'SNMPv2-SMI::internet', oid: '1.3.6.1' },
  { kind: 'subtree', name: 'SNMPv2-SMI::mib-2', oid: '1.3.6.1.2.1' },
  { kind: 'subtree', name: 'SNMPv2-SMI::enterprises', oid: '1.3.6.1.4.1' },
  { kind: 'subtree', name: 'SNMPv2-MIB::system', oid: '1.3.6.1.2.1.1' },
  { kind: 'subtree', name: 'IF-MIB::interfaces', oid: '1.3.6.1.2.1.2' },
  { kind: 'subtree', name: 'IF-MIB::ifMIB', oid: '1.3.6.1.2.1.31' },
  { kind: 'subtree', name: 'HOST-RESOURCES-MIB::host', oid: '1.3.6.1.2.1.25' },
]

const parentOf = (oid: string) => oid.slice(0, oid.lastIndexOf('.'))

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isTable(value: object): value is MibTable {
  return 'entry' in value && 'columns' in value
}

function isScalar(value: object): value is MibScalar {
  return 'oid' in value && 'syntax' in value
}

/** The names of all tables and scalars in this folder, with tables and entries before their columns. */
function objects(): Known[] {
  const exported = MODULES.flatMap((module) => Object.values(module))
    .filter(isObject)
    // objects that are read together are exported as a group
    .flatMap((value) => (isTable(value) || isScalar(value) ? [value] : Object.values(value).filter(isObject)))
  const known = [...SUBTREES]
  for (const { name, entry, columns } of exported.filter(isTable)) {
    const [module = ''] = name.split('::')
    known.push(
      { kind: 'table', name, oid: parentOf(entry) },
      { kind: 'entry', name: name.replace(/Table$/, 'Entry'), oid: entry },
    )
    for (const [column, { id }] of Object.entries(columns))
      known.push({ kind: 'column', name: `${module}::${column}`, oid: `${entry}.${id}` })
  }
  for (const { name, oid } of exported.filter(isScalar)) known.push({ kind: 'scalar', name, oid: parentOf(oid) })
  return known
}

let index: {
  readonly byName: ReadonlyMap<string, readonly Known[]>
  readonly byOid: ReadonlyMap<string, Known>
} | null = null

/** Built on first use, because only commands need it. */
function names() {
  if (index === null) {
    const all = objects()
    index = {
      byName: Map.groupBy(all, ({ name }) => bare(name).toLowerCase()),
      byOid: new Map(all.toReversed().map((object) => [object.oid, object])),
    }
  }
  return index
}

const bare = (name: string) => name.slice(name.lastIndexOf(':') + 1)

/**
 * The OID, in dotted decimal, for a name as users type it: `sysDescr.0`, `ifTable`, `IF-MIB::ifDescr.3`. Dotted decimal
 * is returned without a leading dot. For an unknown name the closest known one is suggested, if there is one.
 */
export function oidOf(text: string): { readonly oid: string } | { readonly oid: null; readonly meant: string | null } {
  if (/^\.?\d+(\.\d+)*$/.test(text)) return { oid: text.replace(/^\./, '') }
  const [, module = '', name = '', instance = ''] = /^(?:([\w-]+)::)?([A-Za-z][\w-]*)((?:\.\d+)*)$/.exec(text) ?? []
  const alike = names().byName.get(name.toLowerCase()) ?? []
  const exact = alike.find(
    (object) => bare(object.name) === name && (module === '' || object.name === `${module}::${name}`),
  )
  if (exact !== undefined) return { oid: exact.oid + instance }
  return { oid: null, meant: alike[0]?.name ?? nearest(name) }
}

/** The closest name, within two edits; null: none. */
function nearest(name: string): string | null {
  const wanted = name.toLowerCase()
  let best: { readonly name: string; readonly off: number } | null = null
  for (const [other, [object]] of names().byName) {
    if (object === undefined || Math.abs(other.length - wanted.length) > 2) continue
    const off = distance(wanted, other)
    if (off <= 2 && (best === null || off < best.off)) best = { name: object.name, off }
  }
  return best?.name ?? null
}

/** The number of letters changed, added or removed (edit distance). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Whether this is a scalar without its instance `.0`. */
export function isScalarOid(oid: string): boolean {
  return names().byOid.get(oid)?.kind === 'scalar'
}

/** The name of an OID, from its longest known prefix; null: it is not in any table or scalar here. */
export function nameOf(oid: string): ObjectName | null {
  for (let at = oid.length; at > 0; at = oid.lastIndexOf('.', at - 1)) {
    const object = names().byOid.get(oid.slice(0, at))
    if (object === undefined) continue
    // The name of a subtree is not specific enough to be useful.
    if (object.kind === 'subtree') return null
    return { text: object.name + oid.slice(at), object: bare(object.name) }
  }
  return null
}
