import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { formatIpv4, formatIpv6, parseIpv6 } from '../../lib/ip.ts'
import { OSPF_IF_STATE, OSPF_IF_TYPE, OSPF_NBR_STATE, OSPF_STATUS } from '../../mibs/ospf-mib.ts'
import {
  INET_ADDRESS_TYPE,
  ospfv3AreaTable,
  ospfv3IfTable,
  ospfv3NbrTable,
  ospfv3RouterId,
  RESTART_EXIT_REASON,
  RESTART_HELPER_STATUS,
} from '../../mibs/ospfv3-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import type { Ospfv3NeighbourRow, Ospfv3PortRow } from './observation.ts'

/** OSPFv3 process, areas, interfaces and neighbours (RFC 5643). */
export const discoverOspfv3 = phase({
  scalars: { routerId: ospfv3RouterId },
  follow: ({ scalars: { routerId } }) =>
    routerId === undefined
      ? []
      : [
          {
            key: 'process',
            tables: { areas: need(ospfv3AreaTable), ports: need(ospfv3IfTable), neighbours: need(ospfv3NbrTable) },
          },
        ],
  run({ scalars: { routerId }, scalarsComplete, followed }) {
    const process = followed.get('process')?.tables
    const isComplete = (table: { readonly complete: boolean } | undefined) =>
      scalarsComplete && (table?.complete ?? true)
    const areas = [...(process?.areas.rows.keys() ?? [])].flatMap((index) => decodeIndex(index, ['integer']) ?? [])
    return [
      {
        kind: 'ospfv3_instances',
        complete: scalarsComplete,
        rows: routerId === undefined ? [] : [{ router_id: dotted(routerId) ?? '', context_name: '' }],
      },
      {
        kind: 'ospfv3_areas',
        complete: isComplete(process?.areas),
        rows: areas.map((ospfv3AreaId) => ({ ospfv3AreaId, context_name: '' })),
      },
      { kind: 'ospfv3_ports', complete: isComplete(process?.ports), rows: portRows(process?.ports.rows ?? new Map()) },
      {
        kind: 'ospfv3_neighbours',
        complete: isComplete(process?.neighbours),
        rows: neighbourRows(process?.neighbours.rows ?? new Map()),
      },
    ]
  },
})

/** A router ID in dotted form; the MIB has it as a number. */
function dotted(id: number | undefined): string | undefined {
  return id === undefined ? undefined : formatIpv4(id >>> 0)
}

function portRows(rows: Rows<typeof ospfv3IfTable>): readonly Ospfv3PortRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer'])
    if (key === null) return []
    return [
      {
        ospfv3IfIndex: key[0],
        ospfv3IfInstId: key[1],
        ospfv3IfAreaId: row.ospfv3IfAreaId,
        ospfv3IfType: enumName(OSPF_IF_TYPE, row.ospfv3IfType),
        ospfv3IfAdminStatus: enumName(OSPF_STATUS, row.ospfv3IfAdminStatus),
        ospfv3IfRtrPriority: row.ospfv3IfRtrPriority,
        ospfv3IfTransitDelay: row.ospfv3IfTransitDelay,
        ospfv3IfRetransInterval: row.ospfv3IfRetransInterval,
        ospfv3IfHelloInterval: row.ospfv3IfHelloInterval,
        ospfv3IfRtrDeadInterval: row.ospfv3IfRtrDeadInterval,
        ospfv3IfPollInterval: row.ospfv3IfPollInterval,
        ospfv3IfState: enumName(OSPF_IF_STATE, row.ospfv3IfState),
        ospfv3IfDesignatedRouter: dotted(row.ospfv3IfDesignatedRouter),
        ospfv3IfBackupDesignatedRouter: dotted(row.ospfv3IfBackupDesignatedRouter),
        ospfv3IfEvents: row.ospfv3IfEvents,
        ospfv3IfDemand: enumName(TRUTH_VALUE, row.ospfv3IfDemand),
        ospfv3IfMetricValue: row.ospfv3IfMetricValue,
        ospfv3IfLinkScopeLsaCount: row.ospfv3IfLinkScopeLsaCount,
        ospfv3IfLinkLsaCksumSum: row.ospfv3IfLinkLsaCksumSum,
        ospfv3IfDemandNbrProbe: enumName(TRUTH_VALUE, row.ospfv3IfDemandNbrProbe),
        ospfv3IfDemandNbrProbeRetransLimit: row.ospfv3IfDemandNbrProbeRetransLimit,
        ospfv3IfDemandNbrProbeInterval: row.ospfv3IfDemandNbrProbeInterval,
        ospfv3IfTEDisabled: enumName(TRUTH_VALUE, row.ospfv3IfTEDisabled),
        ospfv3IfLinkLSASuppression: enumName(TRUTH_VALUE, row.ospfv3IfLinkLSASuppression),
        context_name: '',
      },
    ]
  })
}

/** A neighbour's address, which is link-local. Most agents send octets, some text. */
function address(octets: Uint8Array | undefined): string | undefined {
  if (octets === undefined) return undefined
  const parsed = octets.length === 16 ? octets : parseIpv6(new TextDecoder().decode(octets))
  return parsed === null ? undefined : formatIpv6(parsed)
}

function neighbourRows(rows: Rows<typeof ospfv3NbrTable>): readonly Ospfv3NeighbourRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer', 'integer'])
    if (key === null) return []
    return [
      {
        router_id: dotted(key[2]),
        ospfv3NbrIfIndex: key[0],
        ospfv3NbrIfInstId: key[1],
        ospfv3NbrRtrId: key[2],
        ospfv3NbrAddressType: enumName(INET_ADDRESS_TYPE, row.ospfv3NbrAddressType),
        ospfv3NbrAddress: address(row.ospfv3NbrAddress),
        ospfv3NbrOptions: row.ospfv3NbrOptions,
        ospfv3NbrPriority: row.ospfv3NbrPriority,
        ospfv3NbrState: enumName(OSPF_NBR_STATE, row.ospfv3NbrState),
        ospfv3NbrEvents: row.ospfv3NbrEvents,
        ospfv3NbrLsRetransQLen: row.ospfv3NbrLsRetransQLen,
        ospfv3NbrHelloSuppressed: enumName(TRUTH_VALUE, row.ospfv3NbrHelloSuppressed),
        ospfv3NbrIfId: row.ospfv3NbrIfId,
        ospfv3NbrRestartHelperStatus: enumName(RESTART_HELPER_STATUS, row.ospfv3NbrRestartHelperStatus),
        ospfv3NbrRestartHelperAge: row.ospfv3NbrRestartHelperAge,
        ospfv3NbrRestartHelperExitReason: enumName(RESTART_EXIT_REASON, row.ospfv3NbrRestartHelperExitReason),
        context_name: '',
      },
    ]
  })
}
