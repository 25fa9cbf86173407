/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import { csvAnswer } from './csv.ts'
import { Mark, Pill, type Tone } from './icon.tsx'
import { Amount, count, Share } from './values.tsx'

/** A column of a table. */
export interface Column<R> {
  /** Name in the address (`cols`, `sort`). */
  readonly id: string
  readonly label: string
  readonly cell: (row: R) => Child
  /** Right-aligned figures. */
  readonly numeric?: boolean
  readonly sortable?: boolean
  /**
   * More classes of the cell: `lg` and `w1` to `w5` (hidden as the window gets narrower), `no` (hidden on phones),
   * `full` (a whole line on phones).
   */
  readonly class?: string
  /** The heading is only for screen readers. */
  readonly quiet?: boolean
  /** Unit of the values in CSV. */
  readonly unit?: string
  /** Only in CSV. */
  readonly file?: true
  /** Value in CSV; absent: the column is not in CSV. */
  readonly text?: (row: R) => string | number | null
}

type ValueColumn<R> = Pick<Column<R>, 'id' | 'label' | 'class'> & {
  readonly of: (row: R) => number | null
  /** Why there is no value. */
  readonly why?: string
}

/** A sortable column of values with a unit. */
export const amountColumn = <R,>({
  of,
  unit,
  why,
  ...rest
}: ValueColumn<R> & { readonly unit: string }): Column<R> => ({
  ...rest,
  unit,
  sortable: true,
  numeric: true,
  cell: (row) => <Amount value={of(row)} unit={unit} {...(why !== undefined && { why })} />,
  text: of,
})

/** A sortable column of percentages. */
export const shareColumn = <R,>({ of, why, ...rest }: ValueColumn<R>): Column<R> => ({
  ...rest,
  unit: '%',
  sortable: true,
  numeric: true,
  cell: (row) => <Share percent={of(row)} {...(why !== undefined && { why })} />,
  text: of,
})

/** How a row is, by colour and in a word. */
type LookOf<R> = (row: R) => readonly [Tone, string]

/** The mark of a row's state; the word is for screen readers and in CSV. */
export const markColumn = <R,>(lookOf: LookOf<R>): Column<R> => ({
  id: 'mark',
  label: 'State',
  quiet: true,
  class: 'no',
  cell: (row) => <Mark tone={lookOf(row)[0]} label={lookOf(row)[1]} />,
  text: (row) => lookOf(row)[1],
})

/** The state in a word, on phones, which do not show the mark. */
export const pillColumn = <R,>(lookOf: LookOf<R>): Column<R> => ({
  id: 'pill',
  label: 'State',
  quiet: true,
  class: 'r only-s',
  cell: (row) => <Pill tone={lookOf(row)[0]}>{lookOf(row)[1]}</Pill>,
})

/** The query of a page with some parameters changed; those set to '' or null are removed, and so is `page`. */
export function withQuery(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '?' : `?${text}`
}

interface TableProps<R> {
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  readonly query: URLSearchParams
  /** Current order: a column's id, and whether descending. */
  readonly sort?: { readonly id: string; readonly descending: boolean }
  readonly caption: string
  /** Key of a row for live updates. */
  readonly keyOf?: (row: R) => string
  /** Kind of live events after which rows may join or leave the list. */
  readonly listOf?: string
  /** Shown instead of a table without rows; absent: the headings alone. */
  readonly empty?: Html
}

/** A table whose headings are links that sort it. On phones each row becomes a card. */
export function Table<R>({ columns: all, rows, query, sort, caption, keyOf, listOf, empty }: TableProps<R>): Html {
  if (rows.length === 0 && empty !== undefined) return empty
  const columns = all.filter(({ file }) => file !== true)
  return (
    <div class="scroll" tabindex="0" role="region" aria-label={caption}>
      <table class="cards" data-walk>
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head column={column} query={query} {...(sort !== undefined && { sort })} />
            ))}
          </tr>
        </thead>
        <tbody data-live-list={listOf}>
          {rows.map((row) => (
            <tr data-live={keyOf?.(row)}>
              {columns.map((column) => (
                <td
                  class={[column.numeric ? 'num' : '', column.class ?? ''].filter(Boolean).join(' ') || null}
                  data-l={column.numeric === true || column.class?.includes('lab') ? column.label : null}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Classes that a heading shares with its cells. */
const HEAD_CLASSES = new Set(['lg', 'only-s', 'w1', 'w2', 'w3', 'w4', 'w5'])

function Head<R>({
  column,
  query,
  sort,
}: {
  readonly column: Column<R>
  readonly query: URLSearchParams
  readonly sort?: { readonly id: string; readonly descending: boolean }
}): Html {
  const classes = [
    column.numeric ? 'num' : '',
    ...(column.class?.split(' ') ?? []).filter((name) => HEAD_CLASSES.has(name)),
  ].filter(Boolean)
  const sorted = sort?.id === column.id
  const label = column.quiet === true ? <span class="vh">{column.label}</span> : column.label
  const next = sorted && !sort.descending ? `-${column.id}` : column.id
  return (
    <th
      scope="col"
      class={classes.join(' ') || null}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : null}
    >
      {column.sortable === true ? <a href={withQuery(query, { sort: next })}>{label}</a> : label}
    </th>
  )
}

/** Rows on a page of a list. */
export const PER_PAGE = 100

/** The position in a list, with links to the previous and next page. */
export function Pager({
  query,
  perPage = PER_PAGE,
  total,
  what: [one, several],
}: {
  readonly query: URLSearchParams
  readonly perPage?: number
  readonly total: number
  /** One of what is listed, and several. */
  readonly what: readonly [string, string]
}): Html {
  const page = pageNumber(query)
  const what = total === 1 ? one : several
  const pages = Math.max(1, Math.ceil(total / perPage))
  const to = (n: number) =>
    withQuery(query, {})
      .replace(/^\?/, n === 1 ? '?' : `?page=${n}&`)
      .replace(/&$/, '')
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>
        {total === 0
          ? `No ${what}`
          : `${count((page - 1) * perPage + 1)} to ${count(Math.min(total, page * perPage))} of ${count(total)} ${what}`}
      </span>
      {pages === 1 ? null : (
        <span class="right">
          {page > 1 ? (
            <a class="btn s-s" rel="prev" href={to(page - 1)}>
              Previous
            </a>
          ) : null}
          <span class="sub">
            page {page} of {pages}
          </span>
          {page < pages ? (
            <a class="btn s-s" rel="next" href={to(page + 1)}>
              Next
            </a>
          ) : null}
        </span>
      )}
    </nav>
  )
}

/** Rows as CSV: plain values, with the unit of each column in its heading. */
export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[], name: string): Response {
  const shown = columns.filter((column) => column.text !== undefined)
  const head = shown.map(({ label, unit = '' }) => (unit === '' ? label : `${label} (${unit})`))
  return csvAnswer(
    head,
    rows.map((row) => shown.map(({ text }) => text?.(row) ?? null)),
    name,
  )
}

/** The page number of a query: 1 to 100,000. */
export function pageNumber(query: URLSearchParams): number {
  const n = Number(query.get('page') ?? '1')
  return Number.isInteger(n) && n >= 1 && n <= 100_000 ? n : 1
}

/** The order in the address, `-` in front of the column for descending; unknown columns count as `usual`. */
export function sortOf<S extends string>(query: URLSearchParams, sorts: readonly S[], usual: S) {
  const sort = query.get('sort') ?? usual
  return { sort: sorts.find((name) => name === sort.replace(/^-/, '')) ?? usual, descending: sort.startsWith('-') }
}
