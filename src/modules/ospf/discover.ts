import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  OSPF_AUTH_TYPE,
  OSPF_IF_STATE,
  OSPF_IF_TYPE,
  OSPF_MULTICAST,
  OSPF_NBR_STATE,
  OSPF_PERMANENCE,
  OSPF_STATUS,
  ospfIfMetricTable,
  ospfIfTable,
  ospfNbrTable,
} from '../../mibs/ospf-mib.ts'
import { enumName, ROW_STATUS, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import type { OspfNeighbourRow, OspfPortRow } from './observation.ts'

/**
 * OSPF interfaces and neighbours (RFC 4750). Authentication keys are not read, because no record should contain them.
 */
export const discoverOspf = phase({
  tables: { ports: need(ospfIfTable) },
  likely: [need(ospfNbrTable)],
  // some agents have neighbours but no table of interfaces
  follow: ({ tables: { ports } }) => [
    {
      key: 'more',
      tables: {
        metrics: ports.rows.size === 0 ? need(ospfIfMetricTable, []) : need(ospfIfMetricTable),
        neighbours: need(ospfNbrTable),
      },
    },
  ],
  run({ tables: { ports }, followed }) {
    const more = followed.get('more')?.tables
    return [
      {
        kind: 'ospf_ports',
        complete: ports.complete && (more?.metrics.complete ?? true),
        rows: portRows(ports.rows, more?.metrics.rows ?? new Map()),
      },
      {
        kind: 'ospf_neighbours',
        complete: ports.complete && (more?.neighbours.complete ?? true),
        rows: neighbourRows(more?.neighbours.rows ?? new Map()),
      },
    ]
  },
})

/** The name of a value, or the number as text if it has no name: some agents send 0, which the MIB does not define. */
function named<const E extends Readonly<Record<number, string>>>(names: E, value: number | undefined) {
  return value === undefined ? undefined : (enumName(names, value) ?? String(value))
}

/** Interfaces with their metric for type of service 0, the only one left in OSPF (RFC 2328 §G.5). */
function portRows(rows: Rows<typeof ospfIfTable>, metrics: Rows<typeof ospfIfMetricTable>): readonly OspfPortRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['ipAddress', 'integer'])
    if (key === null) return []
    const [address, addressless] = key
    const metric = metrics.get(`${index}.0`)
    return [
      {
        ospf_port_id: `${address}.${addressless}`,
        ospfIfIpAddress: address,
        ospfAddressLessIf: addressless,
        ospfIfAreaId: row.ospfIfAreaId,
        ospfIfType: named(OSPF_IF_TYPE, row.ospfIfType),
        ospfIfAdminStat: named(OSPF_STATUS, row.ospfIfAdminStat),
        ospfIfRtrPriority: row.ospfIfRtrPriority,
        ospfIfTransitDelay: row.ospfIfTransitDelay,
        ospfIfRetransInterval: row.ospfIfRetransInterval,
        ospfIfHelloInterval: row.ospfIfHelloInterval,
        ospfIfRtrDeadInterval: row.ospfIfRtrDeadInterval,
        ospfIfPollInterval: row.ospfIfPollInterval,
        ospfIfState: named(OSPF_IF_STATE, row.ospfIfState),
        ospfIfDesignatedRouter: row.ospfIfDesignatedRouter,
        ospfIfBackupDesignatedRouter: row.ospfIfBackupDesignatedRouter,
        ospfIfEvents: row.ospfIfEvents,
        ospfIfStatus: named(ROW_STATUS, row.ospfIfStatus),
        ospfIfMulticastForwarding: named(OSPF_MULTICAST, row.ospfIfMulticastForwarding),
        ospfIfDemand: named(TRUTH_VALUE, row.ospfIfDemand),
        ospfIfAuthType: named(OSPF_AUTH_TYPE, row.ospfIfAuthType),
        ...(metric !== undefined && {
          ospfIfMetricIpAddress: address,
          ospfIfMetricAddressLessIf: addressless,
          ospfIfMetricTOS: 0,
          ospfIfMetricValue: metric.ospfIfMetricValue,
          ospfIfMetricStatus: named(ROW_STATUS, metric.ospfIfMetricStatus),
        }),
        context_name: '',
      },
    ]
  })
}

function neighbourRows(rows: Rows<typeof ospfNbrTable>): readonly OspfNeighbourRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['ipAddress', 'integer'])
    if (key === null) return []
    const [address, addressless] = key
    return [
      {
        ospf_nbr_id: `${address}.${addressless}`,
        ospfNbrIpAddr: address,
        ospfNbrAddressLessIndex: addressless,
        ospfNbrRtrId: row.ospfNbrRtrId,
        ospfNbrOptions: row.ospfNbrOptions,
        ospfNbrPriority: row.ospfNbrPriority,
        ospfNbrState: named(OSPF_NBR_STATE, row.ospfNbrState),
        ospfNbrEvents: row.ospfNbrEvents,
        ospfNbrLsRetransQLen: row.ospfNbrLsRetransQLen,
        ospfNbmaNbrStatus: named(ROW_STATUS, row.ospfNbmaNbrStatus),
        ospfNbmaNbrPermanence: named(OSPF_PERMANENCE, row.ospfNbmaNbrPermanence),
        ospfNbrHelloSuppressed: named(TRUTH_VALUE, row.ospfNbrHelloSuppressed),
        context_name: '',
      },
    ]
  })
}
