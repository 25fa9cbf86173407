import { afterAll } from 'bun:test'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Loaded by `./portlight test` before the test files of a process. After each file it writes a line `CPU_MS FILE` to
 * the file named by PORTLIGHT_TEST_COSTS: the CPU time that this process and the programs it started used since the
 * file before. On a busy machine that is a better measure than how long the file took.
 */
const place = process.env['PORTLIGHT_TEST_COSTS']
if (place !== undefined) {
  let before = 0
  afterAll(() => {
    const now = usedMs(process.pid)
    appendFileSync(place, `${Math.max(0, now - before)} ${relative(process.cwd(), Bun.main)}\n`)
    before = now
  })
}

/** Linux counts CPU time for user space in hundredths of a second. */
const TICK_MS = 10

/** Parent and CPU ticks (with those of its ended children) of a process; null if it is gone. Source: proc_pid_stat(5). */
function statOf(pid: string): { parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name of the program, in parentheses, may hold spaces
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}

/** CPU time of a process and all below it, ms. */
function usedMs(root: number): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = statOf(name)
    if (stat === null) continue
    ticks.set(Number(name), stat.ticks)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)])
  }
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + below(child), ticks.get(pid) ?? 0)
  return below(root) * TICK_MS
}
