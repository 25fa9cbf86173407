import type { Row } from '@portlight/snmp/table.ts'
import { hrStorageTable, hrStorageTypeName } from '../../mibs/host-resources-mib.ts'
import { dskTable } from '../../mibs/ucd-snmp-mib.ts'
import { need, phase } from '../module.ts'
import type { StorageRow } from '../observation.ts'
import { complete, octets } from '../usage.ts'
import { HR_STORAGE } from './hr-storage.ts'
import { withoutIgnored } from './ignored.ts'

const USED_COLUMN = `${hrStorageTable.entry}.${hrStorageTable.columns.hrStorageUsed.id}`

/**
 * Types in hrStorageTable that store files on this device. Network disks belong to their server and are monitored
 * there.
 */
const FILE_STORES =
  /^(hrStorage(FixedDisk|RemovableDisk|RamDisk|FlashMemory)|hrFS(?!iso9660|RockRidge|NFS|AFS|DFS|Appleshare|RFS).+)$/

/** Kernel filesystems, which hold no files of their own. */
const PSEUDO = /^\/(proc|sys|cgroup)(\/|$)|\/dev$|^(dev|fdesc|(junos|linux?)?proc)fs\b/

/** Read-only images, which are always full: Junos packages, compressed images, snaps. */
const IMAGE = /(^|\/)packages(\/|$)|^\/snap\//

/** Mounts of container runtimes, which are views of the filesystem that stores all containers. */
const CONTAINER =
  /^\/(var\/lib\/(docker|containerd|containers|kubelet)|run\/(docker|containerd|netns)|var\/run\/docker)\/.+\/|^\/run\/(docker|containerd)\//

/** Memory filesystems that every Linux server has; they are shown only for appliances, which keep files there. */
const SERVER_MEMORY = /^\/(dev\/shm|run)(\/|$)/

/**
 * Whether a description is one of these; FreeBSD and Junos write `/dev/ad0s1a, mounted on: /var`, or `/var, type: ufs,
 * dev: /dev/ad0s1a`.
 */
function isPseudo(descr: string): boolean {
  const mounted = /mounted on: (\S+)/.exec(descr)?.[1] ?? descr.split(',')[0] ?? descr
  return [PSEUDO, IMAGE, CONTAINER].some((rule) => rule.test(mounted)) || PSEUDO.test(descr)
}

/** A memory disk (md) of FreeBSD or Junos without free space is a read-only image. */
function isImage(descr: string, size: number, used: number | null): boolean {
  return /^\/dev\/md\d+/.test(descr) && used !== null && used >= size
}

/** More rows than this with equal size and use are one filesystem that containers mount repeatedly. */
const MAX_EQUAL_MOUNTS = 20

/**
 * Drops repeated mounts of one filesystem. hrStorageTable does not show that two rows are the same filesystem, and a
 * few rows of equal size and use may be partitions with the same image, so only a large group is reduced to its first
 * row.
 */
function withoutRepeatedMounts(rows: readonly StorageRow[]): readonly StorageRow[] {
  const equal = Map.groupBy(rows, (row) => `${row.storage_units} ${row.storage_size} ${row.storage_used}`)
  const dropped = new Set(
    [...equal.values()].filter((rows) => rows.length > MAX_EQUAL_MOUNTS).flatMap((r) => r.slice(1)),
  )
  return rows.filter((row) => !dropped.has(row))
}

/**
 * Filesystems: hrStorageTable, where each row is a separate logical storage area (RFC 2790), else dskTable of
 * UCD-SNMP-MIB.
 */
export const discoverStorage = phase({
  tables: { storage: HR_STORAGE },
  likely: [need(dskTable)],
  follow: ({ tables }) => (tables.storage.rows.size > 0 ? [] : [{ key: 'ucd', tables: { disks: need(dskTable) } }]),
  run({ device, tables: { storage }, followed }) {
    const disks = followed.get('ucd')?.tables.disks
    const rows = [
      ...withoutRepeatedMounts([...storage.rows].flatMap(([index, row]) => hrStore(index, row) ?? [])).filter(
        (row) => device.os !== 'linux' || !SERVER_MEMORY.test(row.storage_descr),
      ),
      ...[...(disks?.rows ?? [])].flatMap(([index, row]) => disk(index, row) ?? []),
    ]
    return [
      {
        kind: 'storage',
        complete: storage.complete && (disks?.complete ?? true),
        rows: withoutIgnored(rows, device.settings),
      },
    ]
  },
})

function hrStore(index: string, row: Row<typeof hrStorageTable>): StorageRow | null {
  const type = hrStorageTypeName(row.hrStorageType)
  const units = row.hrStorageAllocationUnits
  const size = units === undefined ? null : octets(row.hrStorageSize, units)
  const descr = row.hrStorageDescr ?? ''
  if (type === undefined || !FILE_STORES.test(type) || units === undefined || units <= 0) return null
  if (size === null || size === 0 || descr === '' || isPseudo(descr)) return null
  const usage = complete(octets(row.hrStorageUsed, units), null, size, Number.NaN)
  if (isImage(descr, size, usage?.used ?? null)) return null
  return {
    type: 'hrstorage',
    storage_index: index,
    storage_type: type,
    storage_descr: descr,
    storage_units: units,
    storage_used_oid: `${USED_COLUMN}.${index}`,
    storage_free_oid: null,
    storage_size_oid: null,
    storage_perc_oid: null,
    storage_size: size,
    storage_used: usage?.used ?? null,
    storage_free: usage?.free ?? null,
  }
}

/**
 * A row of dskTable. Its 32-bit columns end at 2 TB and the 64-bit ones come in two halves, so disks above 4 TB are
 * polled as a percentage.
 */
function disk(index: string, row: Row<typeof dskTable>): StorageRow | null {
  const size = halves(row.dskTotalLow, row.dskTotalHigh) ?? octets(row.dskTotal, 1024)
  const path = row.dskPath ?? ''
  if (size === null || size === 0 || path === '' || isPseudo(path)) return null
  const used = halves(row.dskUsedLow, row.dskUsedHigh) ?? octets(row.dskUsed, 1024)
  const usage = complete(used, null, size, row.dskPercent ?? Number.NaN)
  const { dskUsed, dskUsedLow, dskPercent } = dskTable.columns
  const column = row.dskUsedLow === undefined ? dskUsed : dskUsedLow
  const large = size >= 2 ** 32 * 1024
  return {
    type: 'dsk',
    storage_index: index,
    storage_type: 'ucd',
    storage_descr: path,
    storage_units: 1024,
    storage_used_oid: large ? null : `${dskTable.entry}.${column.id}.${index}`,
    storage_free_oid: null,
    storage_size_oid: null,
    storage_perc_oid: large ? `${dskTable.entry}.${dskPercent.id}.${index}` : null,
    storage_size: size,
    storage_used: usage?.used ?? null,
    storage_free: usage?.free ?? null,
  }
}

function halves(low: number | undefined, high: number | undefined): number | null {
  return low === undefined || high === undefined ? null : (high * 2 ** 32 + low) * 1024
}
