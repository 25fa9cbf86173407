import type { MibScalar, Row } from '@portlight/snmp/table.ts'
import { hrStorageTable, hrStorageTypeName } from '../../mibs/host-resources-mib.ts'
import {
  memAvailReal,
  memAvailSwap,
  memBuffer,
  memCached,
  memShared,
  memTotalReal,
  memTotalSwap,
} from '../../mibs/ucd-snmp-mib.ts'
import { phase } from '../module.ts'
import type { MempoolRow } from '../observation.ts'
import { HR_STORAGE } from '../storage/hr-storage.ts'
import { complete, octets } from '../usage.ts'

const UCD = { memTotalReal, memAvailReal, memTotalSwap, memAvailSwap, memShared, memBuffer, memCached }
const USED_COLUMN = `${hrStorageTable.entry}.${hrStorageTable.columns.hrStorageUsed.id}`

/**
 * Warning level in percent, by class; 0: never, because full caches are normal and systems count caches as used
 * physical memory.
 */
const WARN: Readonly<Record<string, number>> = { system: 90, virtual: 95, swap: 10, buffers: 0, cached: 0, shared: 0 }

/** Memory pools: the memory rows of hrStorageTable, else the scalars of UCD-SNMP-MIB. */
export const discoverMempools = phase({
  tables: { storage: HR_STORAGE },
  follow: ({ tables }) => (tables.storage.rows.size > 0 ? [] : [{ key: 'ucd', scalars: UCD }]),
  run({ tables: { storage }, followed }) {
    const rows = shareOfPhysical([...storage.rows].flatMap(([index, row]) => hrPool(index, row) ?? []))
    const ucd = followed.get('ucd')
    return [
      {
        kind: 'mempools',
        complete: storage.complete && (ucd?.scalarsComplete ?? true),
        rows: rows.length > 0 || ucd === undefined ? rows : ucdPools(ucd.scalars),
      },
    ]
  },
})

function hrPool(index: string, row: Row<typeof hrStorageTable>): MempoolRow | null {
  const descr = row.hrStorageDescr ?? ''
  const kind = poolClass(hrStorageTypeName(row.hrStorageType), descr)
  const units = row.hrStorageAllocationUnits
  const total = units === undefined ? null : octets(row.hrStorageSize, units)
  if (kind === null || units === undefined || units <= 0 || total === null || total === 0) return null
  const usage = complete(octets(row.hrStorageUsed, units), null, total, Number.NaN)
  return {
    mempool_type: 'hrstorage',
    mempool_index: index,
    mempool_class: kind,
    mempool_descr: descr,
    mempool_precision: units,
    mempool_used_oid: `${USED_COLUMN}.${index}`,
    mempool_free_oid: null,
    mempool_total_oid: null,
    mempool_perc_oid: null,
    entPhysicalIndex: null,
    mempool_used: usage?.used ?? null,
    mempool_free: usage?.free ?? null,
    mempool_total: total,
    // net-snmp counts buffers and caches as used physical memory, so it is always nearly full.
    mempool_perc_warn: descr === 'Physical memory' ? 99 : (WARN[kind] ?? 90),
  }
}

/**
 * net-snmp reports the use of a cache as its size, so it always looks full; its share of physical memory is shown
 * instead.
 */
const PARTS: ReadonlySet<string> = new Set(['buffers', 'cached', 'shared'])

function shareOfPhysical(rows: readonly MempoolRow[]): readonly MempoolRow[] {
  const total = rows.find((row) => row.mempool_descr === 'Physical memory')?.mempool_total ?? null
  return rows.map((row) => {
    const { mempool_used: used } = row
    if (total === null || used === null || used > total || !PARTS.has(row.mempool_class)) return row
    return { ...row, mempool_total: total, mempool_free: total - used }
  })
}

/**
 * Class of a memory row; null: not memory. Agents list caches under hrStorageOther and swap under
 * hrStorageVirtualMemory.
 */
function poolClass(type: string | undefined, descr: string): string | null {
  // FreeBSD lists hundreds of kernel allocator zones as memory.
  if (/^(UMA|MALLOC): /.test(descr) || /\bprocfs\b|process file system/i.test(descr)) return null
  if (type !== 'hrStorageRam' && type !== 'hrStorageVirtualMemory' && type !== 'hrStorageOther') return null
  if (/\b(buffers?|packet descriptors)\b/i.test(descr) && !/^\//.test(descr)) return 'buffers'
  if (/\bcached?\b/i.test(descr) && !/^\//.test(descr)) return 'cached'
  if (/^shared (virtual )?memory$/i.test(descr)) return 'shared'
  if (/\bswap\b/i.test(descr) && !/^\//.test(descr)) return 'swap'
  if (type === 'hrStorageOther') return null
  return type === 'hrStorageVirtualMemory' ? 'virtual' : 'system'
}

type UcdScalars = { readonly [K in keyof typeof UCD]?: number | undefined }

/** Sizes are in kilobytes. net-snmp before 5.9 caps them at 2^31 (2 TB), a value that no smaller agent reaches. */
function ucdPools(scalars: UcdScalars): readonly MempoolRow[] {
  const { memTotalReal: real, memTotalSwap: swap } = scalars
  const rows: MempoolRow[] = []
  if (real !== undefined && real > 0) {
    rows.push(ucdPool('system', 'Physical memory', real, { free: memAvailReal }, scalars.memAvailReal, 99))
    if (scalars.memShared !== undefined) {
      rows.push(ucdPool('shared', 'Shared memory', real, { used: memShared }, scalars.memShared, 0))
    }
    if (scalars.memBuffer !== undefined) {
      rows.push(ucdPool('buffers', 'Memory buffers', real, { used: memBuffer }, scalars.memBuffer, 0))
    }
    if (scalars.memCached !== undefined) {
      rows.push(ucdPool('cached', 'Cached memory', real, { used: memCached }, scalars.memCached, 0))
    }
  }
  if (swap !== undefined && swap > 0) {
    rows.push(ucdPool('swap', 'Swap space', swap, { free: memAvailSwap }, scalars.memAvailSwap, 10))
  }
  return rows
}

function ucdPool(
  kind: string,
  descr: string,
  totalKb: number,
  read: { readonly used?: MibScalar; readonly free?: MibScalar },
  value: number | undefined,
  warn: number,
): MempoolRow {
  const known = octets(value, 1024)
  const usage = complete(
    read.used === undefined ? null : known,
    read.free === undefined ? null : known,
    totalKb * 1024,
    Number.NaN,
  )
  return {
    mempool_type: 'ucd',
    mempool_index: kind,
    mempool_class: kind,
    mempool_descr: descr,
    mempool_precision: 1024,
    mempool_used_oid: read.used?.oid ?? null,
    mempool_free_oid: read.free?.oid ?? null,
    mempool_total_oid: null,
    mempool_perc_oid: null,
    entPhysicalIndex: null,
    mempool_used: usage?.used ?? null,
    mempool_free: usage?.free ?? null,
    mempool_total: totalKb * 1024,
    mempool_perc_warn: warn,
  }
}
