import type { Store } from '../core/database/client.ts'
import { readStorage } from '../core/system/read-storage.ts'
import type { DiskSpace, StorageFacts } from '../core/system/storage.ts'
import { announceDisk } from '../core/system/write-storage.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import { doAgain } from './periodic.ts'

/** Sizes, packing and growth, read now and then for `/metrics` and the warning about the disk. */
export interface StorageWatch {
  metrics(): readonly Metric[]
  stop(): Promise<void>
}

const EVERY_MS = 600_000
/** Not at the start, which has enough to do: the reading takes as much of the database as the rest of a start. */
const FIRST_MS = 30_000

/**
 * `disk`: the file system of the database; null where another process or machine has it, which then also warns.
 * `firstMs`: until the first reading.
 */
export function watchStorage(store: Store, disk: () => DiskSpace | null, log: Log, firstMs = FIRST_MS): StorageWatch {
  let found: StorageFacts | null = null

  /** Tells of a full disk, and of its end, once each. */
  async function announce({ disk: space, warning }: StorageFacts): Promise<void> {
    if (space === null) return
    const reason = warning?.reason ?? null
    if (!(await announceDisk(store, reason))) return
    if (reason === null) log.info('the disk of the database has enough room again')
    else log.warn({ reason }, 'the disk of the database is filling up')
  }

  async function read(): Promise<void> {
    try {
      const facts = await readStorage(store, disk())
      await announce(facts).finally(() => {
        found = facts
      })
    } catch (error) {
      log.debug({ err: error }, 'the sizes of the database could not be read')
    }
  }

  const { stop } = doAgain(read, EVERY_MS, firstMs)
  return {
    metrics: () => (found === null ? [] : storageMetrics(found)),
    stop,
  }
}

/** Metrics of what the database holds. */
export function storageMetrics({ tables, packing, growth, disk, forecast, warning, readAt }: StorageFacts): Metric[] {
  const levels = Map.groupBy(tables, ({ level }) => level)
  return [
    ...[...levels].flatMap(([level, all]) => {
      const sum = (of: (table: (typeof all)[number]) => number): number => all.reduce((n, table) => n + of(table), 0)
      return [
        figure(
          'portlight_series_size_bytes',
          sum((t) => t.octets - t.longOctets),
          { level, form: 'rows' },
        ),
        figure(
          'portlight_series_size_bytes',
          sum((t) => t.longOctets),
          { level, form: packing.form ?? 'packed' },
        ),
        figure(
          'portlight_packed_chunks',
          sum((t) => t.longParts),
          { level },
        ),
        figure(
          'portlight_packing_waiting_chunks',
          sum((t) => t.waiting),
          { level },
        ),
      ]
    }),
    figure(
      'portlight_packing_oldest_seconds',
      packing.oldest === null ? 0 : Math.max(0, (readAt.getTime() - packing.oldest.getTime()) / 1000),
    ),
    figure('portlight_packing_overdue_chunks', packing.overdue),
    figure('portlight_packing_problems', packing.problems.length),
    ...(growth === null ? [] : [figure('portlight_database_growth_bytes', Math.round(growth))]),
    ...(forecast.kind === 'full' ? [figure('portlight_disk_full_seconds', Math.round(forecast.inS))] : []),
    ...(disk === null ? [] : [figure('portlight_disk_warning', warning === null ? 0 : 1)]),
  ]
}
