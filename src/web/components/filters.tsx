/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import { withQuery } from './table.tsx'
import { count } from './values.tsx'

/** A choice of one of a few values of a filter, as links. `value` null: all. */
export function Segments({
  label,
  name,
  current,
  query,
  choices,
}: {
  readonly label: string
  /** Member of the query. */
  readonly name: string
  readonly current: string | null
  readonly query: URLSearchParams
  readonly choices: readonly {
    readonly value: string | null
    readonly label: string
    readonly n?: number
    readonly mark?: Child
  }[]
}): Html {
  return (
    <div class="seg" role="group" aria-label={label}>
      {choices.map((one) => (
        <a href={withQuery(query, { [name]: one.value })} aria-current={one.value === current ? 'true' : null}>
          {one.mark ?? null}
          {one.label} {one.n === undefined ? null : <small>{count(one.n)}</small>}
        </a>
      ))}
    </div>
  )
}

/** Members of the query that a form has to keep. */
export const keptFields = (query: URLSearchParams, but: readonly string[]): readonly Html[] =>
  [...query]
    .filter(([name]) => !but.includes(name) && name !== 'page' && name !== 'format')
    .slice(0, 20)
    .map(([name, value]) => <input type="hidden" name={name} value={value} />)

/** The field that narrows a list by text. */
export function QuickFind({
  action,
  query,
  text,
  placeholder = 'In this list',
}: {
  readonly action: string
  readonly query: URLSearchParams
  readonly text: string
  readonly placeholder?: string
}): Html {
  return (
    <form method="get" action={action} role="search" data-lean>
      {keptFields(query, ['q'])}
      <input
        class="inp quick"
        type="search"
        name="q"
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        maxlength="100"
      />
    </form>
  )
}

/** The text of the member `q`, at most 100 characters, without NUL. */
export const textOf = (query: URLSearchParams): string =>
  (query.get('q') ?? '').slice(0, 100).replaceAll('\0', '').trim()
