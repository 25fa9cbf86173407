/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import { Icon, Mark, type Tone } from './icon.tsx'
import { withQuery } from './table.tsx'
import { count, Empty } from './values.tsx'

/** Links that set a filter to one of a few values. `value` null: all. */
export function Segments({
  label,
  name,
  current,
  query,
  choices,
}: {
  readonly label: string
  /** Query parameter. */
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

/** An active filter, named by `label` and `value`, with a link that removes it. */
export const Chip = ({
  label,
  value,
  href,
}: {
  readonly label: string
  readonly value: string
  /** The address without the filter. */
  readonly href: string
}): Html => (
  <span class="chip">
    <span class="sub">{label}</span> <b dir="auto">{value}</b>
    <a class="icon" href={href} aria-label={`Remove filter ${label} ${value}`}>
      <Icon name="x" />
    </a>
  </span>
)

/** More filters, behind a button. `children`: the fields, and hidden fields for the query parameters to keep. */
export const FilterMenu = ({
  action,
  open = false,
  children,
}: {
  readonly action?: string
  readonly open?: boolean
  readonly children?: Child
}): Html => (
  <details class="menu left" open={open}>
    <summary class="chip add">
      <Icon name="plus" />
      Filter
    </summary>
    <form class="sheet" method="get" action={action} data-lean>
      {children}
      <button class="btn first" type="submit">
        Apply
      </button>
    </form>
  </details>
)

/** A choice in the filter menu; '' means any. */
export const FilterChoice = ({
  name,
  label,
  current,
  options,
}: {
  readonly name: string
  readonly label: string
  /** null: any. */
  readonly current: string | null
  readonly options: readonly { readonly value: string; readonly label: string }[]
}): Html => (
  <div class="field">
    <label for={`f-${name}`}>{label}</label>
    <select class="inp" id={`f-${name}`} name={name}>
      <option value="">any</option>
      {options.map((option) => (
        <option value={option.value} selected={option.value === current}>
          {option.label}
        </option>
      ))}
    </select>
  </div>
)

/** A text in the filter menu; '' means any. */
export const FilterText = ({
  name,
  label,
  value,
  placeholder,
  most = 100,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  /** Maximum length in characters. */
  readonly most?: number
}): Html => (
  <div class="field">
    <label for={`f-${name}`}>{label}</label>
    <input
      class="inp"
      id={`f-${name}`}
      name={name}
      value={value}
      placeholder={placeholder}
      spellcheck="false"
      maxlength={most}
    />
  </div>
)

/** A link to the current list as CSV. */
export const CsvLink = ({ query }: { readonly query: URLSearchParams }): Html => (
  <a class="btn" href={withQuery(query, { format: 'csv' })} download>
    <Icon name="save" />
    CSV
  </a>
)

/** Hidden fields for the query parameters that a form has to keep. */
export const keptFields = (query: URLSearchParams, but: readonly string[]): readonly Html[] =>
  [...query]
    .filter(([name]) => !but.includes(name) && name !== 'page' && name !== 'format')
    .slice(0, 20)
    .map(([name, value]) => <input type="hidden" name={name} value={value} />)

/** The field `q` alone; `label`: for screen readers. */
export const QuickField = ({
  text,
  placeholder = 'Filter this list',
  label = placeholder,
}: {
  readonly text: string
  readonly placeholder?: string
  readonly label?: string
}): Html => (
  <input
    class="inp quick"
    type="search"
    name="q"
    value={text}
    placeholder={placeholder}
    aria-label={label}
    maxlength="100"
  />
)

/** The form that filters a list by text. */
export function QuickFind({
  action,
  query,
  text,
  placeholder,
  but = [],
}: {
  /** Where the form goes; absent: the address of the page. */
  readonly action?: string
  readonly query: URLSearchParams
  readonly text: string
  readonly placeholder?: string
  /** Query parameters to drop. */
  readonly but?: readonly string[]
}): Html {
  return (
    <form method="get" action={action} role="search" data-lean>
      {keptFields(query, ['q', ...but])}
      <QuickField text={text} {...(placeholder !== undefined && { placeholder })} />
    </form>
  )
}

/** A text in the address, at most 100 characters, without NUL; '' if it is absent. */
export const textOf = (query: URLSearchParams, name = 'q'): string => (query.get(name) ?? '').slice(0, 100).trim()

/** A query parameter that is one of a few words; null: absent or another one. */
export const oneOf = <S extends string>(query: URLSearchParams, name: string, words: readonly S[]): S | null =>
  words.find((word) => word === query.get(name)) ?? null

/** Choices of a filter by state: all, then each with its mark; `counts`: rows in each state, absent: not counted. */
export function stateChoices<S extends string>(
  states: readonly S[],
  lookOf: (state: S) => readonly [Tone, string],
  counts?: Readonly<Record<S | 'all', number>>,
): Parameters<typeof Segments>[0]['choices'] {
  const n = (of: S | 'all') => counts !== undefined && { n: counts[of] }
  return [
    { value: null, label: 'All', ...n('all') },
    ...states.map((value) => {
      const [tone, label] = lookOf(value)
      return { value, label, ...n(value), mark: <Mark tone={tone} label={null} /> }
    }),
  ]
}

/** Shown in place of a list that the filters leave empty. `list`: its address without filters. */
export const NoMatch = ({
  title,
  list,
  children,
}: {
  readonly title: string
  readonly list: string
  readonly children?: Child
}): Html => (
  <Empty title={title}>
    {children}
    <a class="btn" href={list}>
      Remove filters
    </a>
  </Empty>
)
