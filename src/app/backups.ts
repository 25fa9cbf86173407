import { type LastBackup, lastBackup } from '../core/backup/write-record.ts'
import type { Store } from '../core/database/client.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'

const EVERY_MS = 60_000

/** Checks once a minute when the last backup was made. */
export function followBackups({ sql }: Store, log: Log): { metrics(): readonly Metric[]; stop(): void } {
  let last: LastBackup | null = null
  const check = (): void => {
    lastBackup(sql).then(
      (found) => {
        last = found
      },
      // while the database is unreachable, the age of the last known backup keeps growing
      (error: unknown) => log.debug({ err: error }, 'the time of the last backup could not be read'),
    )
  }
  check()
  const timer = setInterval(check, EVERY_MS)
  return { metrics: () => backupMetrics(last, Date.now()), stop: () => clearInterval(timer) }
}

/** Empty if there has never been a backup. */
export function backupMetrics(last: LastBackup | null, nowMs: number): readonly Metric[] {
  if (last === null) return []
  return [
    figure('portlight_backup_age_seconds', Math.max(0, Math.round((nowMs - last.made.getTime()) / 1000))),
    figure('portlight_backup_size_bytes', last.octets),
    figure('portlight_backup_duration_seconds', last.seconds),
  ]
}
