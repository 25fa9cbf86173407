/** @jsxImportSource #jsx */
import { type Column, csvOf, Pager, PER_PAGE, pageNumber, Table } from './components/table.tsx'
import type { Child, Html } from './jsx/jsx-runtime.ts'
import { type Page, type PageRequest, type PageView, page } from './page.ts'

/** The part of a list to read: the page that the address asks for, or for CSV as many rows as a file may have. */
interface Part {
  readonly offset: number
  readonly limit: number
}

/** What a list has read. `total`: rows under the filters; null: `rows` are all there is to show, without a pager. */
interface Listed<R> {
  readonly rows: readonly R[]
  readonly total: number | null
}

type Counted = Parameters<typeof Pager>[0]['what']

/** What was read, with what the address asked for. */
type Asked<Q, D> = D & { readonly wanted: Q & Part }

/** A piece of the page, made from what was read. */
type Piece<Q, D, T = Child> = (list: Asked<Q, D>, visit: PageRequest) => T

interface ListPageOf<Q extends object, R, D extends Listed<R>>
  extends Pick<Page, 'path' | 'gate' | 'also' | 'nav' | 'scripts' | 'actions'>,
    Pick<Parameters<typeof Table<R>>[0], 'keyOf' | 'listOf'> {
  readonly title: string
  /** What the table is, for screen readers. */
  readonly caption: string | Piece<Q, D, string>
  /** Breadcrumbs; absent: the title alone. */
  readonly crumbs?: PageView['crumbs']
  /** Filters in the address, and the order as `sort` and `descending`; unknown values count as absent. Throws `invalid`. */
  readonly query: (query: URLSearchParams, visit: PageRequest) => Q
  /** Reads the rows of the part, limited to what the actor may see. */
  readonly load: (visit: PageRequest, wanted: Q & Part) => Promise<D>
  readonly columns: readonly Column<R>[] | Piece<Q, D, readonly Column<R>[]>
  /** Name of the file and its largest number of rows; absent: the list is not offered as CSV. */
  readonly csv?: { readonly name: string; readonly most: number }
  /** Heading, and what is said beside it; absent: the title. */
  readonly head?: Piece<Q, D>
  /** Buttons beside the heading; undefined: there is no room for them. */
  readonly acts?: Piece<Q, D>
  /** Between the heading and the filters. */
  readonly above?: Piece<Q, D>
  /** null: there is nothing to filter. */
  readonly filters: Piece<Q, D>
  /** Between the filters and the list. */
  readonly below?: Piece<Q, D>
  /** Shown instead of filters and list, where there is nothing to list yet; null: they are shown. */
  readonly nothing?: Piece<Q, D, Html | null>
  /** Shown instead of the table (tiles, a map); null: the table is. */
  readonly instead?: Piece<Q, D, Html | null>
  /** Shown instead of a table without rows. */
  readonly empty: Piece<Q, D, Html>
  /** What the pager counts: one, and several. */
  readonly what: Counted | Piece<Q, D, Counted>
  /** Origin of another host whose images are shown; undefined: none. */
  readonly images?: Piece<Q, D, string | undefined>
  /** What surrounds table and pager; absent: a card. */
  readonly card?: (content: Html, list: Asked<Q, D>, visit: PageRequest) => Html
}

/**
 * A page that lists things: heading, filters, and a page of a table, or the whole list as CSV. A number of the page
 * beyond the end shows no rows, and the pager. `query` and `load` come before the rest, whose types follow from them.
 */
export function listPage<Q extends object, R, D extends Listed<R>>(one: ListPageOf<Q, R, D>): Page {
  return page<Asked<Q, D>>({
    ...one,
    async load(visit) {
      const { query } = visit
      const file = query.get('format') === 'csv' ? one.csv : undefined
      const part =
        file === undefined
          ? { offset: (pageNumber(query) - 1) * PER_PAGE, limit: PER_PAGE }
          : { offset: 0, limit: file.most }
      const wanted = { ...one.query(query, visit), ...part }
      const list = { ...(await one.load(visit, wanted)), wanted }
      return file === undefined ? list : csvOf(columnsOf(one, list, visit), list.rows, file.name)
    },
    view(list, visit) {
      const images = one.images?.(list, visit)
      return {
        title: one.title,
        crumbs: one.crumbs ?? [{ label: one.title }],
        body: bodyOf(one, list, visit),
        ...(images !== undefined && { images }),
      }
    },
  })
}

const columnsOf = <Q extends object, R, D extends Listed<R>>(
  { columns }: ListPageOf<Q, R, D>,
  list: Asked<Q, D>,
  visit: PageRequest,
) => (typeof columns === 'function' ? columns(list, visit) : columns)

function bodyOf<Q extends object, R, D extends Listed<R>>(
  one: ListPageOf<Q, R, D>,
  list: Asked<Q, D>,
  visit: PageRequest,
): Html {
  const acts = one.acts?.(list, visit)
  return (
    <>
      <div class="head">
        {one.head?.(list, visit) ?? <h1>{one.title}</h1>}
        {acts === undefined ? null : <div class="acts">{acts}</div>}
      </div>
      {one.above?.(list, visit)}
      {one.nothing?.(list, visit) ?? listOf(one, list, visit)}
    </>
  )
}

function listOf<Q extends object, R, D extends Listed<R>>(
  one: ListPageOf<Q, R, D>,
  list: Asked<Q, D>,
  visit: PageRequest,
): Html {
  const { query } = visit
  const { caption, keyOf, listOf: kind, what } = one
  const filters = one.filters(list, visit)
  const content = (
    <>
      {one.instead?.(list, visit) ?? (
        <Table
          columns={columnsOf(one, list, visit)}
          rows={list.rows}
          query={query}
          {...orderOf(list.wanted)}
          caption={typeof caption === 'function' ? caption(list, visit) : caption}
          {...(keyOf !== undefined && { keyOf })}
          {...(kind !== undefined && { listOf: kind })}
          empty={one.empty(list, visit)}
        />
      )}
      {list.total === null ? null : (
        <Pager query={query} total={list.total} what={typeof what === 'function' ? what(list, visit) : what} />
      )}
    </>
  )
  return (
    <>
      {filters === null ? null : <div class="filters">{filters}</div>}
      {one.below?.(list, visit)}
      {one.card?.(content, list, visit) ?? <section class="card">{content}</section>}
    </>
  )
}

const orderOf = (wanted: object) =>
  'sort' in wanted && typeof wanted.sort === 'string' && 'descending' in wanted
    ? { sort: { id: wanted.sort, descending: wanted.descending === true } }
    : {}
