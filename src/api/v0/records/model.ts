import type { Fields, Form, Single } from '../../../core/records/fields.ts'
import { TIMES } from '../../../core/records/times.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'

/** Single records in model form: booleans, ISO times, numbers for degrees, and icons as paths. */
export const MODEL_FORMS = {
  ...TIMES,
  flag: (flag: number | null) => flag === 1,
  degrees: Number as (decimal: string) => number,
  icon: (name: string) => (name === '' ? name : `images/os/${name}`),
} as const

type About = { readonly description?: string }
const text = (about: About) => t.String(about)
const bit = () => t.Union([t.Literal(0), t.Literal(1)])
const localTime = ({ description = 'Y-m-d H:i:s, server time' }: About) => t.String({ description })

/** Models of members in lists. */
const LISTED = {
  text,
  whole,
  number: (about: About) => t.Number(about),
  count: () => t.Union([whole(), t.String()]),
  bit,
  flag: bit,
  instant: localTime,
  'local time': localTime,
  'iso time': ({ description = 'ISO 8601, UTC' }: About) => t.String({ description }),
  address: text,
  degrees: text,
  icon: text,
} as const

/** Models of members that single records show in another form. */
const SINGLE = {
  instant: () => t.String({ description: 'ISO 8601 UTC with microseconds' }),
  flag: () => t.Boolean(),
  degrees: () => t.Number(),
} as const
const DIFFERING: readonly Form[] = ['instant', 'flag', 'degrees']

type Use = 'list' | 'single'

/** The members of a record as properties of a model; those whose form depends on the use come last. */
export function properties(fields: Fields, use: Use) {
  const schemas = use === 'list' ? LISTED : { ...LISTED, ...SINGLE }
  const members = Object.entries(fields)
    .toSorted(([, a], [, b]) => DIFFERING.indexOf(a.form) - DIFFERING.indexOf(b.form))
    .map(([name, { form, ifNull, about }]) => {
      const schema = schemas[form](about === undefined ? {} : { description: about })
      const mayBeNull = ifNull === null && !(form === 'flag' && use === 'single')
      return [name, mayBeNull ? t.Union([schema, t.Null()]) : schema] as const
    })
  return Object.fromEntries(members)
}

/** The model of a record in single answers. */
export const singleModel = <T extends Fields>(fields: T, title: string) =>
  t.Unsafe<Single<T, typeof MODEL_FORMS>>(t.Object(properties(fields, 'single'), { title }))

/** The model of a record in lists. */
export const listModel = <T extends Fields>(fields: T, title: string) =>
  t.Unsafe<Single<T, typeof TIMES>>(t.Object(properties(fields, 'list'), { title }))
