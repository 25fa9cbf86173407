import { type Column, col, type MibScalar, mibTable, scalar } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { FormObject, FormOs, FormWalk } from '../../librenms/form.ts'
import type { Read, TableNeed } from '../module.ts'
import type { Values } from './cells.ts'
import { walkOf, walksOf } from './pools.ts'

/** What a definition reads: single columns, never whole tables, and single objects. */
export interface ReadingPlan {
  readonly tables: Readonly<Record<string, TableNeed>>
  readonly scalars: Readonly<Record<string, MibScalar<'Value'>>>
}

const plans = new WeakMap<FormOs, ReadingPlan>()

/** The columns and objects that the definition's items name; computed once. */
export function readingPlan(form: FormOs): ReadingPlan {
  const known = plans.get(form)
  if (known !== undefined) return known
  const columns = new Map<string, Record<string, Column<'Value'>>>()
  const scalars: Record<string, MibScalar<'Value'>> = {}
  const column = (oid: string): void => {
    if (!isOid(oid)) return
    const end = oid.lastIndexOf('.')
    const entry = oid.slice(0, end)
    const known = columns.get(entry) ?? {}
    known[oid] = col(Number(oid.slice(end + 1)), 'Value')
    columns.set(entry, known)
  }
  const single = (oid: string): void => {
    // a single OID that cannot be encoded would fail the whole discovery
    if (!isOid(oid)) return
    scalars[oid] = scalar(`definition ${oid}`, oid, 'Value')
  }
  for (const walk of allWalks(form)) {
    if (walk.instance !== null) single(walk.instance === '' ? walk.oid : `${walk.oid}.${walk.instance}`)
    else
      for (const object of objectsBelow(form, walk)) {
        if (object.kind === 'scalar') single(`${object.oid}.0`)
        else if (object.kind === 'column') column(object.oid)
      }
  }
  const tables: Record<string, TableNeed> = {}
  for (const [entry, named] of columns) {
    const table = mibTable(nameOf(form, entry), entry, named)
    tables[entry] = { table, columns: Object.keys(named), sparse: true }
  }
  const plan = { tables, scalars }
  plans.set(form, plan)
  return plan
}

/** What was read, by object and index. An object given as a numeric OID has the index ''. */
export function valuesOf(form: FormOs, read: Read): Values {
  const values = new Map<string, Map<string, SnmpValue>>()
  const put = (oid: string, index: string, value: SnmpValue): void => {
    const known = values.get(oid)
    if (known !== undefined) known.set(index, value)
    else values.set(oid, new Map([[index, value]]))
  }
  for (const { rows } of Object.values(read.tables)) {
    for (const [index, row] of rows)
      for (const [oid, value] of Object.entries(row)) if (isValue(value)) put(oid, index, value)
  }
  for (const walk of allWalks(form)) {
    if (walk.instance === null) {
      for (const { kind, oid } of objectsBelow(form, walk)) {
        const value = kind === 'scalar' ? read.scalars[`${oid}.0`] : undefined
        if (isValue(value)) put(oid, '0', value)
      }
      continue
    }
    const value = read.scalars[walk.instance === '' ? walk.oid : `${walk.oid}.${walk.instance}`]
    if (isValue(value)) put(walk.oid, walk.instance, value)
  }
  return values
}

/** Dotted decimal with at most 128 sub-identifiers of 32 bits (RFC 2578 section 3.5). */
export function isOid(text: string): boolean {
  if (!/^[012](\.\d{1,10})+$/.test(text)) return false
  const ids = text.split('.')
  return ids.length <= 128 && ids.every((id) => Number(id) < 2 ** 32)
}

function isValue(value: unknown): value is SnmpValue {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function allWalks(form: FormOs): readonly FormWalk[] {
  const pools = [...form.mempools, ...form.storage]
  return [
    ...form.walks,
    ...pools.flatMap((item) => walksOf(form, item)),
    // objects named in fields of an item that has its own table
    ...pools.flatMap(({ oid, total, used, free, percent }) =>
      oid === null
        ? []
        : [total, used, free, percent].flatMap((field) => (typeof field === 'string' ? walkOf(form, field) : [])),
    ),
    ...form.poolWalks.flatMap((text) => walkOf(form, text)),
  ]
}

function objectsBelow(form: FormOs, walk: FormWalk): readonly FormObject[] {
  return Object.values(form.objects).filter(({ oid }) => oid === walk.oid || oid.startsWith(`${walk.oid}.`))
}

/** `MIB::object` of the first column below an entry, for messages. */
function nameOf(form: FormOs, entry: string): string {
  const found = Object.entries(form.objects).find(([, { oid }]) => oid.startsWith(`${entry}.`))
  return found?.[0] ?? entry
}
