import { readdirSync, readFileSync } from 'node:fs'
import type { Store } from '../../src/core/database/client.ts'

const TICKS_PER_S = 100

/** CPU seconds used so far. */
export interface Cpu {
  readonly own: number
  /** By name of the thread of this process; MAIN for the main thread. */
  readonly threads: ReadonlyMap<string, number>
  readonly postgres: number
}

export const MAIN = 'main thread'
export const isMain = (name: string): boolean => name === MAIN
export const isWorker = (name: string): boolean => name.startsWith('snmp-')

/**
 * CPU seconds used so far by a process with all its threads (default: this one), and by its postmaster with all
 * backends.
 */
export function cpuSeconds(of = process.pid): Cpu {
  const parents = new Map<number, number>()
  const times = new Map<number, number>()
  const masters: number[] = []
  let own = Number.NaN
  for (const pid of numbered('/proc')) {
    const found = statOf(`/proc/${pid}`)
    if (found === null) continue
    parents.set(pid, found.parent)
    times.set(pid, found.seconds)
    if (pid === of) own = found.own
    if (found.parent === of && found.name === 'postgres') masters.push(pid)
  }
  let postgres = 0
  for (const [pid, seconds] of times)
    if (masters.includes(pid) || masters.includes(parents.get(pid) ?? 0)) postgres += seconds
  const threads = new Map<string, number>()
  for (const id of numbered(`/proc/${of}/task`)) {
    const found = statOf(`/proc/${of}/task/${id}`)
    if (found === null) continue
    const name = id === of ? MAIN : found.name
    threads.set(name, (threads.get(name) ?? 0) + found.seconds)
  }
  return { own, threads, postgres }
}

/** CPU seconds used so far by one process, without ended children; 0: it has ended. */
export function cpuSecondsOf(pid: number): number {
  return statOf(`/proc/${pid}`)?.own ?? 0
}

/** CPU seconds used so far by the processes that serve the connections to this database, in steps of 0.01. */
export async function databaseCpuS({ sql }: Store): Promise<number> {
  const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`
  return rows.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
}

/** Resident memory, bytes, of a process, and of its postmaster with all backends, whose shared pages count once. */
export function memoryOf(pid: number): { readonly own: number; readonly postgres: number } {
  const processes = numbered('/proc').flatMap((id) => {
    const found = statOf(`/proc/${id}`)
    return found?.name === 'postgres' ? [{ id, parent: found.parent }] : []
  })
  const masters = new Set(processes.filter(({ parent }) => parent === pid).map(({ id }) => id))
  const servers = processes.filter(({ id, parent }) => masters.has(id) || masters.has(parent))
  return {
    own: rollup(pid, 'Rss'),
    postgres: servers.reduce((sum, { id }) => sum + rollup(id, 'Pss'), 0),
  }
}

/** Bytes; 0: the process has already ended. */
function rollup(pid: number, name: 'Rss' | 'Pss'): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function numbered(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger)
}

/**
 * CPU seconds of a process including ended children, and `own` without them, or of a thread; null: it has already
 * ended.
 */
function statOf(folder: string): { name: string; parent: number; seconds: number; own: number } | null {
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const after = stat.slice(end + 2).split(' ')
    // for threads, the last two fields are those of the whole process
    const fields = folder.includes('/task/') ? [11, 12] : [11, 12, 13, 14]
    const sum = (of: readonly number[]) => of.reduce((ticks, field) => ticks + Number(after[field]), 0) / TICKS_PER_S
    const name = stat.slice(stat.indexOf('(') + 1, end)
    return { name, parent: Number(after[1]), seconds: sum(fields), own: sum([11, 12]) }
  } catch {
    return null
  }
}
