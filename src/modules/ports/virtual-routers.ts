import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { VRTR_IF_TYPE, type vRtrIfTable } from '../../mibs/timetra-vrtr-mib.ts'
import { portDescription } from './description.ts'
import type { PortRow } from './observation.ts'

const MAX_IF_INDEX = 0x7fff_ffff

/**
 * Router interfaces of Nokia SR OS that ifTable lacks: those of services, of management and of its own network. Their
 * states and counters are in no table that polling reads, so they are unknown. Where two virtual routers use the same
 * ifIndex, the first has it. `known`: whether ifTable has an ifIndex.
 */
export function virtualRouterPorts(
  rows: Rows<typeof vRtrIfTable>,
  known: (ifIndex: number) => boolean,
): readonly PortRow[] {
  const ports = new Map<number, PortRow>()
  for (const [index, { vRtrIfName: ifName, vRtrIfType, vRtrIfMtu, vRtrIfDescription }] of rows) {
    const ifIndex = decodeIndex(index, ['integer', 'integer'])?.[1] ?? 0
    if (!ifName || ifIndex < 1 || ifIndex > MAX_IF_INDEX || known(ifIndex) || ports.has(ifIndex)) continue
    const ifAlias = vRtrIfDescription || ifName
    ports.set(ifIndex, {
      ifIndex,
      ifName,
      ifDescr: ifName,
      ifAlias,
      ...portDescription(ifAlias),
      ifType: enumName(VRTR_IF_TYPE, vRtrIfType),
      ifMtu: vRtrIfMtu || undefined,
      hcMask: 0,
      lcMask: 0,
    })
  }
  return [...ports.values()]
}
