import { decodeIndex } from '../../lib/index-decode.ts'
import { dot1dBasePortTable } from '../../mibs/bridge-mib.ts'
import { cdpCacheTable } from '../../mibs/cisco-cdp-mib.ts'
import { extremeEdpTable } from '../../mibs/extreme-edp-mib.ts'
import { snFdpCacheTable } from '../../mibs/foundry-mib.ts'
import {
  lldpLocPortTable,
  lldpNeighborInfoTable,
  lldpRemManAddrTable,
  lldpRemTable,
  lldpV2RemTable,
  tmnxLldpRemTable,
} from '../../mibs/lldp-mib.ts'
import type { Rows } from '../../snmp/table.ts'
import { need, phase, type TableResult } from '../module.ts'
import { isFrom, when } from '../vendor.ts'
import { cdpLinks, edpLinks, fdpLinks } from './cdp.ts'
import { jetstreamLinks, type LldpNeighbour, lldpLink, localPort, managementAddresses } from './lldp.ts'
import type { LinkRow, LocalPort } from './observation.ts'

/**
 * Neighbours from LLDP (both versions of its MIB), CDP and vendor tables. LLDP-V2-MIB is read only if LLDP-MIB has no
 * neighbours, because agents with both report the same neighbours in each.
 */
export const discoverLinks = phase({
  tables: { lldp: need(lldpRemTable), cdp: need(cdpCacheTable) },
  likely: [need(lldpV2RemTable)],
  follow({ tables, device }) {
    const hasNeighbours = tables.lldp.rows.size > 0
    return [
      {
        key: 'more',
        tables: {
          locPorts: when(hasNeighbours, need(lldpLocPortTable)),
          basePorts: when(hasNeighbours, need(dot1dBasePortTable)),
          addresses: when(hasNeighbours, need(lldpRemManAddrTable)),
          lldpV2: when(!hasNeighbours, need(lldpV2RemTable)),
          nokia: when(isFrom(device, 'nokia'), need(tmnxLldpRemTable)),
          tplink: when(isFrom(device, 'tplink'), need(lldpNeighborInfoTable)),
          fdp: when(isFrom(device, 'foundry'), need(snFdpCacheTable)),
          edp: when(isFrom(device, 'extreme'), need(extremeEdpTable)),
        },
      },
    ]
  },
  run({ tables: { lldp, cdp }, followed }) {
    const more = followed.get('more')?.tables
    if (more === undefined) return []
    const read: readonly Pick<TableResult, 'complete'>[] = [
      lldp,
      cdp,
      more.locPorts,
      more.basePorts,
      more.lldpV2,
      more.nokia,
      more.tplink,
      more.fdp,
      more.edp,
    ]
    return [
      {
        kind: 'links',
        complete: read.every(({ complete }) => complete),
        rows: [
          ...lldpRows(lldp.rows, more.locPorts.rows, more.basePorts.rows, more.addresses.rows),
          ...lldpV2Rows(more.lldpV2.rows),
          ...nokia(more.nokia.rows),
          ...jetstreamLinks(more.tplink.rows),
          ...cdpLinks(cdp.rows),
          ...fdpLinks(more.fdp.rows),
          ...edpLinks(more.edp.rows),
        ],
      },
    ]
  },
})

function lldpRows(
  rows: Rows<typeof lldpRemTable>,
  locPorts: Rows<typeof lldpLocPortTable>,
  bridge: Rows<typeof dot1dBasePortTable>,
  addressRows: Rows<typeof lldpRemManAddrTable>,
): readonly LinkRow[] {
  const basePorts = new Map(
    [...bridge].flatMap(([port, row]) =>
      row.dot1dBasePortIfIndex ? [[Number(port), row.dot1dBasePortIfIndex] as const] : [],
    ),
  )
  const addresses = managementAddresses(addressRows.keys(), 3)
  return neighbours(rows, (index, row) => {
    const key = decodeIndex(index, ['integer', 'integer', 'integer'])
    return key === null
      ? null
      : {
          local: localPort(key[1], { locPorts, basePorts }),
          chassisIdSubtype: row.lldpRemChassisIdSubtype,
          chassisId: row.lldpRemChassisId,
          portIdSubtype: row.lldpRemPortIdSubtype,
          portId: row.lldpRemPortId,
          portDesc: row.lldpRemPortDesc,
          sysName: row.lldpRemSysName,
          sysDesc: row.lldpRemSysDesc,
          addresses: addresses.get(index) ?? [],
        }
  })
}

function lldpV2Rows(rows: Rows<typeof lldpV2RemTable>): readonly LinkRow[] {
  return neighbours(rows, (index, row) => {
    const local = ifIndexOf(index)
    return local === null
      ? null
      : {
          local,
          chassisIdSubtype: row.lldpV2RemChassisIdSubtype,
          chassisId: row.lldpV2RemChassisId,
          portIdSubtype: row.lldpV2RemPortIdSubtype,
          portId: row.lldpV2RemPortId,
          portDesc: row.lldpV2RemPortDesc,
          sysName: row.lldpV2RemSysName,
          sysDesc: row.lldpV2RemSysDesc,
          addresses: [],
        }
  })
}

function nokia(rows: Rows<typeof tmnxLldpRemTable>): readonly LinkRow[] {
  return neighbours(rows, (index, row) => {
    const local = ifIndexOf(index)
    return local === null
      ? null
      : {
          local,
          chassisIdSubtype: row.tmnxLldpRemChassisIdSubtype,
          chassisId: row.tmnxLldpRemChassisId,
          portIdSubtype: row.tmnxLldpRemPortIdSubtype,
          portId: row.tmnxLldpRemPortId,
          portDesc: row.tmnxLldpRemPortDesc,
          sysName: row.tmnxLldpRemSysName,
          sysDesc: row.tmnxLldpRemSysDesc,
          addresses: [],
        }
  })
}

/**
 * The local port from an index of lldpV2RemTable or a similar table: time mark, ifIndex, destination address, number.
 */
function ifIndexOf(index: string): readonly LocalPort[] | null {
  const key = decodeIndex(index, ['integer', 'integer', 'integer', 'integer'])
  return key === null ? null : [{ by: 'ifIndex', value: String(key[1]) }]
}

function neighbours<Row>(
  rows: ReadonlyMap<string, Row>,
  read: (index: string, row: Row) => LldpNeighbour | null,
): readonly LinkRow[] {
  return [...rows].flatMap(([index, row]) => {
    const neighbour = read(index, row)
    const link = neighbour === null ? null : lldpLink(neighbour)
    return link === null ? [] : [link]
  })
}
