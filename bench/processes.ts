import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_S = 100

/** CPU seconds used so far. */
export interface Cpu {
  readonly own: number
  /** By thread of this process: its name, or MAIN. */
  readonly threads: ReadonlyMap<string, number>
  readonly postgres: number
}

export const MAIN = 'main thread'
export const isMain = (name: string): boolean => name === MAIN
export const isWorker = (name: string): boolean => name.startsWith('snmp-')

/** CPU seconds used so far by this process with all threads, and by its postmaster with all backends. */
export function cpuSeconds(): Cpu {
  const { user, system } = process.cpuUsage()
  const parents = new Map<number, number>()
  const times = new Map<number, number>()
  const masters: number[] = []
  for (const pid of numbered('/proc')) {
    const found = statOf(`/proc/${pid}`)
    if (found === null) continue
    parents.set(pid, found.parent)
    times.set(pid, found.seconds)
    if (found.parent === process.pid && found.name === 'postgres') masters.push(pid)
  }
  let postgres = 0
  for (const [pid, seconds] of times)
    if (masters.includes(pid) || masters.includes(parents.get(pid) ?? 0)) postgres += seconds
  const threads = new Map<string, number>()
  for (const id of numbered('/proc/self/task')) {
    const found = statOf(`/proc/self/task/${id}`)
    if (found === null) continue
    const name = id === process.pid ? MAIN : found.name
    threads.set(name, (threads.get(name) ?? 0) + found.seconds)
  }
  return { own: (user + system) / 1e6, threads, postgres }
}

function numbered(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger)
}

/** Of a process, ended children included, or of a thread; null: already ended. */
function statOf(folder: string): { name: string; parent: number; seconds: number } | null {
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const after = stat.slice(end + 2).split(' ')
    // of threads the last two are those of the whole process
    const fields = folder.includes('/task/') ? [11, 12] : [11, 12, 13, 14]
    const ticks = fields.reduce((sum, field) => sum + Number(after[field]), 0)
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(after[1]), seconds: ticks / TICKS_PER_S }
  } catch {
    return null
  }
}
