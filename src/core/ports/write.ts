import { and, eq, sql } from 'drizzle-orm'
import { devicesAttribs, ports } from '../../../db/schema/index.ts'
import { writeAudit } from '../base/write-audit.ts'
import type { DbTx, Store } from '../database/client.ts'

/**
 * Stores the notes of a port (device attribute `port_id_notes:{port_id}`); null deletes them. Returns false: no such
 * port.
 */
export async function updatePortNotes(
  { db }: Store,
  deviceId: number,
  portId: number,
  notes: string | null,
): Promise<boolean> {
  const key = { device_id: deviceId, attrib_type: `port_id_notes:${portId}` }
  return await db.transaction(async (tx) => {
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
  })
}

/**
 * Sets ifAlias of a port and locks it against polling (device attribute `ifName:{ifName}` = 1). `null` marks it
 * `repoll` and unlocks it, so that the next poll restores the device's own value.
 */
export async function updatePortDescription(
  { db }: Store,
  port: { readonly port_id: number; readonly device_id: number; readonly ifName: string | null },
  description: string | null,
  username: string,
): Promise<void> {
  return await db.transaction(async (tx) => {
    await tx
      .update(ports)
      .set({ ifAlias: description ?? 'repoll' })
      .where(eq(ports.port_id, port.port_id))
    await setLock(tx, port.device_id, `ifName:${port.ifName ?? ''}`, description !== null)
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
  })
}

const speedLock = ({ ifName }: { readonly ifName: string | null }) => `ifSpeed:${ifName ?? ''}`

/** Locks a value set by a person against polling and discovery (a device attribute = 1), or unlocks it. */
async function setLock(tx: DbTx, device_id: number, attrib_type: string, locked: boolean): Promise<void> {
  if (!locked) {
    await tx
      .delete(devicesAttribs)
      .where(and(eq(devicesAttribs.device_id, device_id), eq(devicesAttribs.attrib_type, attrib_type)))
    return
  }
  await tx
    .insert(devicesAttribs)
    .values({ device_id, attrib_type, attrib_value: '1' })
    .onConflictDoUpdate({
      target: [devicesAttribs.device_id, devicesAttribs.attrib_type],
      set: { attrib_value: '1', updated: sql`now()` },
    })
}

/** What a person decides about a port. */
export interface PortSettings {
  /** No alerts. */
  readonly ignore: boolean
  /** Not polled. */
  readonly disabled: boolean
  /** bit/s, in place of the device's own; null: the device's own. */
  readonly speed: number | null
}

/** Whether the speed of the port was set by a person. */
export async function isSpeedSet(
  { db }: Store,
  port: { readonly device_id: number; readonly ifName: string | null },
): Promise<boolean> {
  const rows = await db
    .select({ value: devicesAttribs.attrib_value })
    .from(devicesAttribs)
    .where(and(eq(devicesAttribs.device_id, port.device_id), eq(devicesAttribs.attrib_type, speedLock(port))))
  return rows[0]?.value === '1'
}

/**
 * Stores the flags of a port and its speed. A speed is locked against polling and discovery (device attribute
 * `ifSpeed:{ifName}` = 1); without one, the next poll or discovery restores the device's own.
 */
export async function updatePortSettings(
  { db }: Store,
  port: { readonly port_id: number; readonly device_id: number; readonly ifName: string | null },
  { ignore, disabled, speed }: PortSettings,
  changes: readonly string[],
  username: string,
): Promise<void> {
  return await db.transaction(async (tx) => {
    await tx
      .update(ports)
      .set({
        ignore: ignore ? 1 : 0,
        disabled: disabled ? 1 : 0,
        ...(speed !== null && { ifSpeed: speed, ifHighSpeed: Math.round(speed / 1e6) }),
      })
      .where(eq(ports.port_id, port.port_id))
    await setLock(tx, port.device_id, speedLock(port), speed !== null)
    for (const change of changes) {
      await writeAudit(tx, {
        deviceId: port.device_id,
        message: `${port.ifName ?? ''} ${change}`,
        type: 'interface',
        reference: String(port.port_id),
        username,
        severity: 3,
      })
    }
  })
}
