import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { figure } from './figures.ts'
import { residentBytes } from './memory.ts'
import type { Metric } from './metrics.ts'

/** Metrics of the build, this process and the disk of the data folder. Reads a few files in /proc. */
export function machineMetrics({ version, dataDir }: { readonly version: string; readonly dataDir: string }): Metric[] {
  const { user, system } = process.cpuUsage()
  const resident = residentBytes()
  return [
    figure('portlight_build_info', 1, { version, bun: Bun.version }),
    figure('process_cpu_seconds_total', (user + system) / 1e6),
    ...(resident === null ? [] : [figure('process_resident_memory_bytes', resident)]),
    figure('process_start_time_seconds', Math.round(performance.timeOrigin) / 1000),
    ...descriptors(),
    ...diskMetrics(dataDir),
  ]
}

function descriptors(): Metric[] {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return [
      figure('process_open_fds', readdirSync('/proc/self/fd').length),
      ...(limit === undefined ? [] : [figure('process_max_fds', Number(limit))]),
    ]
  } catch {
    return []
  }
}

/** Free and total space of a folder's file system, bytes; null: there is no such folder. */
export function diskOf(folder: string): { readonly free: number; readonly size: number } | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}

function diskMetrics(folder: string): Metric[] {
  const disk = diskOf(folder)
  if (disk === null) return []
  return [figure('portlight_disk_free_bytes', disk.free), figure('portlight_disk_size_bytes', disk.size)]
}
