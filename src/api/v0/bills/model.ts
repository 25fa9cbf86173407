import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'

const Text = (description: string) => t.Optional(t.String({ description }))
const Amount = t.Optional(t.Union([t.Number(), t.String()]))

const rates = {
  rate_95th_in: whole(),
  rate_95th_out: whole(),
  rate_95th: whole({ description: 'Bits per second' }),
  dir_95th: t.String({ description: 'in, out or agg' }),
  rate_average: whole(),
  rate_average_in: whole(),
  rate_average_out: whole(),
}

const history = {
  bill_hist_id: whole(),
  bill_id: whole(),
  updated: t.String(),
  bill_datefrom: t.String(),
  bill_dateto: t.String(),
  bill_type: t.String({ description: 'CDR or Quota' }),
  bill_allowed: whole(),
  bill_used: whole(),
  bill_overuse: whole(),
  bill_percent: t.String({ description: 'Decimal, 2 places' }),
  ...rates,
  traf_in: whole({ description: 'Octets' }),
  traf_out: whole(),
  traf_total: whole(),
  bill_peak_out: t.Union([whole(), t.Null()]),
  bill_peak_in: t.Union([whole(), t.Null()]),
  pdf: t.Null(),
}

const common = {
  bill_id: whole(),
  bill_name: t.String(),
  bill_type: t.String({ description: 'cdr or quota; CDR or Quota with period=previous' }),
  bill_cdr: whole({ description: 'Bits per second' }),
  bill_day: whole(),
  bill_quota: whole({ description: 'Octets' }),
  ...rates,
  total_data: whole({ description: 'Octets' }),
  total_data_in: whole(),
  total_data_out: whole(),
  bill_last_calc: t.String(),
  bill_custid: t.String(),
  bill_ref: t.String(),
  bill_notes: t.String(),
  bill_autoadded: whole(),
  ports_total: whole(),
  allowed: t.String({ description: '10 Mbps, 2 TB' }),
  used: t.String(),
  percent: t.Union([t.Number(), t.Literal('-')]),
  overuse: t.String(),
  bill_allowed: whole(),
  ports: t.Array(t.Object({ device_id: whole(), port_id: whole(), ifName: t.Union([t.String(), t.Null()]) })),
}
const Bill = t.Union([
  t.Object(common, { title: 'Bill' }),
  t.Object({ ...history, ...common }, { title: 'BillOfPeriod' }),
])

const Points = t.Array(t.Number())
const Maybe = t.Optional(t.Number())
const bits = t.Object(
  {
    from: t.Union([t.String(), whole()]),
    to: t.Union([t.String(), whole()]),
    first: t.Union([whole(), t.Null()]),
    last: t.Union([whole(), t.Null()]),
    in_data: Points,
    out_data: Points,
    tot_data: Points,
    ticks: t.Array(whole(), { description: 'Epoch seconds of the last sample of each point' }),
    rate_95th: whole(),
    rate_average: whole(),
    bill_type: t.String(),
    max_in: Maybe,
    max_out: Maybe,
    ave_in: Maybe,
    ave_out: Maybe,
    last_in: Maybe,
    last_out: Maybe,
  },
  { title: 'BillBits' },
)
const bars = t.Object(
  {
    graph_name: t.String(),
    in_data: Points,
    out_data: Points,
    tot_data: Points,
    allow_data: Points,
    ave_data: Points,
    overuse_data: Points,
    ticklabels: t.Array(t.String()),
  },
  { title: 'BillBars' },
)

export const BillModel = {
  id: documented(t.Object({ id: t.String() })),
  graph: documented(t.Object({ id: t.String(), graph_type: t.String() })),
  historyGraph: documented(t.Object({ id: t.String(), bill_hist_id: t.String(), graph_type: t.String() })),
  filter: documented(
    t.Object({
      period: Text('previous: values at the end of the last finished period'),
      ref: Text('Exact bill_ref'),
      custid: Text('Exact bill_custid; overrides ref'),
    }),
  ),
  list: documented(t.Object({ status: Ok, bills: t.Array(Bill), message: t.Literal(''), count: whole() })),
  history: documented(t.Object({ status: Ok, bill_history: t.Array(t.Object(history)), count: whole() })),
  dataQuery: documented(
    t.Object({
      from: Text('Epoch seconds; default a day ago'),
      to: Text('Epoch seconds; default now'),
      reducefactor: Text('Samples per point; default: about 400 points'),
    }),
  ),
  data: documented(t.Object({ status: Ok, graph_data: t.Union([bits, bars]), count: whole() })),
  save: documented(
    t.Object({
      bill_id: t.Optional(t.Union([t.Number(), t.String()], { description: 'Id of the bill to change' })),
      ports: t.Optional(t.Array(t.Union([t.Number(), t.String()]), { description: 'Replaces all ports' })),
      bill_name: Text('Required for a new bill'),
      bill_day: Amount,
      bill_type: Text('quota or cdr'),
      bill_quota: Amount,
      bill_cdr: Amount,
      bill_custid: Text('Required for a new bill'),
      bill_ref: Text('Required for a new bill'),
      bill_notes: Text('Required for a new bill'),
      dir_95th: Text('in (default), out or agg'),
    }),
  ),
  saved: documented(t.Object({ status: Ok, bill_id: whole() })),
  removed: documented(t.Object({ status: Ok, message: t.Literal('Bill has been removed') })),
}
