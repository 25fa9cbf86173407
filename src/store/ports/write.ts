import { and, eq, sql } from 'drizzle-orm'
import { devicesAttribs, ports } from '../../../db/schema/index.ts'
import { writeAudit } from '../access/audit.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/**
 * Stores the notes of a port (device attribute `port_id_notes:{port_id}`); null deletes them. Returns false: no such
 * port.
 */
export function updatePortNotes(
  { db }: Store,
  deviceId: number,
  portId: number,
  notes: string | null,
): Promise<boolean> {
  const key = { device_id: deviceId, attrib_type: `port_id_notes:${portId}` }
  return guarded(() =>
    db.transaction(async (tx) => {
      const found = await tx
        .select({ id: ports.port_id })
        .from(ports)
        .where(and(eq(ports.port_id, portId), eq(ports.device_id, deviceId)))
      if (found.length === 0) return false
      if (notes === null) {
        await tx
          .delete(devicesAttribs)
          .where(and(eq(devicesAttribs.device_id, deviceId), eq(devicesAttribs.attrib_type, key.attrib_type)))
      } else {
        await tx
          .insert(devicesAttribs)
          .values({ ...key, attrib_value: notes })
          .onConflictDoUpdate({
            target: [devicesAttribs.device_id, devicesAttribs.attrib_type],
            set: { attrib_value: notes, updated: sql`now()` },
          })
      }
      return true
    }),
  )
}

/**
 * Sets ifAlias of a port and locks it against polling (device attribute `ifName:{ifName}` = 1). `null` marks it
 * `repoll` and unlocks it, so that the next poll restores the device's own value.
 */
export function updatePortDescription(
  { db }: Store,
  port: { readonly port_id: number; readonly device_id: number; readonly ifName: string | null },
  description: string | null,
  username: string,
): Promise<void> {
  const lock = { device_id: port.device_id, attrib_type: `ifName:${port.ifName ?? ''}` }
  return guarded(() =>
    db.transaction(async (tx) => {
      await tx
        .update(ports)
        .set({ ifAlias: description ?? 'repoll' })
        .where(eq(ports.port_id, port.port_id))
      if (description === null) {
        await tx
          .delete(devicesAttribs)
          .where(and(eq(devicesAttribs.device_id, lock.device_id), eq(devicesAttribs.attrib_type, lock.attrib_type)))
      } else {
        await tx
          .insert(devicesAttribs)
          .values({ ...lock, attrib_value: '1' })
          .onConflictDoUpdate({
            target: [devicesAttribs.device_id, devicesAttribs.attrib_type],
            set: { attrib_value: '1', updated: sql`now()` },
          })
      }
      await writeAudit(tx, {
        deviceId: port.device_id,
        message:
          description === null
            ? `${port.ifName ?? ''} Port ifAlias cleared manually`
            : `${port.ifName ?? ''} Port ifAlias set manually: ${description}`,
        type: 'interface',
        reference: String(port.port_id),
        username,
        severity: 3,
      })
    }),
  )
}
