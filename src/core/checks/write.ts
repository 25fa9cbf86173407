import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { services } from '../../../db/schema/index.ts'
import { writeAudit } from '../base/write-audit.ts'
import type { Store } from '../database/client.ts'

/** Notifications with the id of a service that was added, changed or deleted. */
export const SERVICE_CHANNEL = 'portlight_services'
/** Prefix of the id of a service to check at once. */
export const CHECK_NOW = 'check '

export type NewServiceRow = Omit<typeof services.$inferInsert, 'service_id'>

/** Stores a service; returns its id. */
export async function insertHostService({ db }: Store, row: NewServiceRow, username: string): Promise<number> {
  return await db.transaction(async (tx) => {
    const [stored] = await tx.insert(services).values(row).returning({ id: services.service_id })
    const id = stored?.id ?? 0
    await writeAudit(tx, {
      deviceId: row.device_id,
      message: `Service ${row.service_type} added (#${id})`,
      type: 'service',
      reference: String(id),
      username,
      severity: 3,
    })
    await announce(tx, id)
    return id
  })
}

/** Changes columns of a service. `same`: it already has these values. */
export async function updateHostService(
  { db }: Store,
  serviceId: number,
  values: Partial<NewServiceRow>,
  username: string,
): Promise<'changed' | 'same' | 'absent'> {
  const differs = Object.entries(values).map(
    ([name, value]): SQL => sql`${services[name as keyof NewServiceRow]} is distinct from ${value}`,
  )
  return await db.transaction(async (tx) => {
    const [changed] =
      differs.length === 0
        ? []
        : await tx
            .update(services)
            .set(values)
            .where(and(eq(services.service_id, serviceId), or(...differs)))
            .returning({ device_id: services.device_id })
    if (changed === undefined) {
      const found = await tx
        .select({ id: services.service_id })
        .from(services)
        .where(eq(services.service_id, serviceId))
      return found.length === 0 ? 'absent' : 'same'
    }
    await writeAudit(tx, {
      deviceId: changed.device_id,
      message: `Service #${serviceId} changed: ${Object.keys(values).join(', ')}`,
      type: 'service',
      reference: String(serviceId),
      username,
      severity: 3,
    })
    await announce(tx, serviceId)
    return 'changed'
  })
}

/** Deletes a service and its measurements; false: no such service. */
export async function deleteHostService({ db }: Store, serviceId: number, username: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(services)
      .where(eq(services.service_id, serviceId))
      .returning({ device_id: services.device_id, type: services.service_type })
    if (gone === undefined) return false
    await writeAudit(tx, {
      deviceId: gone.device_id,
      message: `Service ${gone.type} removed (#${serviceId})`,
      type: 'service',
      reference: String(serviceId),
      username,
      severity: 3,
    })
    await announce(tx, serviceId)
    return true
  })
}

/** Asks the server to check a service at once. */
export async function requestCheck({ sql }: Store, serviceId: number): Promise<void> {
  await sql`select pg_notify(${SERVICE_CHANNEL}, ${`${CHECK_NOW}${serviceId}`})`
}

async function announce(tx: Pick<Store['db'], 'execute'>, serviceId: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${SERVICE_CHANNEL}, ${String(serviceId)})`)
}
