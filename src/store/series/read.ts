import type { Kind, Line } from '../../series/kind.ts'
import { KINDS, type NarrowName } from '../../series/kinds.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { integers } from '../pg-array.ts'
import { axis, Buckets, gaugeSpans } from './buckets.ts'
import { LEVEL_WIDTH_S, pickLevel, reachOf } from './level.ts'
import { bounds, numeric } from './sql.ts'
import type { GapRule, SeriesData, SeriesWindow } from './window.ts'

export { type PortCounterName, portSeries } from './read-ports.ts'
export type { GapRule, NamedSeries, RangeFigures, SeriesData, SeriesWindow } from './window.ts'

/** Selects subjects of a kind: all of a device, those of a class, or one by id. */
export interface SubjectsOf {
  /** Absent: the subject `only`, on any device. */
  readonly deviceId?: number
  /** Only for kinds whose subjects have classes. */
  readonly class?: string
  /** null or absent: all. */
  readonly only?: number | null
}

/**
 * The lines of a kind (`wanted`: only these names) for each subject, named after the subject's description and the
 * line. Gauges are time-weighted averages. Throws StoreError.
 */
export async function kindSeries(
  store: Store,
  name: NarrowName,
  of: SubjectsOf,
  window: SeriesWindow,
  rule: GapRule,
  wanted?: readonly string[],
): Promise<SeriesData> {
  const kind: Kind = KINDS[name]
  const lines = wanted === undefined ? kind.lines : kind.lines.filter((line) => wanted.includes(line.name))
  const [subjects, reach] = await Promise.all([subjectsOf(store, kind, of), reachOf(store, name)])
  const level = pickLevel(window, reach, Date.now() / 1000)
  const { timeS, stepS } = axis(window, LEVEL_WIDTH_S[level])
  if (subjects.length === 0 || lines.length === 0 || timeS.length === 0) return { timeS, stepS, series: [] }
  const { from, to } = bounds({ timeS, stepS, level, rule })
  const raw = level === 'samples'
  const time = raw ? '"time"' : 'bucket'
  const columns = lines.map((l) =>
    raw ? `(${l.sample})::float8` : `(${l.rolled})::float8, (${weightOf(kind, l)})::float8`,
  )
  const rows = await guarded(() =>
    store.sql
      .unsafe(
        `select ${kind.key}, extract(epoch from ${time})::float8, ${columns.join()}
         from ts.${name}_${raw ? level : `${level}_all`} s
         where ${kind.key} = any('${integers(subjects.map((s) => s.id))}'::int[]) and ${time} >= ${from} and ${time} ${raw ? '<=' : '<'} ${to}
         order by 1, 2`,
      )
      .values(),
  )
  const bySubject = Map.groupBy(rows as unknown[][], (row) => Number(row[0]))
  return {
    timeS,
    stepS,
    series: subjects.flatMap(({ id, name: subject }) => {
      const own = bySubject.get(id) ?? []
      const times = own.map((row) => Number(row[1]))
      const spans = raw
        ? gaugeSpans(times, rule)
        : times.map((startS) => ({ startS, endS: startS + LEVEL_WIDTH_S[level] }))
      const insideS = spans.map((s) => Math.min(s.endS, window.toS) - Math.max(s.startS, window.fromS))
      return lines.map((line, l) => {
        const buckets = new Buckets(timeS, stepS)
        let area = 0
        let weight = 0
        spans.forEach((span, i) => {
          const row = own[i] ?? []
          const value = numeric(raw ? row[2 + l] : row[2 + 2 * l])
          // Rows of roll-ups on the window's edges count whole.
          const inside = insideS[i] ?? 0
          const samples = raw ? inside : numeric(row[3 + 2 * l])
          if (raw) buckets.add(span, value)
          else buckets.addRolled(span, value, samples / LEVEL_WIDTH_S[level])
          if (!(inside > 0 && samples > 0) || Number.isNaN(value)) return
          area += value * samples
          weight += samples
        })
        const range = { average: weight > 0 ? area / weight : null, total: null }
        return { name: [subject, line.name].filter((text) => text !== '').join(' '), values: buckets.average(), range }
      })
    }),
  }
}

/** Known samples in a roll-up row: the line's own weight, or that of its column. */
function weightOf({ columns }: Kind, { weight, sample }: Line): string {
  const at = columns.findIndex(({ name }) => sample.replaceAll('"', '').split(' ')[0] === name)
  return weight ?? `coalesce(known[${at + 1}], n)`
}

interface SubjectRow {
  readonly id: number
  readonly name: string
}

function subjectsOf({ sql }: Store, { subject }: Kind, of: SubjectsOf): Promise<SubjectRow[]> | SubjectRow[] {
  const { deviceId, class: wantedClass, only = null } = of
  const { table, id, name, where = 'true', class: classColumn } = subject
  if (deviceId === undefined) return only === null ? [] : [{ id: only, name: '' }]
  if (name === null) return [{ id: deviceId, name: '' }]
  return guarded(() =>
    sql.unsafe<SubjectRow[]>(
      `select ${id} as id, ${name} as name from ${table}
       where device_id = $1 and ($2::int is null or ${id} = $2) and ${where}
         ${classColumn === undefined ? 'and $3::text is null' : `and ${classColumn} = $3`} order by 1`,
      [deviceId, only, classColumn === undefined ? null : (wantedClass ?? '')],
      { prepare: true },
    ),
  )
}
