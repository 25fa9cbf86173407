import type { Settings } from '../../config/schema.ts'
import type { Store } from '../../store/client.ts'
import {
  type BillFilter,
  type BillHistoryRecord,
  type BillRecord,
  billHistory,
  listBills,
  listPreviousBills,
  maySeeBill,
  type PreviousBillRecord,
  unknownPorts,
} from '../../store/readers/bills.ts'
import { type BillValues, deleteBill, insertBill, updateBill } from '../../store/writers/bills.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { failed, forbidden, invalid } from '../errors.ts'
import type { Graphs } from '../graphs.ts'
import { type BillFigures, billFigures } from './figures.ts'
import { createBillGraphs } from './graphs.ts'

export type { BillFilter, BillHistoryRecord, BillRecord, BillValues, PreviousBillRecord }

/** What is shown beside a stored bill. `bill_allowed` is the limit: bits per second, or octets. */
export interface BillExtras extends BillFigures {
  readonly ports_total: number
  readonly bill_allowed: number
}

/** What create_edit_bill asks for; members that are absent stay, or are missing. */
export interface BillRequest {
  /** null: a new bill. -1: an id that no bill can have. */
  readonly billId: number | null
  /** null: leave the ports. Ids that no port can have are texts. */
  readonly ports: readonly (number | string)[] | null
  readonly values: Partial<BillValues>
}

/** Order in which missing members are named. */
const NEEDED = [
  'bill_name',
  'bill_type',
  'bill_cdr',
  'bill_day',
  'bill_quota',
  'bill_custid',
  'bill_ref',
  'bill_notes',
] as const

export interface BillDeps {
  readonly store: Store
  readonly settings: Settings
  readonly graphs: Graphs
}

/** The verbs on bills. Lists hold those that the actor was granted. */
export function createBillService({ store, settings, graphs }: BillDeps) {
  const withExtras = <T extends BillRecord | PreviousBillRecord>(bill: T): T & BillExtras => {
    const type = bill.bill_type.toLowerCase() === 'quota' ? 'quota' : 'cdr'
    const own = type === 'quota' ? bill.bill_quota : bill.bill_cdr
    const limit = 'bill_hist_id' in bill ? bill.bill_allowed : own
    const used = type === 'quota' ? bill.total_data : bill.rate_95th
    const base = settings.get('billing.base') === '1024' ? 1024 : 1000
    return { ...bill, ...billFigures({ type, limit, used }, base), ports_total: bill.ports.length, bill_allowed: limit }
  }

  return {
    ...createBillGraphs({ store, graphs }),

    /** Bills by name, in their current period. */
    async list(actor: Actor, filter: BillFilter) {
      return (await listBills(store, scopeOf(actor), filter)).map(withExtras)
    },

    /** Bills by name, as their last finished period ended. */
    async listPrevious(actor: Actor, filter: BillFilter) {
      return (await listPreviousBills(store, scopeOf(actor), filter)).map(withExtras)
    },

    /** Throws `forbidden` when the actor may not see the bill, or know that there is none. */
    async requireAccess(actor: Actor, billId: number): Promise<void> {
      if (!(await maySeeBill(store, scopeOf(actor), billId))) {
        throw forbidden('Insufficient permissions to access this bill')
      }
    },

    /** What a bill came to in its last 24 periods, the newest first. The caller has checked access. */
    async history(billId: number): Promise<BillHistoryRecord[]> {
      return (await billHistory(store, billId)).map(({ from_s, to_s, ...record }) => record)
    },

    /** Stores a new bill or changes one; returns its id. Throws `failed` for unknown ports or bills and missing members. */
    async save(actor: Actor, { billId, ports, values }: BillRequest): Promise<number> {
      const portIds = ports === null ? null : await knownPorts(store, ports)
      if (billId === null) {
        return await insertBill(store, complete(values), portIds ?? [], actor.username)
      }
      if (!(await updateBill(store, billId, values, portIds, actor.username))) {
        throw failed('Argument bill_id is not allowed on bill create (auto assigned)')
      }
      return billId
    },

    /** Removes a bill and all that belongs to it. Throws `invalid` when there is none. */
    async delete(actor: Actor, ref: string): Promise<void> {
      const id = /^\d{1,16}$/.test(ref) ? Number(ref) : 0
      if (id < 1) throw invalid(`Could not remove bill with id ${ref}. Invalid id`)
      if (id > 2_147_483_647 || !(await deleteBill(store, id, actor.username))) {
        throw invalid(`Could not remove bill with id ${ref}`)
      }
    },
  }
}

export type BillService = ReturnType<typeof createBillService>

async function knownPorts(store: Store, ports: readonly (number | string)[]): Promise<number[]> {
  const ids = ports.filter((id) => typeof id === 'number')
  const unknown = new Set<number | string>(await unknownPorts(store, ids))
  for (const id of ports) if (typeof id === 'string' || unknown.has(id)) throw failed(`Port ${id} does not exists`)
  return ids
}

/** A new bill's values: the limit of the other type is 0, dir_95th is `in`. Throws `failed` naming what is missing. */
function complete(values: Partial<BillValues>): BillValues {
  const other = values.bill_type === 'quota' ? 'bill_cdr' : values.bill_type === 'cdr' ? 'bill_quota' : null
  const missing = NEEDED.filter((name) => values[name] === undefined && name !== other)
  const { bill_name, bill_type, bill_day, bill_custid, bill_ref, bill_notes } = values
  if (
    missing.length > 0 ||
    bill_name === undefined ||
    bill_type === undefined ||
    bill_custid === undefined ||
    bill_ref === undefined ||
    bill_notes === undefined
  ) {
    throw failed(`Missing parameters: ${missing.map((name) => ` ${name}`).join('')}`)
  }
  return {
    bill_name,
    bill_type,
    bill_custid,
    bill_ref,
    bill_notes,
    ...(bill_day !== undefined && { bill_day }),
    bill_cdr: values.bill_cdr ?? 0,
    bill_quota: values.bill_quota ?? 0,
    dir_95th: values.dir_95th ?? 'in',
  }
}
