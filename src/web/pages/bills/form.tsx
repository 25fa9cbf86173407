/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import type { BillRequest } from '../../../core/bills/service.ts'
import { amountOf } from '../../../lib/amount.ts'
import { Choice, Field, Form } from '../../components/form.tsx'
import { loadPicking, type Picking, PortPicker, tickedPorts } from '../../components/port-picker.tsx'
import { pageZone } from '../../components/zone.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, LONG_FORM_OCTETS, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'

/** The fields of a bill's form. */
export interface BillFields {
  readonly name: string
  readonly type: string
  readonly limit: string
  readonly day: string
  readonly dir: string
  readonly custid: string
  readonly ref: string
  readonly notes: string
}

/** A limit as users enter it: `1 Gbit/s`, `2.5T`, `500000000`. Throws `invalid`. */
export function limitOf(text: string): number {
  const value = amountOf(text)
  if (value === null) throw invalid(`${text} is not a valid limit: use 1 G or 2.5 T`)
  return value
}

/** The limit as text that `limitOf` reads. */
export function limitText(value: number): string {
  for (const [prefix, size] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (value >= size && value % (size / 1000) === 0) return `${value / size} ${prefix}`
  }
  return String(value)
}

/** A form as a request. Throws `invalid`. */
export function requestOf(form: FormData, billId: number | null): BillRequest {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const name = text('name')
  if (name === '') throw invalid('A bill needs a name')
  const day = Number(text('day') || '1')
  if (!Number.isInteger(day) || day < 1 || day > 31) throw invalid('The day must be from 1 to 31')
  const type: 'quota' | 'cdr' = text('type') === 'quota' ? 'quota' : 'cdr'
  const limit = limitOf(text('limit') || '0')
  const dir = (['in', 'out', 'agg'] as const).find((one) => one === text('dir')) ?? 'in'
  const values = {
    bill_name: name,
    bill_type: type,
    bill_day: day,
    dir_95th: dir,
    bill_cdr: type === 'cdr' ? limit : 0,
    bill_quota: type === 'quota' ? limit : 0,
    bill_custid: text('custid'),
    bill_ref: text('ref'),
    bill_notes: text('notes'),
  }
  return { billId, ports: tickedPorts(form), values }
}

/** Answers the button that finds ports: the form is shown again, with the ports found. */
export async function find(visit: PageRequest, form: FormData) {
  const found = await visit.services.portPicker.find(visit.actor, form.get('find') ?? '', 31)
  const text =
    found.length === 0 ? 'No port matches. Nothing is saved yet.' : 'Tick the ports that belong to the bill, then save.'
  return { notice: { tone: 'warn', text } } as const
}

export function BillForm({
  visit,
  value,
  picking,
}: {
  readonly visit: PageRequest
  readonly value: BillFields
  readonly picking: Picking
}): Html {
  return (
    <>
      <div class="line">
        <Field visit={visit} id="name" label="Name" value={value.name} required />
        <Choice
          visit={visit}
          id="type"
          label="Billed by"
          value={value.type}
          options={[
            { value: 'cdr', label: '95th percentile of the rate' },
            { value: 'quota', label: 'traffic in the period' },
          ]}
        />
      </div>
      <div class="line">
        <Field
          visit={visit}
          id="limit"
          label="Allowance"
          value={value.limit}
          hint="bits per second or bytes: 1 G, 2.5 T"
        />
        <Field
          visit={visit}
          id="day"
          label="Day"
          value={value.day}
          hint={`of the month on which a period begins, at midnight in ${pageZone()}`}
        />
        <Choice
          visit={visit}
          id="dir"
          label="95th of"
          value={value.dir}
          options={[
            { value: 'in', label: 'the larger direction' },
            { value: 'agg', label: 'both added up' },
          ]}
        />
      </div>
      <div class="line">
        <Field visit={visit} id="custid" label="Customer" value={value.custid} />
        <Field visit={visit} id="ref" label="Reference" value={value.ref} />
      </div>
      <Field visit={visit} id="notes" label="Notes" value={value.notes} rows={3} />
      <PortPicker picking={picking} />
    </>
  )
}

const EMPTY = { name: '', type: 'cdr', limit: '', day: '1', dir: 'in', custid: '', ref: '', notes: '' }

/** Adds a bill. */
export const newBillPage = page<Picking>({
  path: '/bills/new',
  formOctets: LONG_FORM_OCTETS,
  gate: 'Bill.create',
  load: (visit) => loadPicking(visit, []),
  view: (picking, visit) => ({
    title: 'Add a bill',
    crumbs: [{ label: 'Bills', href: '/bills' }, { label: 'Add' }],
    body: (
      <>
        <div class="head">
          <h1>Add a bill</h1>
        </div>
        <div class="stack narrow">
          <section class="card">
            <header>
              <h2>Bill</h2>
            </header>
            <Form visit={visit} name="add">
              <BillForm visit={visit} value={EMPTY} picking={picking} />
              <div class="acts">
                <button class="btn first" type="submit" name="do" value="add">
                  Add
                </button>
              </div>
            </Form>
          </section>
        </div>
      </>
    ),
  }),
  actions: {
    find,
    async add(visit, form) {
      requireGate(visit, 'Bill.create')
      const request = requestOf(form, null)
      return { to: `/bills/${await refusalsAsFormErrors(() => visit.services.bills.save(visit.actor, request))}` }
    },
  },
})
