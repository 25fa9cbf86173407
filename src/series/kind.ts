import type { GaugePoll } from '../modules/module.ts'
import type { Observation } from '../modules/observation.ts'

/**
 * One kind of measured thing, declared once. The tables of its samples and roll-ups, the conversion of polled values,
 * the update of the inventory, and everything users read (series, Grafana view, graphs) derive from it.
 */
export interface SampleKind {
  /** Tables are `ts.<name>_samples`, `ts.<name>_1h` and `ts.<name>_1d`. */
  readonly name: string
  /** What one row is, for docs/reference/data-model.md. */
  readonly about: string
  /** Column with the subject of the sample. */
  readonly key: string
  /** Time span of a chunk or partition of samples. */
  readonly chunk: '1 day' | '7 days'
  readonly retention: RetentionClass
  /** In the order of the table. */
  readonly columns: readonly Column[]
  readonly subject: Subject
  /** null: none, or `ownView`. */
  readonly view: SqlView | null
  /** Grafana view `ts.<ownView>` that is written by hand in db/series/50-views.sql. */
  readonly ownView?: string
  /**
   * Agents refresh the values less often than they are polled; a poll between two refreshes is null. A value is then
   * valid since the previous known one.
   */
  readonly held?: true
  /** The lines of a subject that can be read and graphed. */
  readonly lines: readonly Line[]
  /** Graphs that draw these lines unchanged; others are in src/graphs/catalogue. */
  readonly graphs?: readonly LinesGraph[]
  /** How the inventory row follows the newest sample; null: it does not. */
  readonly current: Current | null
  /** null: no numeric objects of its own; its samples come from elsewhere in a poll. */
  readonly poll: Poll | null
  /** Samples from a module's observations at every poll; absent: none. */
  readonly observed?: Observed
}

/**
 * Kinds with the same retention: settings `series.keep_days`, `series.keep_1h_days` and `series.keep_1d_days`, or those
 * of the class, `series.<class>.keep_days` and so on.
 */
export const RETENTION_CLASSES = {
  traffic: 'counters of ports, Ethernet errors, classes of QoS policies',
  health: 'sensors, processors, memory, storage, supplies, service checks, BGP sessions, spanning trees',
  polls: 'polls, ICMP, statistics of devices, times of modules',
} as const
export type RetentionClass = keyof typeof RETENTION_CLASSES

/** Roll-ups have each column's sum or average, and its `_min` and `_max` (for counters: the rates per second). */
export interface Column {
  readonly name: string
  readonly type: 'int' | 'bigint' | 'real' | 'float8'
  /**
   * `gauge`: a level, averaged over the known samples. `counter`: what was counted over `period_ms`, summed. `total`: a
   * number of events, summed.
   */
  readonly role: 'gauge' | 'counter' | 'total'
  /** Unit of the stored value; '' for plain numbers, or if the subject has it. */
  readonly unit: string
}

/** The inventory rows that samples belong to. */
export interface Subject {
  readonly table: string
  /** Column of the table that the key refers to. */
  readonly id: string
  /** SQL expression that identifies a row within its device; null: the device itself. */
  readonly name: string | null
  /** SQL condition of the rows that are shown. */
  readonly where?: string
  /** Column that splits the rows into separate graphs, such as `sensor_class`. */
  readonly class?: string
}

/** `ts.<name>` and `ts.<name>_1h`, for Grafana. */
export interface SqlView {
  readonly name: string
  /** Columns of the subject shown beside the values. */
  readonly with: readonly string[]
  /** Expressions in addition to the stored columns, for both levels: name and SQL over `s`. */
  readonly also?: readonly (readonly [name: string, sql: string])[]
}

/** A named series of a subject: SQL over the columns of samples, and over those of roll-ups. */
export interface Line {
  /** '' if a subject has only one. */
  readonly name: string
  /** Absent: that of the column that `sample` begins with. */
  readonly unit?: string
  readonly sample: string
  readonly rolled: string
  /** Number of samples in a row of a roll-up; absent: those that have the column that `sample` begins with. */
  readonly weight?: string
}

/** A device graph with one line for each subject. */
export interface LinesGraph {
  /** The API's name, without `device_`. */
  readonly name: string
  /** Title, and `desc` of operation get_graphs. */
  readonly label: string
  readonly unit: string
  readonly axis: 'zero' | 'percent' | 'free'
  /** Names of the lines to draw; absent: all. */
  readonly lines?: readonly string[]
  /** Title of the picture; absent: the label. */
  readonly title?: string
  /** Also draws the mean of all subjects if there are several. */
  readonly average?: true
  /** Counts: no fractions on the axis. */
  readonly whole?: true
  /** Draws the lines as a stack with its total. */
  readonly stack?: true
  /** Lines with the octets used and the size. The legend shows them; a graph of a single subject draws them. */
  readonly amounts?: readonly [used: string, size: string]
}

/**
 * The inventory columns that follow a sample, each with the sample's column and its own type; a null sample leaves them
 * unchanged. `/s`: the rate of a counter, and `bit/s` that of a counter of octets, both float8; a null sample makes them
 * null. `limits`: updates sensor_current and sensor_prev, and logs an event if a limit is crossed.
 */
export type Current =
  | {
      readonly set: readonly (readonly [
        column: string,
        sample: string,
        type: 'int' | 'bigint' | 'float8' | '/s' | 'bit/s',
      ])[]
    }
  | 'limits'

/** How the stored rows of a device are polled by GET, all kinds together. */
export interface Poll {
  /**
   * Columns of the subject's table that a poll needs. `oid`: without its leading dots; `module` and `sample` get '' for
   * any OID. `positive`: null instead of 0. `reading`: with the states where they are read from texts.
   */
  readonly needs: readonly (readonly [column: string, as: 'as it is' | 'oid' | 'positive' | 'reading'])[]
  /** SQL condition of the rows that are polled, in addition to the subject's own. */
  readonly where?: string
  /** The module that enables or disables polling of the row. */
  module(row: RowColumns): string
  /** One to four OIDs with instance; `wireless` has as many as it combines. */
  oids(row: StoredRow): readonly string[]
  /** How texts from the agent are read, as a name for `textReading`; null: as the number that they contain. */
  reading(row: StoredRow): string | null
  /** A value for each column, NaN if unknown; null: nothing is known this time. */
  sample(row: RowColumns, values: ArrayLike<number>): readonly number[] | null
}

/** Samples from a module's observations of a poll. */
export interface Observed {
  /** The counters are Counter64; absent: Counter32. */
  readonly bits?: 64
  /** Stored rows that a reading lacks get an unknown sample, so that their current rates become unknown. */
  readonly gaps?: true
  /** Columns of the subject's table that make up a row's key. */
  readonly needs: Poll['needs']
  /** The natural key of a stored row, as `read` gives it. */
  keyOf(row: StoredRow): string
  /**
   * Values read, by natural key: one for each column, counters as raw values, NaN if unknown. The sample is what they
   * counted since the last poll. `times`: milliseconds of the poll by module.
   */
  read(observations: readonly Observation[], times: ReadonlyMap<string, number>): ReadonlyMap<string, readonly number[]>
}

/** The columns of a subject's row that its poll needs. */
export type RowColumns = Readonly<Record<string, unknown>>
/** A row of a subject's table, with the columns that its poll needs. */
export type StoredRow = RowColumns & { readonly id: number }

/** A poll defined by a module, whose row type consists of the columns in `needs`. */
export function gaugePoll<Row, Sample>(
  poll: GaugePoll<Row, Sample>,
  values: (sample: Sample) => readonly number[],
  rest: Pick<Poll, 'needs' | 'where' | 'module'>,
): Poll {
  // The plan reads exactly the columns of `needs`, which are the members of Row.
  const rowOf = (row: RowColumns): Row => row as unknown as Row
  return {
    ...rest,
    oids: (row) => poll.oids(rowOf(row)),
    reading: (row) => poll.reading?.(rowOf(row)) ?? null,
    sample(row, numbers) {
      const sample = poll.sample(rowOf(row), numbers)
      return sample === null ? null : values(sample)
    },
  }
}

/** A gauge column. */
export function gauge(name: string, type: Column['type'], unit: string): Column {
  return { name, type, role: 'gauge', unit }
}

/** A column that counts events. */
export function total(name: string): Column {
  return { name, type: 'int', role: 'total', unit: '' }
}

/** True if the tables have `period_ms`, the time over which a row's counters counted. */
export function hasCounters(columns: readonly Column[]): boolean {
  return columns.some(({ role }) => role === 'counter')
}

/** The unit of a line's values; '' for plain numbers, or if the subject has it. */
export function unitOf({ columns }: Pick<SampleKind, 'columns'>, { unit, sample }: Line): string {
  return unit ?? columns.find(({ name }) => sample.replaceAll('"', '').split(' ')[0] === name)?.unit ?? ''
}

/** SQL of a counter's rate per second in a sample. */
export const rateOf = (column: string): string => `${column} * 1000.0::float8 / period_ms`

/** SQL of the rate of a counter of octets in a sample, bit/s. */
export const bitsOf = (column: string): string => `${column} * 8000.0::float8 / period_ms`

/** Rate in bit/s of the counter of octets at this position of the table, from 1. */
export function bitsPerSecond(column: string, position: number, name: string): Line {
  const octets = perSecond(column, position, name, 'bit/s')
  return { ...octets, sample: bitsOf(column), rolled: octets.rolled.replace(' * 1000.0', ' * 8000.0') }
}

/** Rate per second of the counter column at this position of the table, from 1. */
export function perSecond(column: string, position: number, name: string, unit: string): Line {
  return {
    name,
    unit,
    sample: rateOf(column),
    rolled: `${column} * 1000.0::float8 / nullif(coalesce(known[${position}], period_ms), 0)`,
    weight: `coalesce(known[${position}], period_ms)`,
  }
}

/** A line that is the same column at every level. */
export function line(column: string, name = ''): Line {
  return { name, sample: column, rolled: column }
}
