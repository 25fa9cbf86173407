import { decodeIndex } from '../../lib/index-decode.ts'
import { alaSlMacAddressGlobalTable, slMacAddressTable } from '../../mibs/alcatel-mac-address-mib.ts'
import { hwdbDynFdbTable } from '../../mibs/huawei-l2mam-mib.ts'
import { tlsFdbInfoTable } from '../../mibs/timetra-serv-mib.ts'
import { type DeviceFacts, need } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import { sapVlan } from '../vlans/vendors.ts'
import type { FdbRow } from './observation.ts'

const SAP = 1
const VLAN_DOMAIN = 1
const BRIDGING = 1

/** Vendors' own forwarding databases, read from devices without one in Q-BRIDGE-MIB; all name VLAN and interface. */
const SOURCES: readonly Source<undefined, readonly FdbRow[]>[] = [
  source({
    vendors: ['huawei'],
    tables: { learned: need(hwdbDynFdbTable) },
    // addresses of a VSI have no VLAN
    read: ({ learned }) =>
      [...learned].flatMap(([index, { hwDynFdbPort: ifIndex }]) => {
        const [mac, vlan] = decodeIndex(index, ['mac', 'integer', 'text']) ?? []
        return fdbRow(mac, vlan, ifIndex)
      }),
  }),
  source({
    vendors: ['nokia'],
    tables: { learned: need(tlsFdbInfoTable) },
    read: ({ learned }) =>
      [...learned].flatMap(([index, row]) => {
        const mac = decodeIndex(index, ['integer', 'mac'])?.[1]
        if ((row.tlsFdbLocale ?? SAP) !== SAP) return []
        return fdbRow(mac, sapVlan(row.tlsFdbEncapValue ?? 0) ?? 0, row.tlsFdbPortId)
      }),
  }),
  source({
    vendors: ['alcatelAos6'],
    tables: { learned: need(slMacAddressTable) },
    read: ({ learned }) =>
      [...learned].flatMap(([index, { slMacAddressDisposition: disposition = BRIDGING }]) => {
        const [ifIndex, vlan, mac] = decodeIndex(index, ['integer', 'integer', 'mac']) ?? []
        return disposition === BRIDGING ? fdbRow(mac, vlan, ifIndex) : []
      }),
  }),
  source({
    vendors: ['alcatelAos'],
    tables: { learned: need(alaSlMacAddressGlobalTable) },
    read: ({ learned }) =>
      [...learned].flatMap(([index, { slMacAddressGblDisposition: disposition = BRIDGING }]) => {
        const [domain, , ifIndex, vlan, , mac] =
          decodeIndex(index, ['integer', 'integer', 'integer', 'integer', 'integer', 'mac']) ?? []
        return domain === VLAN_DOMAIN && disposition === BRIDGING ? fdbRow(mac, vlan, ifIndex) : []
      }),
  }),
]

const MAX_VLAN = 4095

/** A row, unless its index or its interface is unknown. A VLAN of 0 is none. */
function fdbRow(mac: string | undefined, vlan: number | undefined, ifIndex: number | undefined): readonly FdbRow[] {
  if (mac === undefined || vlan === undefined || ifIndex === undefined || ifIndex <= 0) return []
  return [{ mac_address: mac, vlan: vlan > 0 && vlan <= MAX_VLAN ? vlan : null, ifIndex }]
}

export function sourcesOf(device: DeviceFacts): readonly Source<undefined, readonly FdbRow[]>[] {
  return SOURCES.filter(({ vendors }) => isOf(device, vendors))
}
