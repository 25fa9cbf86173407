import { epochSeconds } from '../database/instants.ts'
import { isoTime, localTime } from './forms.ts'

/** What the forms below are stored as, when read for a single record. */
interface StoredAs {
  text: string
  whole: number
  /** Possibly with a fraction. */
  number: number
  /** A 64-bit count: a number up to 2^53-1, text beyond. */
  count: number | string
  /** 0 or 1. */
  bit: number
  /** 0 or 1. In model form a boolean; null is not set. */
  flag: number
  /** Seconds since 1970, exact to the microsecond. Shown as local time in lists, as ISO 8601 in single records. */
  instant: number
  /** The same, shown as local time everywhere. */
  'local time': number
  /** The same, shown as ISO 8601 in UTC everywhere. */
  'iso time': number
  /** A printable IP address. */
  address: string
  /** Decimal text, as lists show it. In model form a number. */
  degrees: string
  /** Name of an icon. In model form its path. */
  icon: string
}
export type Form = keyof StoredAs

/** One member of a record: how it is stored and shown. */
export interface Field {
  readonly form: Form
  /** What null becomes. Absent: the column is never null. */
  readonly ifNull?: null | '' | 0
  /** SQL of the value if it is not a column of the subject's own table. */
  readonly column?: string
  /** For the document of the API. */
  readonly about?: string
  /** Shown to administrators only. */
  readonly secret?: true
}

/**
 * A record: its members in the order in which lists show them. The SQL of lists (JSON made by PostgreSQL), the single
 * record, and the model in the API's document are derived from it.
 */
export type Fields = Readonly<Record<string, Field>>

/** The forms that fit a column of the schema. */
type FormOf<V> = V extends Date
  ? 'instant' | 'local time' | 'iso time'
  : V extends number
    ? 'whole' | 'number' | 'count' | 'bit' | 'flag'
    : 'text' | 'address' | 'degrees' | 'icon'

/**
 * What the compiler demands of a record over a table: members with the name of a column have a form that fits it, and
 * say what null becomes if it can be null.
 */
export type FieldsOver<Stored> = Fields & {
  readonly [K in keyof Stored]?: Omit<Field, 'ifNull'> & {
    readonly form: FormOf<NonNullable<Stored[K]>>
  } & (null extends Stored[K] ? { readonly ifNull: null | '' | 0 } : { readonly ifNull?: never })
}

type Default<F extends Field> = F extends { readonly ifNull: infer N } ? N : never

/** A record as read from the database: instants are seconds, and what can be null is null. */
export type Row<T extends Fields> = {
  readonly [K in keyof T]: StoredAs[T[K]['form']] | (T[K] extends { readonly ifNull: unknown } ? null : never)
}

/** How single records show values that they do not show as stored. Null becomes what the field says, except of a flag. */
export type Forms = {
  readonly [F in Form]?: (value: F extends 'flag' ? number | null : StoredAs[F]) => string | number | boolean | null
}

type Shown<F extends Field, S extends Forms> = S[F['form']] extends (value: never) => infer R
  ? R | (F['form'] extends 'flag' ? never : Default<F>)
  : StoredAs[F['form']] | Default<F>

/** A single record as shown. */
export type Single<T extends Fields, S extends Forms> = { -readonly [K in keyof T]: Shown<T[K], S> }

/** A value of a record. Absent from a row: unknown. */
export type Value = string | number | boolean | null | undefined

/** Makes single records from rows. */
export function presenter<T extends Fields, S extends Forms>(fields: T, forms: S): (row: Row<T>) => Single<T, S> {
  const changed = Object.entries(fields).flatMap(([name, { form, ifNull = null }]) => {
    // Safe: a column has values of its form only, which the type of the record's table guarantees.
    const show = forms[form] as ((value: Value) => Value) | undefined
    if (form === 'flag') return show === undefined ? [] : [{ name, show }]
    if (show === undefined) return ifNull === null ? [] : [{ name, show: (value: Value) => value ?? ifNull }]
    return [{ name, show: (value: Value) => (value === null ? ifNull : show(value)) }]
  })
  return (row) => {
    const record: Record<string, Value> = { ...row }
    for (const { name, show } of changed) record[name] = show(record[name])
    return record as Single<T, S>
  }
}

/** The members of a record, taken from the first of these sources that has each; null where none has it. */
export function filled<T extends Fields>(
  fields: T,
  ...sources: readonly (Readonly<Record<string, Value>> | null | undefined)[]
): Row<T> {
  const members = Object.keys(fields).map((name) => {
    const source = sources.find((values) => values?.[name] != null)
    return [name, source?.[name] ?? null]
  })
  return Object.fromEntries(members) as Row<T>
}

/** The SQL of a member over alias `table`. */
type Sql = (name: string, field: Field, table: string) => string

/** A member in lists: local times, decimal text, and what null becomes. */
export const listed: Sql = (name, field, table) => {
  const column = field.column ?? `${table}."${name}"`
  const { form, ifNull = null } = field
  if (form === 'instant' || form === 'local time') return localTime(column)
  if (form === 'iso time') return isoTime(column)
  const shown = form === 'address' ? `host(${column})` : form === 'degrees' ? `${column}::text` : column
  if (ifNull === null) return shown
  return `coalesce(${shown}, ${ifNull === 0 ? '0' : "''"})`
}

/** A member as `Row` has it. */
export const stored: Sql = (name, field, table) => {
  const column = field.column ?? `${table}."${name}"`
  if (/^instant$| time$/.test(field.form)) return epochSeconds(column)
  return field.form === 'address' ? `host(${column})` : column
}

/** The members of a record as SQL, by name. Without `secrets` these are null. */
export function membersSql(fields: Fields, table: string, sql: Sql, secrets = true): [name: string, sql: string][] {
  return Object.entries(fields).map(([name, field]) => [
    name,
    field.secret === true && !secrets ? 'null::text' : sql(name, field, table),
  ])
}

/** A select list of members. */
export function selectMembers(members: readonly (readonly [name: string, sql: string])[]): string {
  return members.map(([name, sql]) => `${sql} as "${name}"`).join(', ')
}

/** A record in lists over an alias of its table, as a select list. */
export const listedRecord = (fields: Fields, table: string): string => selectMembers(membersSql(fields, table, listed))
