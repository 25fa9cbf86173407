import { columnsOf, type Table } from '../database/columns.ts'
import type { Field, Fields, Form } from './fields.ts'

/** What differs from the schema, by column; null: the column is our own and not part of the record. */
type Changes<Stored> = { readonly [K in keyof Stored]?: Partial<Field> | null }

type FormOf<V> = V extends Date ? 'local time' : V extends number ? 'whole' : 'text'
type FieldOf<V, C> = Omit<Field, 'form' | 'ifNull'> & {
  readonly form: C extends { readonly form: infer F extends Form } ? F : FormOf<NonNullable<V>>
} & (C extends { readonly ifNull: infer N extends null | '' | 0 }
    ? { readonly ifNull: N }
    : null extends V
      ? { readonly ifNull: null }
      : { readonly ifNull?: never })

/** The record of a table. */
export type TableFields<Stored, C> = {
  readonly [K in keyof Stored as K extends keyof C ? (C[K] extends null ? never : K) : K]: FieldOf<
    Stored[K],
    K extends keyof C ? C[K] : unknown
  >
}

const FORMS = { instant: 'local time', whole: 'whole', fraction: 'number', text: 'text' } as const

/**
 * The record of a table whose columns are its members: forms and nulls follow from the schema, except for `changes`.
 * Instants are local times.
 */
export function tableFields<T extends Table, const C extends Changes<T['$inferSelect']>>(
  table: T,
  changes: C = {} as C,
): TableFields<T['$inferSelect'], C> {
  const changed: Readonly<Record<string, Partial<Field> | null | undefined>> = changes
  const fields: Fields = Object.fromEntries(
    columnsOf(table).flatMap(({ name, holds, nullable }) => {
      const change = changed[name]
      return change === null ? [] : [[name, { form: FORMS[holds], ...(nullable && { ifNull: null }), ...change }]]
    }),
  )
  return fields as TableFields<T['$inferSelect'], C>
}
