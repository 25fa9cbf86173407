import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { readRrd } from '../../rrd/file.ts'
import { RrdError } from '../../rrd/header.ts'
import { type Joined, joinArchives } from '../../rrd/join.ts'
import type { Kind } from '../../series/kind.ts'
import { KINDS, type KindName } from '../../series/kinds.ts'
import type { Sql } from '../../store/client.ts'
import {
  clearPartial,
  dataSetIds,
  kindBounds,
  makePartitions,
  type Native,
  presentRows,
  writeHistory,
} from '../../store/imports/history.ts'
import type { Mark } from '../../store/imports/journal.ts'
import type { FilesReport } from '../report.ts'
import type { Source } from '../source.ts'
import { addHistory, type Bounds, type Levels, noLevels } from './levels.ts'
import { type Subject, subjectsOf } from './subjects.ts'

export interface HistoryOptions {
  readonly sql: Sql
  readonly source: Source
  /** Name of the source in the journal. */
  readonly name: string
  /** Folder of RRD files. */
  readonly folder: string
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly marks: ReadonlyMap<string, Mark>
  /** History before this instant is left out; epoch seconds. */
  readonly sinceS: number
  readonly dryRun: boolean
  /** Epoch seconds. */
  readonly nowS: number
  /** Called after each batch. */
  progress(done: number, files: number): void
}

/** Subjects of a transaction. */
const BATCH = 4
/** Transactions under way at the same time. */
const AT_ONCE = 3
const DAY_S = 86_400
const HOUR_S = 3600
/** Files whose fault is in the report; the others are counted. */
const MAX_REFUSED = 1000

/** Reads every file that belongs to a row, and stores what it holds. */
export async function importHistory(options: HistoryOptions): Promise<FilesReport> {
  const run = new HistoryRun(options)
  const batch: Subject[] = []
  for await (const subject of subjectsOf({
    source: options.source,
    ids: options.ids,
    dataSets: async (serviceId, names) =>
      options.dryRun ? new Map(names.map((name) => [name, 0])) : await dataSetIds(options.sql, serviceId, names),
    namesOf: (file) => run.namesOf(file),
  })) {
    if (batch.length === BATCH || (batch[0] !== undefined && batch[0].kind !== subject.kind))
      await run.take(batch.splice(0))
    batch.push(subject)
  }
  await run.take(batch)
  return await run.end()
}

class HistoryRun {
  private readonly began = performance.now()
  private readonly under = new Set<Promise<void>>()
  private failure: unknown = null
  private readonly used = new Set<string>()
  private readonly bounds = new Map<KindName, Bounds>()
  private readonly root: string
  private readonly count = {
    subjects: 0,
    read: 0,
    samples: 0,
    hours: 0,
    days: 0,
    unchanged: 0,
    missing: 0,
    refusedCount: 0,
    uncertainRows: 0,
  }
  private readonly refused: { file: string; reason: string }[] = []

  constructor(private readonly options: HistoryOptions) {
    this.root = realpathSync(options.folder)
  }

  /** Stores the history of subjects of one kind. */
  async take(subjects: readonly Subject[]): Promise<void> {
    const [first] = subjects
    if (first === undefined) return
    const { options, count } = this
    const kind: Kind = KINDS[first.kind]
    const bounds = await this.boundsOf(first.kind)
    const present = options.dryRun
      ? null
      : await presentRows(
          options.sql,
          kind,
          subjects.map(({ id }) => id),
        )
    const levels = noLevels(kind)
    const marks: Mark[] = []
    for (const subject of subjects) {
      count.subjects++
      const mark = await this.one(kind, subject, bounds, levels, present)
      if (mark !== null) marks.push(mark)
    }
    count.samples += levels.samples.timeMs.length
    count.hours += levels.hours.timeMs.length
    count.days += levels.days.timeMs.length
    options.progress(count.subjects, count.read)
    if (options.dryRun || marks.length === 0) return
    const { samples, hours, days } = levels
    await this.send(
      writeHistory(options.sql, options.name, { kind, samples, hours, days, marks, coarseS: levels.coarseS }),
    )
  }

  /** Waits for its turn; throws what an earlier one threw. */
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

  private async one(
    kind: Kind,
    subject: Subject,
    bounds: Bounds,
    levels: Levels,
    present: Awaited<ReturnType<typeof presentRows>> | null,
  ): Promise<Mark | null> {
    const { count, options } = this
    const at = subject.files.findIndex((file) => this.exists(file))
    const file = subject.files[at]
    const columns = subject.columns[at]
    if (file === undefined || columns === undefined) {
      count.missing++
      return null
    }
    const object = `${kind.name} ${subject.id}`
    const before = options.marks.get(object)
    const sinceS = before?.uptoS == null ? options.sinceS : Math.max(options.sinceS, floor(before.uptoS, DAY_S))
    const read = this.read(file, before, sinceS)
    if (read === 'unchanged') count.unchanged++
    if (read === 'unchanged' || read === null) return null
    const { joined, names, stepS, octets, lastUpdateS } = read
    const values = columns(joined, names, stepS)
    if (values === null) {
      this.refuse(file, 'lacks the data sets that it should have')
      return null
    }
    count.read++
    count.uncertainRows += joined.uncertain
    const history = {
      id: subject.id,
      rows: joined.rows,
      endS: joined.endS,
      widthS: joined.widthS,
      columns: values,
      states: subject.states,
    }
    const of = (rows: readonly Native[]): readonly number[] =>
      rows.flatMap(({ id, timeMs }) => (id === subject.id ? [timeMs] : []))
    const here = present === null ? 0 : of(present.samples).length + of(present['1h']).length + of(present['1d']).length
    if (present === null || (before === undefined && here === 0)) addHistory(kind, levels, history, bounds)
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
    return { object, uptoId: null, uptoS: lastUpdateS, octets, rows: joined.rows }
  }

  /** The hour and the day in which an earlier import ended are made again, unless a poll has stored samples of them. */
  private async clear(kind: Kind, id: number, uptoS: number, native: readonly number[]): Promise<void> {
    const day = floor(uptoS, DAY_S) * 1000
    if (native.some((ms) => ms <= day + DAY_S * 1000)) return
    await clearPartial(this.options.sql, kind, id, floor(uptoS, HOUR_S) * 1000, day)
  }

  private read(file: string, before: Mark | undefined, sinceS: number) {
    const path = join(this.options.folder, file)
    try {
      const octets = statSync(path).size
      return readRrd(path, (rrd) => {
        const { header } = rrd
        if (before?.uptoS === header.lastUpdateS && before.octets === octets) return 'unchanged' as const
        const joined: Joined = joinArchives(rrd, sinceS)
        const names = header.dataSets.map(({ name }) => name)
        return { joined, names, stepS: header.stepS, octets, lastUpdateS: header.lastUpdateS }
      })
    } catch (error) {
      if (!(error instanceof RrdError) && (error as { code?: string }).code === undefined) throw error
      this.refuse(
        file,
        error instanceof RrdError ? error.message : `cannot be read: ${(error as { code?: string }).code}`,
      )
      return null
    }
  }

  /** Names of a file's readings; null: no file, or one that cannot be read. */
  namesOf(file: string): readonly string[] | null {
    if (!this.exists(file)) return null
    try {
      return readRrd(join(this.options.folder, file), ({ header }) =>
        header.dataSets.flatMap(({ name, type }) => (type === 'GAUGE' ? [name] : [])),
      )
    } catch (error) {
      if (!(error instanceof RrdError)) throw error
      this.refuse(file, error.message)
      return null
    }
  }

  private refuse(file: string, reason: string): void {
    this.count.refusedCount++
    if (this.refused.length < MAX_REFUSED) this.refused.push({ file, reason })
  }

  /** True for a file below the folder; a link out of it is not followed. */
  private exists(file: string): boolean {
    const path = join(this.options.folder, file)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (found.isSymbolicLink() && !realpathOf(path).startsWith(`${this.root}${sep}`)) return false
    this.used.add(file)
    return true
  }

  private async boundsOf(name: KindName): Promise<Bounds> {
    const known = this.bounds.get(name)
    if (known !== undefined) return known
    const { sql, nowS, sinceS, dryRun } = this.options
    const { keepS, hoursToS, daysToS } = await kindBounds(sql, name)
    const from = {
      samples: Math.max(sinceS, nowS - keepS.samples),
      '1h': Math.max(sinceS, nowS - keepS['1h']),
      '1d': Math.max(sinceS, nowS - keepS['1d']),
    }
    if (!dryRun) await makePartitions(sql, name, from)
    const bounds = { samplesFromS: from.samples, hoursFromS: from['1h'], daysFromS: from['1d'], hoursToS, daysToS }
    this.bounds.set(name, bounds)
    return bounds
  }

  async end(): Promise<FilesReport> {
    await Promise.all(this.under)
    if (this.failure !== null) throw this.failure
    return {
      ...this.count,
      refused: this.refused,
      unused: unusedFiles(this.root, this.used),
      tookS: (performance.now() - this.began) / 1000,
    }
  }
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return ''
  }
}

function floor(value: number, unit: number): number {
  return Math.floor(value / unit) * unit
}

/** True if one of the ascending times lies after `from` and up to `to`. */
function anyWithin(times: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) > from) high = middle
    else low = middle + 1
  }
  return low < times.length && (times[low] as number) <= to
}

type Keep = (timeMs: number, periodMs: number) => boolean

/** Adds the rows of one subject that are wanted to those of the batch. */
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

/** Number of files that no row has, by the first word of their names. */
function unusedFiles(root: string, used: ReadonlySet<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const folder of readdirSync(root, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue
    for (const name of readdirSync(join(root, folder.name))) {
      if (!name.endsWith('.rrd') || used.has(`${folder.name}/${name}`)) continue
      const kind = (/^[A-Za-z_]+/.exec(name)?.[0] ?? 'others').slice(0, 40)
      counts[kind] = (counts[kind] ?? 0) + 1
    }
  }
  return counts
}
