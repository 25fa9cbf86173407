import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import type { ScanCounts, ScanState } from './scan.ts'

/** NOTIFY channel: a scan was added, stopped or resumed. */
export const SCANS_CHANNEL = 'portlight_scans'
/** Number of scans that are kept. */
const KEPT = 200
/** Of these, the last one of each network is kept too, because it says when the network is due again. */
const KEPT_LAST = 5000

export interface NewScan {
  readonly networks: readonly string[]
  readonly pollerGroup: number
  readonly rate: number
  readonly ping: boolean
  readonly snmp: boolean
  readonly large: boolean
  readonly byCommand: boolean
  readonly startedBy: string
  readonly counts: ScanCounts
}

/** Adds a scan that waits for its turn; returns its id. The oldest finished ones beyond KEPT and KEPT_LAST are deleted. */
export async function insertScan({ sql }: Store, scan: NewScan): Promise<number> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ id: number }[]>`
        insert into scans (networks, poller_group, rate, ping, snmp, large, by_command, started_by, counts)
        values (${[...scan.networks]}, ${scan.pollerGroup}, ${scan.rate}, ${scan.ping}, ${scan.snmp}, ${scan.large},
                ${scan.byCommand}, ${scan.startedBy}, ${JSON.stringify(scan.counts)}::text::jsonb) returning id`
    await tx`
        delete from scans where state not in ('running', 'waiting')
          and id not in (select id from scans order by id desc limit ${KEPT})
          and id not in (
            select max(s.id) from (select id, networks from scans order by id desc limit ${KEPT_LAST}) s, unnest(s.networks) network
            group by network)`
    await tx`select pg_notify(${SCANS_CHANNEL}, '')`
    return row?.id ?? 0
  })
}

/** Takes a scan that waits, so that it runs in this process; false: another of its poller group runs, or it was taken. */
export async function takeScan({ sql }: Store, id: number, runner: string): Promise<boolean> {
  const taken = sql`
      update scans set state = 'running', runner = ${runner}, heard_at = now(), ended_at = null, why = null,
             started_at = now(), done_before = least(coalesce((counts->>'done')::bigint, 0), 2147483647)
      where id = ${id} and state = 'waiting'
        and not exists (select from scans r where r.poller_group = scans.poller_group and r.state = 'running')
      returning id`
  try {
    return (await taken).length > 0
  } catch (error) {
    // another process took one of the same group at this moment
    if (toStoreError(error).code === '23505') return false
    throw error
  }
}

export interface Progress {
  readonly position: number
  readonly pending: readonly number[]
  readonly counts: ScanCounts
}

/** Stores progress; false: the scan no longer runs here, because it was stopped or is deemed dead. */
export async function writeProgress({ sql }: Store, id: number, runner: string, progress: Progress): Promise<boolean> {
  const rows = await sql`
      update scans set position = ${progress.position}, pending = ${`{${progress.pending.join()}}`}::text::bigint[],
             counts = ${JSON.stringify(progress.counts)}::text::jsonb, heard_at = now()
      where id = ${id} and state = 'running' and runner = ${runner} returning id`
  return rows.length > 0
}

/** Ends a scan that runs here. */
export async function endScan(
  { sql }: Store,
  id: number,
  runner: string,
  { state, why }: { readonly state: ScanState; readonly why: string | null },
): Promise<void> {
  await sql`
      update scans set state = ${state}, why = ${why}, runner = '', ended_at = now()
      where id = ${id} and state = 'running' and runner = ${runner}`
  await sql`select pg_notify(${SCANS_CHANNEL}, '')`
}

/** Stops a scan; false: it neither runs nor waits. */
export async function stopScan({ sql }: Store, id: number): Promise<boolean> {
  const rows = await sql`
      update scans set state = 'stopped', ended_at = now() where id = ${id} and state in ('running', 'waiting')
      returning id`
  await sql`select pg_notify(${SCANS_CHANNEL}, '')`
  return rows.length > 0
}

/** Lets a scan that was stopped or failed go on; false: it is in another state. */
export async function resumeScan({ sql }: Store, id: number, byCommand: boolean): Promise<boolean> {
  const rows = await sql`
      update scans set state = 'waiting', ended_at = null, why = null, by_command = ${byCommand}, runner = ''
      where id = ${id} and state in ('stopped', 'failed') returning id`
  await sql`select pg_notify(${SCANS_CHANNEL}, '')`
  return rows.length > 0
}

/** Lets the scans that run in this process wait for another one, which need not find out that this one has ended. */
export async function yieldScans({ sql }: Store, runner: string): Promise<void> {
  await sql`update scans set state = 'waiting', runner = '' where runner = ${runner} and state = 'running'`
}

/**
 * Scans whose process has stored nothing for `seconds` wait again, to go on where they were; those of commands are
 * stopped, because whoever ended the command did not want the server to go on with it.
 */
export async function releaseDead({ sql }: Store, seconds: number): Promise<void> {
  await sql`
      update scans set runner = '', ended_at = case when by_command then now() end,
             state = case when by_command then 'stopped' else 'waiting' end
      where state = 'running' and heard_at < now() - make_interval(secs => ${seconds})`
  await sql`
      update scans set state = 'stopped', ended_at = now()
      where state = 'waiting' and by_command and added_at < now() - make_interval(secs => ${86_400})`
}
