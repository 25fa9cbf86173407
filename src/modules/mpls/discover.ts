import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { enumName, ROW_STATUS } from '../../mibs/snmpv2-tc.ts'
import {
  ENABLED_DISABLED,
  SERV_TYPE,
  sapBaseInfoTable,
  svcBaseInfoTable,
  svcTlsInfoTable,
  tmnxPortTable,
  UP_DOWN,
} from '../../mibs/timetra-serv-mib.ts'
import { need, phase } from '../module.ts'
import { isFrom } from '../vendor.ts'
import type { MplsSapRow, MplsServiceRow } from './observation.ts'

/** Higher service IDs are internal to the system (TIMETRA-TC-MIB, TmnxServId). */
const MAX_SERVICE_ID = 2_147_483_647

/** MPLS services and their access points. Only Nokia SR OS has tables for them, so only Nokia devices are asked. */
export const discoverMpls = phase({
  follow: ({ device }) =>
    isFrom(device, 'nokia')
      ? [
          {
            key: 'services',
            tables: {
              services: need(svcBaseInfoTable),
              vpls: need(svcTlsInfoTable),
              saps: need(sapBaseInfoTable),
              ports: need(tmnxPortTable),
            },
          },
        ]
      : [],
  run({ followed }) {
    const read = followed.get('services')?.tables
    if (read === undefined) {
      return [
        { kind: 'mpls_services', complete: true, rows: [] },
        { kind: 'mpls_saps', complete: true, rows: [] },
      ]
    }
    const services = serviceRows(read.services.rows, read.vpls.rows)
    return [
      { kind: 'mpls_services', complete: read.services.complete, rows: services },
      {
        kind: 'mpls_saps',
        complete: read.services.complete && read.saps.complete,
        rows: sapRows(read.saps.rows, read.ports.rows),
      },
    ]
  },
})

/** Converts TimeTicks to seconds. */
const seconds = (ticks: number | undefined) => (ticks === undefined ? undefined : Math.round(ticks / 100))

function serviceRows(
  rows: Rows<typeof svcBaseInfoTable>,
  vpls: Rows<typeof svcTlsInfoTable>,
): readonly MplsServiceRow[] {
  return [...rows].flatMap(([index, row]) => {
    const svc_oid = decodeIndex(index, ['integer'])?.[0]
    if (svc_oid === undefined || svc_oid > MAX_SERVICE_ID) return []
    const tls = vpls.get(index)
    return [
      {
        svc_oid,
        svcRowStatus: enumName(ROW_STATUS, row.svcRowStatus),
        svcType: enumName(SERV_TYPE, row.svcType),
        svcCustId: row.svcCustId,
        svcAdminStatus: enumName(UP_DOWN, row.svcAdminStatus),
        svcOperStatus: enumName(UP_DOWN, row.svcOperStatus),
        svcDescription: row.svcDescription,
        svcMtu: row.svcMtu,
        svcNumSaps: row.svcNumSaps,
        svcNumSdps: row.svcNumSdps,
        svcLastMgmtChange: seconds(row.svcLastMgmtChange),
        svcLastStatusChange: seconds(row.svcLastStatusChange),
        svcVRouterId: row.svcVRouterId,
        svcTlsMacLearning: enumName(ENABLED_DISABLED, tls?.svcTlsMacLearning),
        svcTlsStpAdminStatus: enumName(ENABLED_DISABLED, tls?.svcTlsStpAdminStatus),
        svcTlsStpOperStatus: enumName(UP_DOWN, tls?.svcTlsStpOperStatus),
        svcTlsFdbTableSize: tls?.svcTlsFdbTableSize,
        svcTlsFdbNumEntries: tls?.svcTlsFdbNumEntries,
      },
    ]
  })
}

function sapRows(rows: Rows<typeof sapBaseInfoTable>, ports: Rows<typeof tmnxPortTable>): readonly MplsSapRow[] {
  const names = new Map(
    [...ports].flatMap(([index, { tmnxPortName }]) => {
      const port = decodeIndex(index, ['integer', 'integer'])?.[1]
      return port === undefined || !tmnxPortName ? [] : [[port, tmnxPortName]]
    }),
  )
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer', 'integer'])
    if (key === null || key[0] > MAX_SERVICE_ID) return []
    const [svc_oid, sapPortId, encapsulation] = key
    return [
      {
        svc_oid,
        sapPortId,
        ifName: names.get(sapPortId) ?? lagName(sapPortId),
        sapEncapValue: String(encapsulation),
        sapRowStatus: enumName(ROW_STATUS, row.sapRowStatus),
        sapType: enumName(SERV_TYPE, row.sapType),
        sapDescription: row.sapDescription,
        sapAdminStatus: enumName(UP_DOWN, row.sapAdminStatus),
        sapOperStatus: row.sapOperStatus === undefined ? undefined : row.sapOperStatus === 1 ? 'up' : 'down',
        sapLastMgmtChange: seconds(row.sapLastMgmtChange),
        sapLastStatusChange: seconds(row.sapLastStatusChange),
      },
    ]
  })
}

/**
 * A link aggregation group has 5 in the upper four bits of its port ID and its number in the lower bits
 * (TIMETRA-TC-MIB, TmnxPortID).
 */
function lagName(port: number): string | undefined {
  return port >>> 28 === 5 ? `lag-${port & 0xffff}` : undefined
}
