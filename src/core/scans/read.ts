import type { Store } from '../database/client.ts'
import type { Scan, ScanCounts, ScanState } from './scan.ts'
import { noCounts } from './scan-counts.ts'

/** A scan with what its runner needs. */
export interface StoredScan extends Scan {
  readonly ping: boolean
  readonly snmp: boolean
  readonly large: boolean
  readonly byCommand: boolean
  readonly position: number
  readonly pending: readonly number[]
  /** When its process last stored progress; null: never. */
  readonly heardAt: Date | null
}

interface ScanRow {
  readonly id: number
  readonly networks: string[]
  readonly poller_group: number
  readonly state: ScanState
  readonly rate: number
  readonly ping: boolean
  readonly snmp: boolean
  readonly large: boolean
  readonly by_command: boolean
  readonly started_by: string
  readonly position: string
  readonly pending: string[]
  readonly done_before: number
  readonly counts: Partial<ScanCounts>
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly heard_at: Date | null
  readonly why: string | null
}

const COLUMNS =
  'id, networks, poller_group, state, rate, ping, snmp, large, by_command, started_by, position, pending, done_before, counts, started_at, ended_at, heard_at, why'

export async function findScan({ sql }: Store, id: number): Promise<StoredScan | null> {
  const [row] = await sql<ScanRow[]>`select ${sql.unsafe(COLUMNS)} from scans where id = ${id}`
  return row === undefined ? null : scanOf(row)
}

/** The newest scans first. */
export async function listScans({ sql }: Store, most: number): Promise<StoredScan[]> {
  const rows = await sql<ScanRow[]>`select ${sql.unsafe(COLUMNS)} from scans order by id desc limit ${most}`
  return rows.map(scanOf)
}

/** Scans that wait for their turn, oldest first. */
export async function waitingScans({ sql }: Store): Promise<StoredScan[]> {
  const rows = await sql<ScanRow[]>`
      select ${sql.unsafe(COLUMNS)} from scans where state = 'waiting' and not by_command order by id limit 100`
  return rows.map(scanOf)
}

/**
 * When a scan of each network was last added, by its text. Also one that failed or was stopped: to add another at once
 * would undo what a person did, and fail again without end.
 */
export async function lastScanned({ sql }: Store): Promise<Map<string, Date>> {
  const rows = await sql<{ network: string; at: Date }[]>`
      select network, max(added_at) as at from scans, unnest(networks) as network group by network`
  return new Map(rows.map(({ network, at }) => [network, at]))
}

function scanOf(row: ScanRow): StoredScan {
  const counts = { ...noCounts(0, 0), ...row.counts }
  return {
    ...{ id: row.id, networks: row.networks, pollerGroup: row.poller_group, state: row.state, rate: row.rate, counts },
    ...{ startedBy: row.started_by, startedAt: row.started_at, endedAt: row.ended_at, why: row.why },
    ...{ ping: row.ping, snmp: row.snmp, large: row.large, byCommand: row.by_command, heardAt: row.heard_at },
    ...{ position: Number(row.position), pending: row.pending.map(Number) },
    restS: row.state === 'running' ? restOf(counts, row.done_before, row.started_at) : null,
  }
}

/** Seconds until the end at the pace so far; null: too little is done to say. */
function restOf({ done, total }: ScanCounts, before: number, startedAt: Date | null): number | null {
  if (startedAt === null || done - before < 10) return null
  const tookS = (Date.now() - startedAt.getTime()) / 1000
  return Math.max(0, Math.round(((total - done) * tookS) / (done - before)))
}
