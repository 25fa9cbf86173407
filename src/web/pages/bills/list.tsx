/** @jsxImportSource #jsx */
import type { BillRecord } from '../../../core/bills/service.ts'
import { QuickFind, textOf } from '../../components/filters.tsx'
import { AddLink } from '../../components/form.tsx'
import type { Column } from '../../components/table.tsx'
import { amount, count, Empty, plain, Share, Unknown } from '../../components/values.tsx'
import { listPage } from '../../list-page.tsx'
import { can } from '../../permissions.ts'

/** A bill in the list. `used_value` and `allowed_value`: bits per second or bytes; `share`: percent, null: no limit. */
type Row = BillRecord & { readonly used_value: number; readonly allowed_value: number; readonly share: number | null }

const unitOf = ({ bill_type }: Pick<BillRecord, 'bill_type'>) => (bill_type === 'quota' ? 'B' : 'bit/s')

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

/** Bills with usage and allowance, the most used first. */
export const billsPage = listPage({
  path: '/bills',
  gate: 'Bill.viewAny',
  nav: { label: 'Bills', icon: 'bill', group: 'explore', order: 50 },
  title: 'Bills',
  caption: 'Bills, the most used first',
  what: ['bills', 'bills'],
  query: (query) => ({ text: textOf(query) }),
  async load({ services, actor }, { text, offset, limit }) {
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
    const over = all.filter(({ share }) => share !== null && share > 100).length
    return { rows: all.slice(offset, offset + limit), total: all.length, over }
  },
  columns: COLUMNS,
  head: ({ total, over, wanted: { text } }) => (
    <h1>
      {total === 0 || text !== ''
        ? 'Bills'
        : over === 0
          ? 'All bills are within their allowance'
          : `${count(over)} of ${count(total)} bills ${over === 1 ? 'is' : 'are'} over the allowance`}
    </h1>
  ),
  acts: (_, visit) =>
    can(visit, 'Bill.create') ? (
      <AddLink href="/bills/new" first>
        Add a bill
      </AddLink>
    ) : null,
  filters: ({ total, wanted: { text } }, { query }) =>
    total === 0 && text === '' ? null : (
      <QuickFind action="/bills" query={query} text={text} placeholder="Name, customer, reference" />
    ),
  empty: ({ total, wanted: { text } }) => (
    <Empty
      title={total === 0 && text === '' ? 'No bills yet' : 'No bill matches'}
      help={['reference/bills', 'How bills are counted']}
    >
      <p>A bill adds up the traffic of ports, by the 95th percentile of the rate or by the month’s traffic.</p>
    </Empty>
  ),
})
