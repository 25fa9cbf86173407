import type { FormSkip, FormWalk, Scalar } from '../../librenms/form.ts'
import type { DeviceFacts } from '../module.ts'
import type { Cells } from './cells.ts'
import type { RowFields } from './fields.ts'
import { looselyEqual, passes } from './test.ts'

/** Fields of the device that conditions may use, as left by module `system`. */
export type DeviceFields = Readonly<Partial<Record<string, string | null>>>

export function deviceFields(device: DeviceFacts): DeviceFields {
  const { sysObjectID, sysDescr, identity } = device
  return { ...identity, sysDescr, sysObjectID: sysObjectID === null ? null : `.${sysObjectID.replace(/^\./, '')}` }
}

/** The row at an index. `item` has the item's own keys, to which its fields may refer. */
export function rowAt(
  cells: Cells,
  index: string,
  own: (name: string) => boolean,
  item: Readonly<Record<string, unknown>>,
  count?: number,
): RowFields {
  const column = (name: string): string | undefined => (own(name) ? at(cells, name, index) : undefined)
  const find = (name: string, depth = 0): string | undefined => {
    const reference = item[name]
    if (typeof reference === 'string' && Object.hasOwn(item, name) && depth < 4) return find(reference, depth + 1)
    return at(cells, name, index) ?? partly(cells, name, index)
  }
  return { index, column, find: (name) => find(name), ...(count !== undefined && { count }) }
}

function at(cells: Cells, name: string, index: string): string | undefined {
  const found = cells.text(name, index)
  if (found !== undefined || index !== '0' || !name.endsWith('.0')) return found
  return cells.text(name.slice(0, -2), index)
}

/**
 * `name:n` and `name:a-b` look the object up by part of the index: the n-th sub-identifier, or those from a to b,
 * counted from 0.
 */
function partly(cells: Cells, name: string, index: string): string | undefined {
  const match = /^(.+):(\d+)(?:-(\d+))?$/.exec(name)
  if (match === null || match[1]?.endsWith(':') === true) return undefined
  const [, object = '', from = '0', to] = match
  const ids = index.split('.').slice(Number(from), Number(to ?? from) + 1)
  return cells.text(object, ids.join('.'))
}

/** Returns a test whether an object belongs to a walk. */
export function ownColumns(walk: FormWalk, objects: Readonly<Record<string, { readonly oid: string }>>) {
  return (name: string): boolean => {
    const oid = objects[name]?.oid
    return oid !== undefined && (oid === walk.oid || oid.startsWith(`${walk.oid}.`))
  }
}

/** True if any of the conditions holds. `value` is the row's number; null if it has none. */
export function isSkipped(
  skips: readonly FormSkip[],
  value: Scalar,
  row: RowFields,
  cells: Cells,
  device: DeviceFields,
  onlyOwn = false,
): boolean {
  return skips.some((skip) => {
    if ('number' in skip) return looselyEqual(value, skip.number)
    if ('device' in skip) return passes(device[skip.device] ?? null, skip)
    return passes(found(skip.oid, row, cells, onlyOwn) ?? null, skip)
  })
}

function found(oid: string, row: RowFields, cells: Cells, onlyOwn: boolean): string | undefined {
  if (oid === 'index') return row.index
  if (onlyOwn) return row.column(oid)
  const dot = oid.indexOf('.')
  if (dot >= 0) return cells.text(oid.slice(0, dot), oid.slice(dot + 1))
  return row.find(oid)
}
