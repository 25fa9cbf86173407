/** @jsxImportSource #jsx */
import type { BillRecord } from '../../../core/bills/service.ts'
import { QuickFind, textOf } from '../../components/filters.tsx'
import { Icon } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { amount, count, Empty, plain, Share, Unknown } from '../../components/values.tsx'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'

const PER_PAGE = 100

/** A bill in the list. `used_value` and `allowed_value`: bits per second or bytes; `share`: percent, null: no limit. */
type Row = BillRecord & { readonly used_value: number; readonly allowed_value: number; readonly share: number | null }

interface ListData {
  readonly rows: readonly Row[]
  readonly total: number
  readonly over: number
  readonly text: string
}

/** Bills with usage and allowance, the most used first. */
export const billsPage = page<ListData>({
  path: '/bills',
  gate: 'Bill.viewAny',
  nav: { label: 'Bills', icon: 'bill', group: 'explore', order: 50 },
  async load({ services, actor, query }) {
    const text = textOf(query)
    const wanted = text.toLowerCase()
    const all = (await services.bills.list(actor, {}))
      .filter(({ bill_name, bill_ref, bill_custid }) =>
        [bill_name, bill_ref, bill_custid].some((one) => one.toLowerCase().includes(wanted)),
      )
      .map((bill): Row => {
        const used = bill.bill_type === 'quota' ? bill.total_data : bill.rate_95th
        const share = bill.bill_allowed > 0 ? (used / bill.bill_allowed) * 100 : null
        return { ...bill, used_value: used, allowed_value: bill.bill_allowed, share }
      })
      .sort((a, b) => (b.share ?? -1) - (a.share ?? -1))
    const from = (pageNumber(query) - 1) * PER_PAGE
    const over = all.filter(({ share }) => share !== null && share > 100).length
    return { rows: all.slice(from, from + PER_PAGE), total: all.length, over, text }
  },
  view,
})

const unitOf = ({ bill_type }: Pick<BillRecord, 'bill_type'>) => (bill_type === 'quota' ? 'B' : 'bit/s')

function view({ rows, total, over, text }: ListData, visit: PageRequest): PageView {
  const isEmpty = total === 0 && text === ''
  const title =
    isEmpty || text !== ''
      ? 'Bills'
      : over === 0
        ? 'All bills are within their allowance'
        : `${count(over)} of ${count(total)} bills ${over === 1 ? 'is' : 'are'} over the allowance`
  return {
    title: 'Bills',
    crumbs: [{ label: 'Bills' }],
    body: (
      <>
        <div class="head">
          <h1>{title}</h1>
          <div class="acts">
            {can(visit, 'Bill.create') ? (
              <a class="btn first" href="/bills/new">
                <Icon name="plus" />
                Add a bill
              </a>
            ) : null}
          </div>
        </div>
        {isEmpty ? null : (
          <div class="filters">
            <QuickFind action="/bills" query={visit.query} text={text} placeholder="Name, customer, reference" />
          </div>
        )}
        <section class="card">
          {rows.length === 0 ? (
            <Empty title={isEmpty ? 'No bills yet' : 'No bill matches'}>
              <p>A bill adds up the traffic of ports, by the 95th percentile of the rate or by the month’s traffic.</p>
            </Empty>
          ) : (
            <Table columns={COLUMNS} rows={rows} query={visit.query} caption="Bills, the most used first" />
          )}
          <Pager query={visit.query} page={pageNumber(visit.query)} perPage={PER_PAGE} total={total} what="bills" />
        </section>
      </>
    ),
  }
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    label: 'Bill',
    cell: ({ bill_id, bill_name, bill_custid, bill_ref }) => (
      <>
        <a class="name" href={`/bills/${bill_id}`} dir="auto">
          {plain(bill_name)}
        </a>
        <span class="l2" dir="auto">
          {plain([bill_custid, bill_ref].filter(Boolean).join(' · '))}
        </span>
      </>
    ),
  },
  {
    id: 'share',
    label: 'Used',
    class: 'r',
    cell: ({ share }) => <Share percent={share} why="The bill has no allowance" />,
  },
  { id: 'used', label: 'Amount', numeric: true, cell: (row) => amount(row.used_value, unitOf(row)) },
  {
    id: 'allowed',
    label: 'Allowed',
    numeric: true,
    cell: (row) => (row.allowed_value > 0 ? amount(row.allowed_value, unitOf(row)) : <Unknown why="no allowance" />),
  },
  {
    id: 'over',
    label: 'Over',
    numeric: true,
    cell: (row) =>
      row.share !== null && row.share > 100 ? (
        <b class="t-bad">{amount(row.used_value - row.allowed_value, unitOf(row))}</b>
      ) : (
        ''
      ),
  },
  {
    id: 'by',
    label: 'Billed by',
    class: 'dim lab',
    cell: ({ bill_type, dir_95th }) =>
      bill_type === 'quota' ? 'traffic' : `95th, ${dir_95th === 'agg' ? 'both added up' : 'larger direction'}`,
  },
  { id: 'ports', label: 'Ports', numeric: true, cell: ({ ports }) => count(ports.length) },
  {
    id: 'counted',
    label: 'Counted until',
    class: 'dim nowrap lab w5',
    cell: ({ bill_last_calc }) => (bill_last_calc ? plain(bill_last_calc) : <Unknown why="not counted yet" />),
  },
]
