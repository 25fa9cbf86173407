import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { BillModel } from './model.ts'
import { billRequest } from './requests.ts'

const REFUSED = { 403: ErrorModel }

/** Traffic bills. */
export const billRoutes = ({ bills }: Pick<Services, 'bills'>) =>
  new Elysia({ name: 'v0.bills', prefix: '/bills' })
    .use(v0Context)
    .get(
      '',
      async ({ actor, query: { period, ref, custid } }) => {
        const filter = custid !== undefined ? { custid } : ref !== undefined ? { ref } : {}
        return listed(await (period === 'previous' ? bills.listPrevious(actor, filter) : bills.list(actor, filter)))
      },
      {
        ...operation({ id: 'list_bills', gate: 'Bill.viewAny', summary: 'Bills, all or by reference or customer' }),
        query: BillModel.filter,
        response: { 200: BillModel.list, ...REFUSED },
      },
    )
    .get(
      '/:id',
      async ({ actor, params: { id }, query: { period, ref, custid } }) => {
        const own = /^\d+$/.test(id) ? { id: rowId(id) } : {}
        const filter = custid !== undefined ? { custid } : ref !== undefined ? { ref } : own
        return listed(await (period === 'previous' ? bills.listPrevious(actor, filter) : bills.list(actor, filter)))
      },
      {
        ...operation({ id: 'get_bill', gate: 'Bill.viewAny', summary: 'A bill, as a list' }),
        params: BillModel.id,
        query: BillModel.filter,
        response: { 200: BillModel.list, ...REFUSED },
      },
    )
    .get(
      '/:id/history',
      async ({ actor, params }) => {
        const id = rowId(params.id)
        await bills.requireAccess(actor, id)
        const history = await bills.history(id)
        return { status: 'ok' as const, bill_history: history, count: history.length }
      },
      {
        ...operation({
          id: 'get_bill_history',
          gate: 'Bill.viewAny',
          summary: 'Last 24 billing periods of a bill',
        }),
        params: BillModel.id,
        response: { 200: BillModel.history, ...REFUSED },
      },
    )
    .post(
      '',
      async ({ actor, body }) => ({ status: 'ok' as const, bill_id: await bills.save(actor, billRequest(body)) }),
      {
        ...operation({
          id: 'create_edit_bill',
          route: 'create_bill',
          gate: 'Bill.create',
          summary: 'Creates a bill, or changes the one with bill_id',
        }),
        body: BillModel.save,
        response: { 200: BillModel.saved, ...refusals('invalid', 'unusable', 'forbidden', 'absent') },
      },
    )
    .delete(
      '/:id',
      async ({ actor, params }) => {
        await bills.delete(actor, params.id)
        return { status: 'ok' as const, message: 'Bill has been removed' as const }
      },
      {
        ...operation({ id: 'delete_bill', gate: 'Bill.delete', summary: 'Deletes a bill and all its data' }),
        params: BillModel.id,
        response: { 200: BillModel.removed, 400: ErrorModel, ...REFUSED },
      },
    )

/** `count` is the number of bills. */
function listed<T>(list: readonly T[]) {
  return { status: 'ok' as const, bills: [...list], message: '' as const, count: list.length }
}
