import { readFileSync } from 'node:fs'
import type { BenchServer } from './server.ts'

const PING_EVERY_MS = 5

/** Durations, ms, of pings sent until `over` is set. */
export async function pingUntil(server: BenchServer, state: { readonly over: boolean }): Promise<number[]> {
  const waits: number[] = []
  while (!state.over) {
    const started = performance.now()
    const answer = await fetch(`${server.url}/api/v0/ping`, { headers: { 'X-Auth-Token': server.token } })
    await answer.text()
    waits.push(performance.now() - started)
    await Bun.sleep(PING_EVERY_MS)
  }
  return waits
}

/** The quantile `part` (0 to 1) of the values; NaN if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Resident memory of a process, MiB; 0: it has ended. */
export function residentMib(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
