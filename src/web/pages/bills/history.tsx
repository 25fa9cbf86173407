/** @jsxImportSource #jsx */
import type { BillHistoryRecord } from '../../../core/bills/service.ts'
import type { Column } from '../../components/table.tsx'
import { amount, Share } from '../../components/values.tsx'

const unitOf = ({ bill_type }: BillHistoryRecord) => (bill_type.toLowerCase() === 'quota' ? 'B' : 'bit/s')

/** Columns of the finished periods of a bill. */
export const PERIOD_COLUMNS: readonly Column<BillHistoryRecord>[] = [
  {
    id: 'from',
    label: 'From',
    class: 'nowrap',
    cell: ({ bill_datefrom }) => bill_datefrom.slice(0, 10),
    text: ({ bill_datefrom }) => bill_datefrom,
  },
  {
    id: 'to',
    label: 'To',
    class: 'nowrap lab',
    cell: ({ bill_dateto }) => bill_dateto.slice(0, 10),
    text: ({ bill_dateto }) => bill_dateto,
  },
  {
    id: 'used',
    label: 'Used',
    numeric: true,
    cell: (row) => amount(row.bill_used, unitOf(row)),
    text: ({ bill_used }) => bill_used,
  },
  {
    id: 'allowed',
    label: 'Allowed',
    numeric: true,
    cell: (row) => amount(row.bill_allowed, unitOf(row)),
    text: ({ bill_allowed }) => bill_allowed,
  },
  { id: 'unit', label: 'Unit of used, allowed and over', file: true, cell: () => null, text: unitOf },
  {
    id: 'share',
    label: 'Share',
    unit: '%',
    text: (row) => (row.bill_allowed > 0 ? Number(row.bill_percent) : null),
    class: 'r',
    cell: (row) => <Share percent={row.bill_allowed > 0 ? Number(row.bill_percent) : null} why="no allowance" />,
  },
  {
    id: 'over',
    label: 'Over',
    text: ({ bill_overuse }) => bill_overuse,
    numeric: true,
    cell: (row) => (row.bill_overuse > 0 ? amount(row.bill_overuse, unitOf(row)) : ''),
  },
  {
    id: 'in',
    label: 'In',
    numeric: true,
    class: 'lg',
    cell: ({ traf_in }) => amount(traf_in, 'B'),
    unit: 'B',
    text: ({ traf_in }) => traf_in,
  },
  {
    id: 'out',
    label: 'Out',
    numeric: true,
    class: 'lg',
    cell: ({ traf_out }) => amount(traf_out, 'B'),
    unit: 'B',
    text: ({ traf_out }) => traf_out,
  },
]
