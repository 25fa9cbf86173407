/** @jsxImportSource #jsx */
import { Form } from '../../components/form.tsx'
import { loadPicking, type Picking } from '../../components/port-picker.tsx'
import { page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { BillForm, find, requestOf } from './form.tsx'

const EMPTY = { name: '', type: 'cdr', limit: '', day: '1', dir: 'in', custid: '', ref: '', notes: '' }

/** Adds a bill. */
export const newBillPage = page<Picking>({
  path: '/bills/new',
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
