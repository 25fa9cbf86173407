import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { parseMac } from '../../lib/mac.ts'
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
import { mtxrNeighborTable } from '../../mibs/mikrotik-mib.ts'
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
          mikrotik: when(tables.lldp.rows.keys().some(isOnePart), need(mtxrNeighborTable)),
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
      more.mikrotik,
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
        rows: withoutNamelessTwins([
          ...lldpRows(lldp.rows, more),
          ...lldpV2Rows(more.lldpV2.rows),
          ...nokia(more.nokia.rows),
          ...jetstreamLinks(more.tplink.rows),
          ...cdpLinks(cdp.rows),
          ...fdpLinks(more.fdp.rows),
          ...edpLinks(more.edp.rows),
        ]),
      },
    ]
  },
})

/**
 * The links without those in which a neighbour that LLDP shows with its name appears a second time, at the same port of
 * its own, because it also speaks CDP, where it goes by the MAC address of its LLDP chassis ID.
 */
function withoutNamelessTwins(links: readonly LinkRow[]): readonly LinkRow[] {
  const ends = (link: LinkRow) => link.remote.portNames.map((name) => `${link.remote.mac} ${name.toLowerCase()}`)
  const seen = new Set(links.filter(({ protocol }) => protocol === 'lldp').flatMap(ends))
  return links.filter((link) => {
    const isMac = link.protocol === 'cdp' && parseMac(link.remote_hostname) !== null
    return !isMac || !ends(link).some((end) => seen.has(end))
  })
}

/** The tables that complete lldpRemTable. */
interface LldpTables {
  readonly locPorts: Pick<TableResult<typeof lldpLocPortTable>, 'rows'>
  readonly basePorts: Pick<TableResult<typeof dot1dBasePortTable>, 'rows'>
  readonly addresses: Pick<TableResult<typeof lldpRemManAddrTable>, 'rows'>
  readonly mikrotik: Pick<TableResult<typeof mtxrNeighborTable>, 'rows'>
}

function lldpRows(rows: Rows<typeof lldpRemTable>, more: LldpTables): readonly LinkRow[] {
  const locPorts = more.locPorts.rows
  const basePorts = new Map(
    [...more.basePorts.rows].flatMap(([port, row]) =>
      row.dot1dBasePortIfIndex ? [[Number(port), row.dot1dBasePortIfIndex] as const] : [],
    ),
  )
  const [first = ''] = rows.keys()
  const addresses = managementAddresses(more.addresses.rows.keys(), first.split('.').length)
  return neighbours(rows, (index, row) => {
    const number = localNumber(index)
    const ifIndex = more.mikrotik.rows.get(index)?.mtxrNeighborInterfaceID
    return {
      local:
        number !== null
          ? localPort(number, { locPorts, basePorts })
          : ifIndex === undefined
            ? []
            : [{ by: 'ifIndex', value: String(ifIndex) }],
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

/** RouterOS and some others number neighbours instead of using the index of the MIB. */
function isOnePart(index: string): boolean {
  return !index.includes('.')
}

/**
 * lldpRemLocalPortNum of an index; null if it is not in it. The MIB has it between time mark and number; agents leave
 * the time mark out, or append to the number.
 */
function localNumber(index: string): number | null {
  const ids = index.split('.').map(Number)
  const number = ids.length === 2 ? ids[0] : ids[1]
  return number === undefined || !Number.isInteger(number) ? null : number
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
