import { type Column, col, type MibScalar, mibTable, scalar } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { FormObject, FormOs, FormWalk } from '../../librenms/form.ts'
import type { Read, TableNeed } from '../module.ts'
import type { Values } from './cells.ts'
import { walkOf, walksOf } from './pools.ts'

/** What a definition reads: single columns, never whole tables, and single objects. */
export interface ReadingPlan {
  readonly tables: Readonly<Record<string, TableNeed>>
  /** By OID with instance. */
  readonly scalars: Readonly<Record<string, MibScalar<'Value'>>>
}

/** An object of which a GET reads one instance. */
interface Single {
  /** Without instance. */
  readonly oid: string
  /** The instance to GET; empty: the OID is the value's own. */
  readonly instance: string
  /** What a walk below the object covers: the object itself, or one of its instances. */
  readonly root: string
}

interface Plan extends ReadingPlan {
  readonly singles: readonly Single[]
}

const plans = new WeakMap<FormOs, Plan>()

/** The columns and objects that the definition's items name; computed once. */
export function readingPlan(form: FormOs): ReadingPlan {
  return planOf(form)
}

function planOf(form: FormOs): Plan {
  const known = plans.get(form)
  if (known !== undefined) return known
  const columns = new Set<string>()
  const singles = new Map<string, Single>()
  const single = (oid: string, instance: string, root: string): void => {
    const whole = withInstance(oid, instance)
    // a single OID that cannot be encoded would fail the whole discovery
    if (isOid(whole)) singles.set(whole, { oid, instance, root })
  }
  for (const walk of allWalks(form)) {
    // definitions compiled by older versions give scalars the instance 0
    if (walk.instance !== null) single(walk.oid, walk.instance, withInstance(walk.oid, walk.instance))
    else
      for (const object of objectsBelow(form, walk)) {
        if (object.kind === 'scalar') single(object.oid, '0', object.oid)
        else if (object.kind === 'column' && isOid(object.oid)) columns.add(object.oid)
      }
  }
  const plan = {
    tables: tablesOf(form, columns),
    scalars: singleObjects([...singles.keys()]),
    singles: [...singles.values()],
  }
  plans.set(form, plan)
  return plan
}

/** Needs for these OIDs with instance. */
export function singleObjects(oids: readonly string[]): Readonly<Record<string, MibScalar<'Value'>>> {
  return Object.fromEntries(oids.map((oid) => [oid, scalar(`definition ${oid}`, oid, 'Value')]))
}

/** Needs for these columns, by the OID of their entry; an agent may lack any of them. */
function tablesOf(form: FormOs, columns: Iterable<string>): Readonly<Record<string, TableNeed>> {
  const entries = new Map<string, Record<string, Column<'Value'>>>()
  for (const oid of columns) {
    const end = oid.lastIndexOf('.')
    const entry = oid.slice(0, end)
    const known = entries.get(entry) ?? {}
    known[oid] = col(Number(oid.slice(end + 1)), 'Value')
    entries.set(entry, known)
  }
  const tables: Record<string, TableNeed> = {}
  for (const [entry, named] of entries) {
    const table = mibTable(nameOf(form, entry), entry, named)
    tables[entry] = { table, columns: Object.keys(named), sparse: true }
  }
  return tables
}

/**
 * What to read of the single objects that the agent lacks at the instance that the MIB gives them: whatever is below
 * them, and the object itself, since some agents number the instances of a scalar from 1 or give it none. Null: nothing
 * is left to read.
 */
export function restOfPlan(form: FormOs, read: Read): ReadingPlan | null {
  const lacking = planOf(form).singles.filter(
    ({ oid, instance }) => instance !== '' && !isValue(read.scalars[withInstance(oid, instance)]),
  )
  const tables = tablesOf(form, new Set(lacking.map(({ root }) => root)))
  const bare = lacking.filter(({ oid, root }) => oid === root && isOid(oid)).map(({ oid }) => oid)
  return lacking.length === 0 ? null : { tables, scalars: singleObjects(bare) }
}

/** What was read, by object and index. An object given as a numeric OID has the index ''. */
export function valuesOf(form: FormOs, read: Read, rest?: Read): Values {
  const values = new Map<string, Map<string, SnmpValue>>()
  const put = (oid: string, index: string, value: SnmpValue): void => {
    const known = values.get(oid)
    if (known !== undefined) known.set(index, value)
    else values.set(oid, new Map([[index, value]]))
  }
  const rows = ({ tables }: Read, putAt: (oid: string, index: string, value: SnmpValue) => void): void => {
    for (const { rows } of Object.values(tables)) {
      for (const [index, row] of rows)
        for (const [oid, value] of Object.entries(row)) if (isValue(value)) putAt(oid, index, value)
    }
  }
  rows(read, put)
  const byRoot = new Map<string, Single>()
  for (const single of planOf(form).singles) {
    const { oid, instance, root } = single
    const value = read.scalars[withInstance(oid, instance)]
    if (isValue(value)) put(oid, instance, value)
    else byRoot.set(root, single)
  }
  if (rest !== undefined) {
    rows(rest, (root, index, value) => {
      const single = byRoot.get(root)
      if (single !== undefined) put(single.oid, single.oid === root ? index : `${single.instance}.${index}`, value)
    })
    for (const [oid, value] of Object.entries(rest.scalars)) {
      if (isValue(value) && values.get(oid) === undefined) put(oid, '', value)
    }
  }
  return new Map([...values].map(([oid, cells]) => [oid, inOrder(cells)]))
}

/** The cells of a column in the order of its own walk; rows are in the order of the first column that has them. */
function inOrder(cells: ReadonlyMap<string, SnmpValue>): ReadonlyMap<string, SnmpValue> {
  let before: readonly number[] = []
  let sorted = true
  const numbered: [readonly number[], string, SnmpValue][] = []
  for (const [index, value] of cells) {
    const ids = index.split('.').map(Number)
    sorted &&= compareIds(before, ids) <= 0
    before = ids
    numbered.push([ids, index, value])
  }
  if (sorted) return cells
  numbered.sort(([a], [b]) => compareIds(a, b))
  return new Map(numbered.map(([, index, value]) => [index, value]))
}

function compareIds(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, i) => id !== b[i])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

function withInstance(oid: string, instance: string): string {
  return instance === '' ? oid : `${oid}.${instance}`
}

/** Dotted decimal with at most 128 sub-identifiers of 32 bits (RFC 2578 section 3.5). */
export function isOid(text: string): boolean {
  if (!/^[012](\.\d{1,10})+$/.test(text)) return false
  const ids = text.split('.')
  return ids.length <= 128 && ids.every((id) => Number(id) < 2 ** 32)
}

export function isValue(value: unknown): value is SnmpValue {
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
