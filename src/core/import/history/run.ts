import type { RrdDaemon } from '@portlight/rrd/daemon.ts'
import { residentBytes } from '../../../observe/memory.ts'
import type { SampleKind } from '../../../series/kind.ts'
import { KINDS, type KindName } from '../../../series/kinds.ts'
import type { Sql } from '../../database/client.ts'
import type { FilesReport } from '../report.ts'
import type { Source } from '../source.ts'
import {
  clearPartial,
  dataSetIds,
  kindBounds,
  type Native,
  type Packing,
  prepareTables,
  presentRows,
  writeHistory,
} from '../write-history.ts'
import type { JournalEntry } from '../write-journal.ts'
import { Files, type FileValues } from './files.ts'
import { addHistory, type Bounds, type History, type Levels, noLevels } from './levels.ts'
import { type PortProbe, probeOf } from './probe.ts'
import { type Subject, subjectsOf } from './subjects.ts'
import { align } from './together.ts'

export interface HistoryOptions {
  readonly sql: Sql
  readonly source: Source
  /** The source's name in the journal. */
  readonly name: string
  /** Folder of RRD files. */
  readonly folder: string
  /** The daemon that writes these files and has `folder` as its base folder; null: none. */
  readonly daemon: RrdDaemon | null
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly journal: ReadonlyMap<string, JournalEntry>
  /** History before this time is left out; epoch seconds. */
  readonly sinceS: number
  readonly dryRun: boolean
  /** Epoch seconds. */
  readonly nowS: number
  /** Called after each batch. */
  progress(done: number, files: number): void
}

/** Subjects per transaction. */
const BATCH = 4
/**
 * Above this resident memory, garbage from reading files is collected, at most once a second; the runtime would wait
 * until much more has accumulated.
 */
const COLLECT_OCTETS = 280 * 2 ** 20
const COLLECT_MS = 1000
/** Concurrent transactions. */
const AT_ONCE = 3
/** Limit of ports whose sums are compared with their files. */
const MAX_PROBES = 20
const DAY_S = 86_400
const HOUR_S = 3600

/**
 * Reads every file that belongs to a row and stores its contents. `probes`: the octets that some ports must have
 * afterwards.
 */
export async function importHistory(
  options: HistoryOptions,
): Promise<{ readonly files: FilesReport; readonly probes: readonly PortProbe[] }> {
  const run = new HistoryRun(options)
  const batch: Subject[] = []
  for await (const subject of subjectsOf({
    source: options.source,
    ids: options.ids,
    dataSets: async (serviceId, names) =>
      options.dryRun ? new Map(names.map((name) => [name, 0])) : await dataSetIds(options.sql, serviceId, names),
    namesOf: (file) => run.files.namesOf(file),
  })) {
    if (batch.length === BATCH || (batch[0] !== undefined && batch[0].kind !== subject.kind))
      await run.take(batch.splice(0))
    batch.push(subject)
  }
  await run.take(batch)
  const files = await run.end()
  return { files, probes: run.probes }
}

/** New history from the files of a subject. */
interface Found {
  readonly history: History
  readonly octets: number
  readonly lastUpdateS: number
}

class HistoryRun {
  private readonly began = performance.now()
  private readonly under = new Set<Promise<void>>()
  private failure: unknown = null
  readonly files: Files
  private readonly bounds = new Map<KindName, Bounds & { readonly packing: Packing }>()
  /** Objects whose file has been read. Rows that were merged share an object, and the first one gets the history. */
  private readonly taken = new Set<string>()
  private readonly count = {
    subjects: 0,
    read: 0,
    samples: 0,
    hours: 0,
    days: 0,
    unchanged: 0,
    missing: 0,
    uncertainRows: 0,
  }

  probes: PortProbe[] = []
  private ports = 0
  private collectedMs = 0
  private stride = 1

  constructor(private readonly options: HistoryOptions) {
    this.files = new Files(options.folder, options.daemon)
  }

  /** Stores the history of subjects, which are all of the same kind. */
  async take(subjects: readonly Subject[]): Promise<void> {
    const [first] = subjects
    if (first === undefined) return
    const { options, count } = this
    const kind: SampleKind = KINDS[first.kind]
    const bounds = await this.boundsOf(first.kind)
    const present = options.dryRun
      ? null
      : await presentRows(
          options.sql,
          kind,
          subjects.map(({ id }) => id),
        )
    const levels = noLevels(kind)
    const journal: JournalEntry[] = []
    for (const subject of subjects) {
      count.subjects++
      const entry = await this.store(kind, subject, bounds, levels, present)
      if (entry !== null) journal.push(entry)
    }
    count.samples += levels.samples.timeMs.length
    count.hours += levels.hours.timeMs.length
    count.days += levels.days.timeMs.length
    options.progress(count.subjects, count.read)
    this.collect()
    if (options.dryRun || journal.length === 0) return
    const { samples, hours, days, coarseS } = levels
    const { packing } = bounds
    await this.send(writeHistory(options.sql, options.name, { kind, samples, hours, days, journal, coarseS, packing }))
  }

  private collect(): void {
    const now = performance.now()
    if (now - this.collectedMs < COLLECT_MS || (residentBytes() ?? 0) < COLLECT_OCTETS) return
    Bun.gc(true)
    this.collectedMs = now
  }

  /** Waits until fewer transactions are running; throws the error of an earlier one. */
  private async send(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        this.failure ??= error
      })
      .finally(() => this.under.delete(tracked))
    this.under.add(tracked)
    if (this.under.size >= AT_ONCE) await Promise.race(this.under)
    if (this.failure !== null) {
      await Promise.all(this.under)
      throw this.failure
    }
  }

  private async store(
    kind: SampleKind,
    subject: Subject,
    bounds: Bounds,
    levels: Levels,
    present: Awaited<ReturnType<typeof presentRows>> | null,
  ): Promise<JournalEntry | null> {
    const { count, options } = this
    const object = `${kind.name} ${subject.id}`
    const files = subject.files.filter((file) => this.files.exists(file))
    const [first] = files
    if (first === undefined) {
      count.missing++
      return null
    }
    if (this.taken.has(object)) {
      this.files.refuse(first, 'belongs to a row that was merged with another, whose history is imported')
      return null
    }
    this.taken.add(object)
    const before = options.journal.get(object)
    const sinceS = before?.uptoS == null ? options.sinceS : Math.max(options.sinceS, floor(before.uptoS, DAY_S))
    // A dry run does not change the files.
    if (!options.dryRun)
      for (const file of subject.together === undefined ? [first] : files) await this.files.flush(file)
    const read =
      subject.together === undefined
        ? this.one(subject, first, before, sinceS)
        : this.all(subject, files, before, sinceS)
    if (read === 'unchanged') count.unchanged++
    if (read === 'unchanged' || read === null) return null
    const { history, octets, lastUpdateS } = read
    const of = (rows: readonly Native[]): readonly number[] =>
      rows.flatMap(({ id, timeMs }) => (id === subject.id ? [timeMs] : []))
    const here = present === null ? 0 : of(present.samples).length + of(present['1h']).length + of(present['1d']).length
    const fresh = present === null || (before === undefined && here === 0)
    if (fresh && this.isProbed(kind)) {
      const own = noLevels(kind)
      addHistory(kind, own, history, bounds)
      append(levels, own, all, all, all)
      const probe = probeOf(history, own, bounds)
      if (probe !== null) this.probes.push(probe)
    } else if (fresh) addHistory(kind, levels, history, bounds)
    else {
      const own = noLevels(kind)
      addHistory(kind, own, history, bounds)
      const uptoMs = (before?.uptoS ?? 0) * 1000
      const native = of(present.samples).filter((ms) => ms > uptoMs)
      if (before?.uptoS != null) await this.clear(kind, subject.id, before.uptoS, native)
      const [partHour, partDay] = [floor(uptoMs, HOUR_S * 1000), floor(uptoMs, DAY_S * 1000)]
      const cleared = before?.uptoS != null && !native.some((ms) => ms <= partDay + DAY_S * 1000)
      const hours = new Set(of(present['1h']).filter((ms) => !(cleared && ms === partHour)))
      const days = new Set(of(present['1d']).filter((ms) => !(cleared && ms === partDay)))
      append(
        levels,
        own,
        (endMs, periodMs) => endMs > uptoMs && !anyWithin(native, endMs - periodMs, endMs),
        (beginMs) => !hours.has(beginMs) && beginMs + HOUR_S * 1000 > uptoMs,
        (beginMs) => !days.has(beginMs) && beginMs + DAY_S * 1000 > uptoMs,
      )
    }
    return { object, uptoId: null, uptoS: lastUpdateS, octets, rows: history.rows }
  }

  /**
   * Clears the hour and the day in which an earlier import ended so that they are written again, unless a poll has
   * stored samples in them.
   */
  private async clear(kind: SampleKind, id: number, uptoS: number, native: readonly number[]): Promise<void> {
    const day = floor(uptoS, DAY_S) * 1000
    if (native.some((ms) => ms <= day + DAY_S * 1000)) return
    await clearPartial(this.options.sql, kind, id, floor(uptoS, HOUR_S) * 1000, day)
  }

  /** True for a few ports, spread evenly over all of them. */
  private isProbed(kind: SampleKind): boolean {
    if (kind.name !== 'port' || this.options.dryRun) return false
    this.ports++
    if (this.ports % this.stride !== 0) return false
    if (this.probes.length >= MAX_PROBES) {
      this.probes = this.probes.filter((_, i) => i % 2 === 0)
      this.stride *= 2
    }
    return true
  }

  /** History from the file of a subject; null: it cannot be read. */
  private one(
    subject: Subject,
    file: string,
    before: JournalEntry | undefined,
    sinceS: number,
  ): Found | 'unchanged' | null {
    if (before !== undefined) {
      const state = this.files.stateOf(file)
      if (state === null) return null
      if (before.uptoS === state.lastUpdateS && before.octets === state.octets) return 'unchanged'
    }
    const read = this.files.read(file, sinceS)
    if (read === null) return null
    const { joined, names, stepS, octets, lastUpdateS } = read
    const columns = subject.columns[subject.files.indexOf(file)]?.(joined, names, stepS) ?? null
    if (columns === null) {
      this.files.refuse(file, 'lacks required data sets')
      return null
    }
    this.count.read++
    this.count.uncertainRows += joined.uncertain
    const { rows, endS, widthS } = joined
    return { history: { id: subject.id, rows, endS, widthS, columns, states: subject.states }, octets, lastUpdateS }
  }

  /** History from all files of a subject; null: none can be read. */
  private all(
    subject: Subject,
    files: readonly string[],
    before: JournalEntry | undefined,
    sinceS: number,
  ): Found | 'unchanged' | null {
    if (before !== undefined) {
      const states = files.flatMap((file) => this.files.stateOf(file) ?? [])
      const octets = states.reduce((sum, state) => sum + state.octets, 0)
      const lastUpdateS = Math.max(...states.map((state) => state.lastUpdateS))
      if (before.uptoS === lastUpdateS && before.octets === octets) return 'unchanged'
    }
    const found = new Map<string, FileValues>()
    let octets = 0
    let lastUpdateS = 0
    for (const file of files) {
      const read = this.files.read(file, sinceS)
      if (read === null) continue
      found.set(file.slice(file.lastIndexOf('/') + 1), read)
      octets += read.octets
      lastUpdateS = Math.max(lastUpdateS, read.lastUpdateS)
      this.count.read++
      this.count.uncertainRows += read.joined.uncertain
    }
    const from = align(found)
    if (from === null || subject.together === undefined) return null
    const { rows, endS, widthS } = from
    const columns = subject.together.columns(from)
    return { history: { id: subject.id, rows, endS, widthS, columns }, octets, lastUpdateS }
  }

  private async boundsOf(name: KindName): Promise<Bounds & { readonly packing: Packing }> {
    const known = this.bounds.get(name)
    if (known !== undefined) return known
    const { sql, nowS, sinceS, dryRun } = this.options
    const { keepS, hoursToS, daysToS } = await kindBounds(sql, name, dryRun)
    const from = {
      samples: Math.max(sinceS, nowS - keepS.samples),
      '1h': Math.max(sinceS, nowS - keepS['1h']),
      '1d': Math.max(sinceS, nowS - keepS['1d']),
    }
    const packing = dryRun ? {} : await prepareTables(sql, name, from)
    const bounds = {
      samplesFromS: from.samples,
      hoursFromS: from['1h'],
      daysFromS: from['1d'],
      hoursToS,
      daysToS,
      packing,
    }
    this.bounds.set(name, bounds)
    return bounds
  }

  async end(): Promise<FilesReport> {
    await Promise.all(this.under)
    if (this.failure !== null) throw this.failure
    const { refused, refusedCount, unknownToDaemon } = this.files
    return {
      ...this.count,
      refused,
      refusedCount,
      unknownToDaemon,
      unused: this.files.unused(),
      tookS: (performance.now() - this.began) / 1000,
    }
  }
}

function floor(value: number, unit: number): number {
  return Math.floor(value / unit) * unit
}

/** True if any of the ascending times is after `from` and not after `to`. */
function anyWithin(times: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) > from) high = middle
    else low = middle + 1
  }
  return low < times.length && (times[low] as number) <= to
}

const all = (): boolean => true

type Keep = (timeMs: number, periodMs: number) => boolean

/** Appends the wanted rows of one subject to those of the batch. */
function append(to: Levels, from: Levels, samples: Keep, hours: Keep, days: Keep): void {
  to.coarseS = Math.max(to.coarseS, from.coarseS)
  for (const [level, keep] of [
    ['samples', samples],
    ['hours', hours],
    ['days', days],
  ] as const) {
    const [source, target] = [from[level], to[level]]
    const width = source.values.length
    for (let r = 0; r < source.timeMs.length; r++) {
      if (!keep(source.timeMs[r] as number, source.periodMs[r] ?? 0)) continue
      target.timeMs.push(source.timeMs[r] as number)
      target.id.push(source.id[r] as number)
      target.periodMs.push(source.periodMs[r] as number)
      for (let c = 0; c < width; c++) target.values[c]?.push(source.values[c]?.[r] as number)
      if (level === 'samples') continue
      target.n.push(source.n[r] as number)
      for (let c = 0; c < width; c++) {
        target.lowest[c]?.push(source.lowest[c]?.[r] as number)
        target.highest[c]?.push(source.highest[c]?.[r] as number)
        target.known.push(source.known[r * width + c] as number)
      }
    }
  }
}
