/** @jsxImportSource #jsx */
import type { FoundKind, FoundRows } from '../../../core/lists/network-service.ts'
import { QuickFind, textOf } from '../../components/filters.tsx'
import { csvOf, Pager, PER_PAGE, pageNumber, Table } from '../../components/table.tsx'
import { Empty } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { deviceColumn, type FoundList } from './columns.tsx'

const MAX_CSV = 50_000

/** A list that is ready to be shown; the type of its rows is known only inside. */
export interface Listed {
  readonly kind: FoundKind
  readonly total: number
  readonly table: Html
}

/** Reads and renders the part of a list that the address asks for, of one device or of all (null); or sends it as CSV. */
export async function listed<K extends FoundKind>(
  { services: { network }, actor, query, nowMs }: PageRequest,
  list: FoundList<K>,
  deviceId: number | null,
): Promise<Listed | Response> {
  const isCsv = query.get('format') === 'csv'
  const text = textOf(query)
  const page = isCsv ? { offset: 0, limit: MAX_CSV } : { offset: (pageNumber(query) - 1) * PER_PAGE, limit: PER_PAGE }
  const { rows, total } = await network.found(actor, list.kind, { deviceId, text, ...page })
  const own = list.columns(nowMs)
  const columns =
    deviceId === null ? [...own.slice(0, 1), deviceColumn<FoundRows[K]>(list.tab ?? list.kind), ...own.slice(1)] : own
  if (isCsv) return csvOf(columns, rows, list.kind)
  return {
    kind: list.kind,
    total,
    table: (
      <section class="card">
        <Table
          columns={columns}
          rows={rows}
          query={query}
          caption={list.label}
          empty={
            <Empty
              title={text === '' ? list.empty : `No ${list.what[0]} matches`}
              help={['reference/coverage', 'What is found on which devices']}
            />
          }
        />
        <Pager query={query} total={total} what={list.what} />
      </section>
    ),
  }
}

/** The field that filters such a list. */
export const FindIn = ({ query, action }: { readonly query: URLSearchParams; readonly action: string }): Html => (
  <QuickFind action={action} query={query} text={textOf(query)} />
)
