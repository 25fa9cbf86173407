/** @jsxImportSource #jsx */
import { notFound } from '../../../core/base/errors.ts'
import type { BillExplanation, BillHistoryRecord, BillRecord } from '../../../core/bills/service.ts'
import { ChartCard, Downloads, GraphPicture } from '../../components/chart.tsx'
import { CsvLink } from '../../components/filters.tsx'
import { Confirm, Form } from '../../components/form.tsx'
import { TALL } from '../../components/graph-specs.ts'
import { Pill } from '../../components/icon.tsx'
import { loadPicking, type Picking } from '../../components/port-picker.tsx'
import { csvOf, Table } from '../../components/table.tsx'
import { amount, Card, Empty, plain, Time } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { LONG_FORM_OCTETS, type PageRequest, type PageView, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { Explained } from './explain.tsx'
import { BillForm, find, limitText, requestOf } from './form.tsx'
import { PERIOD_COLUMNS } from './history.tsx'

interface BillData {
  readonly bill: BillRecord
  readonly explained: BillExplanation
  readonly history: readonly BillHistoryRecord[]
  /** null: the user may not change the bill. */
  readonly picking: Picking | null
  readonly isPrevious: boolean
}

/** The bill of a page. Throws `notFound`, also for a bill that the actor may not see. */
async function billOf({ services, actor, params }: PageRequest): Promise<BillRecord> {
  const id = idOf(params['id'])
  const [bill] = id === 0 ? [] : await services.bills.list(actor, { id })
  if (bill === undefined) throw notFound('no such bill')
  return bill
}

/** A bill: usage, how it was calculated, and history. */
export const billPage = page<BillData>({
  path: '/bills/:id',
  formOctets: LONG_FORM_OCTETS,
  gate: 'Bill.viewAny',
  scripts: ['chart.js'],
  async load(visit) {
    const { services, actor, query } = visit
    const bill = await billOf(visit)
    const isPrevious = query.get('period') === 'previous'
    const [explained, history, picking] = await Promise.all([
      services.bills.explain(actor, bill.bill_id, isPrevious ? 1 : 0),
      services.bills.history(bill.bill_id),
      can(visit, 'Bill.update')
        ? loadPicking(
            visit,
            bill.ports.map(({ port_id }) => port_id),
          )
        : null,
    ])
    if (query.get('format') === 'csv') return csvOf(PERIOD_COLUMNS, history, `bill-${bill.bill_id}-periods`)
    return { bill, explained, history, picking, isPrevious }
  },
  view,
  actions: {
    find,
    async save(visit, form) {
      requireGate(visit, 'Bill.update')
      const { bill_id } = await billOf(visit)
      const request = requestOf(form, bill_id)
      await refusalsAsFormErrors(() => visit.services.bills.save(visit.actor, request))
      return { notice: { tone: 'ok', text: 'Saved. The figures are updated within a minute.' } }
    },
    async delete(visit) {
      requireGate(visit, 'Bill.delete')
      const { bill_id } = await billOf(visit)
      await refusalsAsFormErrors(() => visit.services.bills.delete(visit.actor, String(bill_id)))
      return { to: '/bills' }
    },
  },
})

function view({ bill, explained, history, picking, isPrevious }: BillData, visit: PageRequest): PageView {
  const name = plain(bill.bill_name)
  const isCdr = bill.bill_type !== 'quota'
  const { use, period } = explained
  const isNew = explained.counted_upto === null
  const isOver = use.percent !== null && use.percent > 100
  const range = { from: secondsOf(period.from), to: isPrevious ? secondsOf(period.to) : 'now' }
  return {
    title: name,
    crumbs: [{ label: 'Bills', href: '/bills' }, { label: name }],
    body: (
      <>
        <div class="title">
          <h1 dir="auto">{name}</h1>
          {use.percent === null || isNew ? null : (
            <Pill tone={isOver ? 'bad' : 'ok'}>{isOver ? 'Over' : 'Within'}</Pill>
          )}
          <div class="acts">
            {can(visit, 'Bill.delete') ? (
              <Confirm
                visit={visit}
                name="delete"
                label="Delete"
                question={`${name}, its history and all its data will be deleted. This cannot be undone.`}
              />
            ) : null}
          </div>
        </div>
        <div class="filters">
          <div class="seg" role="group" aria-label="Period">
            <a href="?" aria-current={isPrevious ? null : 'true'}>
              This period
            </a>
            <a href="?period=previous" aria-current={isPrevious ? 'true' : null}>
              Previous period
            </a>
          </div>
        </div>
        <Figures explained={explained} isCdr={isCdr} nowMs={visit.nowMs} />
        <div class="stack">
          <div class="two">
            {isNew ? (
              <Card title="Traffic in the period">
                <Empty title="Nothing has been counted yet" help={['reference/bills', 'How traffic is counted']} />
              </Card>
            ) : (
              <ChartCard
                spec={{
                  src: `/graph/bill/${bill.bill_id}/bits`,
                  title: `Traffic of ${name}`,
                  height: TALL,
                  rows: 3,
                  device: null,
                  api: `/api/v0/bills/${bill.bill_id}/graphs/bits`,
                  range,
                }}
                range={range}
                title="Traffic in the period"
              />
            )}
            <PastPeriods bill={bill} range={range} isNone={history.length === 0} theme={visit.theme} />
          </div>
          {isNew ? null : <Explained bill={explained} nowMs={visit.nowMs} />}
          {history.length === 0 ? null : (
            <Card title="History" right={<CsvLink query={visit.query} />}>
              <Table
                columns={PERIOD_COLUMNS}
                rows={history}
                query={visit.query}
                caption="Finished periods, the latest first"
              />
            </Card>
          )}
          {picking === null ? <Ports bill={bill} /> : <Change bill={bill} picking={picking} visit={visit} />}
        </div>
      </>
    ),
  }
}

function Figures({
  explained,
  isCdr,
  nowMs,
}: {
  readonly explained: BillExplanation
  readonly isCdr: boolean
  readonly nowMs: number
}): Html {
  const { use, allowed, period } = explained
  const unit = isCdr ? 'bit/s' : 'B'
  const isNew = explained.counted_upto === null
  return (
    <div class="stats">
      <Figure label={isCdr ? '95th percentile' : 'Traffic'} value={isNew ? '–' : amount(use.used, unit)}>
        {allowed > 0 ? `of ${amount(allowed, unit)} allowed` : 'no allowance'}
      </Figure>
      <Figure label="Used" value={use.percent === null || isNew ? '–' : `${use.percent} %`}>
        {use.percent !== null && use.percent > 100 ? `${amount(use.used - allowed, unit)} over` : ''}
      </Figure>
      <Figure label="In" value={isNew ? '–' : amount(explained.total_in, 'B')} />
      <Figure label="Out" value={isNew ? '–' : amount(explained.total_out, 'B')} />
      <div>
        <span class="k">Period ({pageZone()})</span>
        <span class="v">
          <small>
            <Time at={new Date(period.from)} nowMs={nowMs} clock />
          </small>
        </span>
        <span class="n">
          until <Time at={new Date(period.to)} nowMs={nowMs} clock />
          {period.final ? ', closed' : ''}
        </span>
      </div>
    </div>
  )
}

function PastPeriods({
  bill,
  range,
  isNone,
  theme,
}: {
  readonly bill: BillRecord
  readonly range: { readonly from: string; readonly to: string }
  /** Whether no period has ended yet. */
  readonly isNone: boolean
  readonly theme: PageRequest['theme']
}): Html {
  return (
    <Card
      title="Past periods"
      right={isNone ? undefined : <Downloads src={`/graph/bill/${bill.bill_id}/monthly`} range={range} />}
    >
      {isNone ? (
        <Empty title="No period has ended yet" help={['reference/bills', 'How traffic is counted']} />
      ) : (
        <div class="body">
          <GraphPicture
            src={`/graph/bill/${bill.bill_id}/monthly`}
            range={range}
            alt={`Past periods of ${plain(bill.bill_name)}`}
            theme={theme}
            height={240}
          />
        </div>
      )}
    </Card>
  )
}

const secondsOf = (text: string) => String(Math.floor(Date.parse(text) / 1000))

const Figure = ({
  label,
  value,
  children,
}: {
  readonly label: string
  readonly value: string
  readonly children?: string
}): Html => (
  <div>
    <span class="k">{label}</span>
    <span class="v">{value}</span>
    <span class="n">{children ?? ''}</span>
  </div>
)

const Ports = ({ bill: { ports } }: { readonly bill: BillRecord }): Html => (
  <Card title="Ports" sub={ports.length}>
    <ul class="rows">
      {ports.map(({ port_id, ifName }) => (
        <li>
          <a href={`/port/${port_id}`}>{plain(ifName ?? `port ${port_id}`)}</a>
        </li>
      ))}
    </ul>
  </Card>
)

function Change({
  bill,
  picking,
  visit,
}: {
  readonly bill: BillRecord
  readonly picking: Picking
  readonly visit: PageRequest
}): Html {
  const limit = bill.bill_type === 'quota' ? bill.bill_quota : bill.bill_cdr
  return (
    <Card title="Change">
      <Form visit={visit} name="save">
        <BillForm
          visit={visit}
          picking={picking}
          value={{
            name: bill.bill_name,
            type: bill.bill_type === 'quota' ? 'quota' : 'cdr',
            limit: limitText(limit),
            day: String(bill.bill_day),
            dir: bill.dir_95th === 'agg' ? 'agg' : 'in',
            custid: bill.bill_custid,
            ref: bill.bill_ref,
            notes: bill.bill_notes,
          }}
        />
        <div class="acts">
          <button class="btn first" type="submit" name="do" value="save">
            Save
          </button>
        </div>
      </Form>
    </Card>
  )
}
