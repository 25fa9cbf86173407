import type { Store } from '../database/client.ts'
import { DISK_NOTICE } from './read-storage.ts'
import type { PackingState } from './storage.ts'

/** Notes the size of the database once a day, so that its growth is known. */
export async function noteSize({ sql }: Store): Promise<void> {
  await sql`select ts.note_size()`
}

/** What the packing of older data does: `null`, nothing is to be done. */
export type PackingStage = 'began' | 'goes on' | 'finished' | null

/**
 * Records that packing of older data begins or ends. Chunks of the day are not older data: they are packed within the
 * length of a chunk.
 */
export async function trackPacking({ sql }: Store, { waiting, overdue }: PackingState): Promise<PackingStage> {
  if (overdue === 0) {
    const ended = await sql`delete from ts.packing_run returning total`
    return ended.length > 0 ? 'finished' : null
  }
  const begun = await sql`insert into ts.packing_run (total) values (${waiting}) on conflict do nothing returning total`
  if (begun.length > 0) return 'began'
  await sql`update ts.packing_run set total = ${waiting} where total < ${waiting}`
  return 'goes on'
}

/**
 * Begins or ends (`reason` null) the warning about the disk. An event is stored when that changes something, by one
 * process and also while the database accepts no other writes. True: it did.
 */
export async function announceDisk({ sql }: Store, reason: string | null): Promise<boolean> {
  return await sql.begin('read write', async (tx) => {
    const changed =
      reason === null
        ? await tx`delete from ts.notice where name = ${DISK_NOTICE} returning name`
        : await tx`insert into ts.notice (name, reason) values (${DISK_NOTICE}, ${reason}) on conflict do nothing returning name`
    if (changed.length === 0) return false
    const message =
      reason === null
        ? 'The disk of the database has enough room again'
        : `The disk of the database is filling up: ${reason}`
    await tx`insert into eventlog ${tx({
      ...{ device_id: null, datetime: new Date(), message, type: 'system', reference: null, username: '' },
      severity: reason === null ? 1 : 4,
    })}`
    return true
  })
}
