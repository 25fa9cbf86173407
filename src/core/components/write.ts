import { and, eq, inArray } from 'drizzle-orm'
import { component, componentPrefs, componentStatuslog } from '../../../db/schema/index.ts'
import { writeAudit } from '../base/write-audit.ts'
import type { DbTx, Store } from '../database/client.ts'

/** Stores an empty component and its first status log entry; returns its id. */
export async function insertComponent(
  { db }: Store,
  deviceId: number,
  type: string,
  username: string,
): Promise<number> {
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(component)
      .values({ device_id: deviceId, type, label: '', error: '' })
      .returning({ id: component.id })
    const id = row?.id ?? 0
    await tx.insert(componentStatuslog).values({ component_id: id, status: 0, message: 'Component Created' })
    await note(tx, deviceId, id, `Component ${type} created (#${id})`, username)
    return id
  })
}

/** New values of a component. Absent members stay unchanged; `attributes` replaces all attributes. */
export interface ComponentChange {
  readonly id: number
  readonly label?: string
  readonly status?: number
  readonly ignore?: number
  readonly disabled?: number
  readonly error?: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Changes components of a device, all or none. Ids that the device does not have are ignored. */
export async function updateComponents(
  { db }: Store,
  deviceId: number,
  changes: readonly ComponentChange[],
  username: string,
): Promise<void> {
  return await db.transaction(async (tx) => {
    // by id, so that two writers cannot deadlock
    for (const change of changes.toSorted((a, b) => a.id - b.id)) await updateOne(tx, deviceId, change, username)
  })
}

async function updateOne(
  tx: DbTx,
  deviceId: number,
  { id, attributes, ...wanted }: ComponentChange,
  username: string,
): Promise<void> {
  const [before] = await tx
    .select()
    .from(component)
    .where(and(eq(component.id, id), eq(component.device_id, deviceId)))
    .for('update')
  if (before === undefined) return
  const members = Object.entries(wanted).filter(([name, value]) => before[name as keyof typeof wanted] !== value)
  if (members.length > 0) await tx.update(component).set(Object.fromEntries(members)).where(eq(component.id, id))
  if (members.some(([name]) => name === 'status')) {
    await tx
      .insert(componentStatuslog)
      .values({ component_id: id, status: wanted.status ?? 0, message: wanted.error ?? before.error })
  }
  const stored = await tx.select().from(componentPrefs).where(eq(componentPrefs.component, id))
  const values = new Map(stored.map(({ attribute, value }) => [attribute, value]))
  const gone = stored.filter(({ attribute }) => !Object.hasOwn(attributes, attribute))
  const differing = Object.entries(attributes).filter(([attribute, value]) => values.get(attribute) !== value)
  // a changed attribute gets a new row; there are few
  const replaced = stored.filter(({ attribute }) => differing.some(([name]) => name === attribute))
  const away = [...gone, ...replaced].map((row) => row.id)
  if (away.length > 0) await tx.delete(componentPrefs).where(inArray(componentPrefs.id, away))
  if (differing.length > 0) {
    await tx.insert(componentPrefs).values(differing.map(([attribute, value]) => ({ component: id, attribute, value })))
  }
  const said = [
    ...members.map(([name, value]) => `${name} set to ${value}`),
    ...differing.map(([name, value]) => `${name} set to ${value}`),
    ...gone.map(({ attribute }) => `${attribute} removed`),
  ]
  if (said.length > 0) {
    await note(tx, deviceId, id, `Component ${before.type} (#${id}): ${said.join(', ')}`, username)
  }
}

/** Deletes a component; false: no such component. */
export async function deleteComponent({ db }: Store, id: number, username: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx.delete(component).where(eq(component.id, id)).returning()
    if (gone === undefined) return false
    await note(tx, gone.device_id, id, `Component ${gone.type} removed (#${id})`, username)
    return true
  })
}

async function note(tx: DbTx, deviceId: number, id: number, message: string, username: string): Promise<void> {
  await writeAudit(tx, { deviceId, message, type: 'component', reference: String(id), username, severity: 3 })
}
