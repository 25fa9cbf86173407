import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { billPorts, billPortsPast, bills } from '../../../db/schema/index.ts'
import { writeAudit } from '../base/write-audit.ts'
import type { DbTx, Store } from '../database/client.ts'

/** Columns of a bill that clients set. */
export type BillValues = Pick<
  typeof bills.$inferInsert,
  | 'bill_name'
  | 'bill_type'
  | 'bill_cdr'
  | 'bill_day'
  | 'bill_quota'
  | 'bill_custid'
  | 'bill_ref'
  | 'bill_notes'
  | 'dir_95th'
>

/** Stores a bill with its ports; returns its id. */
export async function insertBill(
  { db }: Store,
  values: BillValues,
  portIds: readonly number[],
  username: string,
): Promise<number> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.insert(bills).values(values).returning({ id: bills.bill_id })
    const id = row?.id ?? 0
    await setPorts(tx, id, portIds)
    await note(tx, id, `Bill ${values.bill_name} added (#${id})`, username)
    return id
  })
}

/** Changes a bill; `portIds` replaces all its ports, null keeps them. False: no such bill. */
export async function updateBill(
  { db }: Store,
  billId: number,
  values: Partial<BillValues>,
  portIds: readonly number[] | null,
  username: string,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ name: bills.bill_name })
      .from(bills)
      .where(eq(bills.bill_id, billId))
      .for('update')
    if (before === undefined) return false
    await tx
      .update(bills)
      .set({ ...values, due: true })
      .where(eq(bills.bill_id, billId))
    if (portIds !== null) await setPorts(tx, billId, portIds)
    const changed = [...Object.keys(values), ...(portIds === null ? [] : ['ports'])]
    if (changed.length > 0) {
      await note(tx, billId, `Bill ${before.name} (#${billId}) changed: ${changed.join(', ')}`, username)
    }
    return true
  })
}

/** Deletes a bill with all its data; false: no such bill. */
export async function deleteBill({ db }: Store, billId: number, username: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx.delete(bills).where(eq(bills.bill_id, billId)).returning({ name: bills.bill_name })
    if (gone === undefined) return false
    await note(tx, billId, `Bill ${gone.name} removed (#${billId})`, username)
    return true
  })
}

/** The next 5-minute boundary. A port that moves to another bill leaves and joins at it, so no traffic counts twice. */
const NEXT = sql`date_bin('300 s', now() - interval '1 microsecond', 'epoch') + interval '300 s'`

/**
 * Ports of a new bill count from the start of its period, ports that are added later from now on. Removed ports keep
 * what they counted. Until a bill is counted for the first time, changes of its ports replace what was set before.
 */
async function setPorts(tx: DbTx, billId: number, portIds: readonly number[]): Promise<void> {
  const wanted = new Set(portIds)
  const stored = await tx.select().from(billPorts).where(eq(billPorts.bill_id, billId))
  const away = stored.filter((row) => !wanted.delete(row.port_id)).map((row) => row.id)
  const [counted] = await tx
    .select({ id: bills.bill_id })
    .from(bills)
    .where(and(eq(bills.bill_id, billId), isNotNull(bills.counted_upto)))
  if (away.length > 0) {
    if (counted !== undefined) {
      await tx.execute(sql`insert into ${billPortsPast} (bill_id, port_id, since, until)
        select bill_id, port_id, since, ${NEXT} from ${billPorts} where ${inArray(billPorts.id, away)} and since < ${NEXT}`)
    }
    await tx.delete(billPorts).where(inArray(billPorts.id, away))
  }
  if (wanted.size > 0) {
    const since = counted === undefined ? sql`'-infinity'::timestamptz` : NEXT
    await tx.insert(billPorts).values([...wanted].map((port_id) => ({ bill_id: billId, port_id, since })))
  }
}

async function note(tx: DbTx, billId: number, message: string, username: string): Promise<void> {
  await writeAudit(tx, { deviceId: null, message, type: 'bill', reference: String(billId), username, severity: 3 })
}
