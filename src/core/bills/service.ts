import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { absent, forbidden, invalid, unusable } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Graphs } from '../base/graphs.ts'
import type { Store } from '../database/client.ts'
import { type BillExplanation, explainBill } from './explain.ts'
import { type BillFigures, billFigures } from './figures.ts'
import { createBillGraphs } from './graphs.ts'
import {
  type BillFilter,
  type BillHistoryRecord,
  type BillRecord,
  billHistory,
  billPortIds,
  listBills,
  listPreviousBills,
  maySeeBill,
  type PreviousBillRecord,
  unknownPorts,
} from './read.ts'
import { type BillValues, deleteBill, insertBill, updateBill } from './write.ts'

export type { BillExplanation, BillFilter, BillHistoryRecord, BillRecord, BillValues, PreviousBillRecord }

/** Computed members of a bill. `bill_allowed` is the limit: bits per second, or octets. */
export interface BillExtras extends BillFigures {
  readonly ports_total: number
  readonly bill_allowed: number
}

/** A request of create_edit_bill. Absent members stay unchanged; for a new bill they are reported as missing. */
export interface BillRequest {
  /** null: a new bill. -1: an invalid id. */
  readonly billId: number | null
  /** null: keep the ports. Invalid ids are texts. */
  readonly ports: readonly (number | string)[] | null
  readonly values: Partial<BillValues>
}

/** Order in which missing members are listed. */
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

/** Operations on bills. Lists are limited to granted bills. */
export function createBillService({ store, settings, graphs }: BillDeps) {
  const withExtras = <T extends BillRecord | PreviousBillRecord>(bill: T): T & BillExtras => {
    const type = bill.bill_type.toLowerCase() === 'quota' ? 'quota' : 'cdr'
    const own = type === 'quota' ? bill.bill_quota : bill.bill_cdr
    const limit = 'bill_hist_id' in bill ? bill.bill_allowed : own
    const used = type === 'quota' ? bill.total_data : bill.rate_95th
    const base = settings.get('billing.base') === '1024' ? 1024 : 1000
    return { ...bill, ...billFigures({ type, limit, used }, base), ports_total: bill.ports.length, bill_allowed: limit }
  }

  /** Throws `forbidden` when an added or removed port was not granted. */
  async function requirePorts(actor: Actor, billId: number | null, ports: BillRequest['ports']): Promise<void> {
    const wanted = new Set((ports ?? []).map((id) => (typeof id === 'number' ? id : NO_ID)))
    const stored = new Set(billId === null ? [] : await billPortIds(store, billId))
    await requireGrants(store, actor, { ports: [...wanted.symmetricDifference(stored)] })
  }

  async function requireAccess(actor: Actor, billId: number): Promise<void> {
    if (!(await maySeeBill(store, scopeOf(actor), billId))) {
      throw forbidden('Insufficient permissions to access this bill')
    }
  }

  return {
    ...createBillGraphs({ store, graphs }),

    /** Bills by name, with figures of the current period. */
    async list(actor: Actor, filter: BillFilter) {
      return (await listBills(store, scopeOf(actor), filter)).map(withExtras)
    },

    /** Bills by name, with figures of the last finished period. */
    async listPrevious(actor: Actor, filter: BillFilter) {
      return (await listPreviousBills(store, scopeOf(actor), filter)).map(withExtras)
    },

    /** Throws `forbidden` when the actor may not see the bill, or may not learn that it does not exist. */
    requireAccess,

    /** Whether the bill is granted to the actor. */
    isVisible: (actor: Actor, billId: number): Promise<boolean> => maySeeBill(store, scopeOf(actor), billId),

    /** Figures of a bill's last 24 periods, newest first. Callers check access. */
    async history(billId: number): Promise<BillHistoryRecord[]> {
      return (await billHistory(store, billId)).map(({ from_s, to_s, updated_s, ...record }) => record)
    },

    /**
     * Explains how the figures of a bill's current period (`back` 0) or an earlier one were computed. Throws
     * `forbidden` like requireAccess, and `not_found`.
     */
    async explain(actor: Actor, billId: number, back = 0): Promise<BillExplanation> {
      await requireAccess(actor, billId)
      return await explainBill({ store, settings }, actor, billId, back)
    },

    /**
     * Stores a new bill or changes one; returns its id. Throws `absent` for unknown ports or bills, `unusable` for
     * missing members, `forbidden` for a bill or for added or removed ports that were not granted.
     */
    async save(actor: Actor, { billId, ports, values }: BillRequest): Promise<number> {
      if (billId !== null) await requireGrants(store, actor, { bills: [billId] })
      if (ports !== null) await requirePorts(actor, billId, ports)
      const portIds = ports === null ? null : await knownPorts(store, ports)
      if (billId === null) {
        return await insertBill(store, complete(values), portIds ?? [], actor.username)
      }
      if (!(await updateBill(store, billId, values, portIds, actor.username))) {
        throw absent('Argument bill_id is not allowed on bill create (auto assigned)')
      }
      return billId
    },

    /**
     * Deletes a bill with all its data. Throws `invalid` when it does not exist, `forbidden` when it is not granted.
     */
    async delete(actor: Actor, ref: string): Promise<void> {
      const id = /^\d{1,16}$/.test(ref) ? Number(ref) : 0
      if (id < 1) throw invalid(`Could not remove bill with id ${ref}. Invalid id`)
      if (id <= 2_147_483_647) await requireGrants(store, actor, { bills: [id] })
      if (id > 2_147_483_647 || !(await deleteBill(store, id, actor.username))) {
        throw invalid(`Could not remove bill with id ${ref}`)
      }
    },
  }
}

/** An id that no object has. */
const NO_ID = -1

export type BillService = ReturnType<typeof createBillService>

async function knownPorts(store: Store, ports: readonly (number | string)[]): Promise<number[]> {
  const ids = ports.filter((id) => typeof id === 'number')
  const unknown = new Set<number | string>(await unknownPorts(store, ids))
  for (const id of ports) if (typeof id === 'string' || unknown.has(id)) throw absent(`Port ${id} does not exists`)
  return ids
}

/**
 * Complete values of a new bill: the limit of the other type is 0, dir_95th is `in`. Throws `unusable` with the missing
 * members.
 */
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
    throw unusable(`Missing parameters: ${missing.map((name) => ` ${name}`).join('')}`)
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
