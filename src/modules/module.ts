import type { MibScalar, MibTable, Rows, SyntaxTypes } from '@portlight/snmp/table.ts'
import type { Observation } from './observation.ts'

/**
 * A table that a module reads, limited to these columns. The first column that the agent has is walked first, and shows
 * how many rows to expect. The agent does not have the table if it lacks all of the columns. With no columns nothing is
 * requested.
 */
export interface TableNeed<out T extends MibTable = MibTable> {
  readonly table: T
  /**
   * Column names, checked by `need`. They are plain strings here so that a need for one table is assignable to a need
   * for any.
   */
  readonly columns: readonly string[]
  /** Its rows are interfaces, limited by the setting discovery.max_ports. */
  readonly interfaces?: true
  /** Any of its columns may be missing, so each is probed before the table is read. */
  readonly sparse?: true
}

export function need<const T extends MibTable>(
  table: T,
  columns: readonly (keyof T['columns'] & string)[] = Object.keys(table.columns),
): TableNeed<T> {
  return { table, columns }
}

/**
 * The result of reading a table. `supported` false: the agent does not have the table. `complete` false: a walk was
 * truncated, so rows may be missing.
 */
export interface TableResult<T extends MibTable = MibTable> {
  readonly supported: boolean
  readonly complete: boolean
  /** Which of our limits truncated it, in words; absent: none of them. */
  readonly limitReached?: string
  /** Why else it was truncated, in words; absent: it was not, or by one of our limits. */
  readonly ending?: string
  readonly rows: Rows<T>
}

export type Tables = Readonly<Record<string, TableNeed>>
export type Scalars = Readonly<Record<string, MibScalar>>

/** What earlier modules of the same run, or the database, know about the device. */
export interface DeviceFacts {
  readonly deviceId: number
  readonly hostname: string
  readonly os: string | null
  readonly sysObjectID: string | null
  readonly sysDescr: string | null
  /** What module `system` found in this run; absent before it ran. */
  readonly identity?: Readonly<Partial<Record<'sysName' | 'version' | 'hardware' | 'features', string | null>>>
  /** Settings that modules use (port rules, ...), by dotted name. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The result of reading `tables` and `scalars`. A scalar that the agent lacks is `undefined`. */
export interface Read<T extends Tables = Tables, S extends Scalars = Scalars> {
  readonly tables: { readonly [K in keyof T]: TableResult<T[K]['table']> }
  readonly scalars: { readonly [K in keyof S]: SyntaxTypes[S[K]['syntax']] | undefined }
  /** False: the agent stopped answering before all scalars were read. */
  readonly scalarsComplete: boolean
}

/** True if everything was read to the end. */
export function isComplete({ tables, scalarsComplete }: Read): boolean {
  return scalarsComplete && Object.values(tables).every(({ complete }) => complete)
}

/**
 * What to read once the first results are known: columns that only some agents need, objects that only this OS has, or
 * the tables of another SNMP context (each VLAN's bridge on Cisco, each VRF's routing process).
 */
export interface FollowUp<T extends Tables = Tables, S extends Scalars = Scalars> {
  /** Key of the result in `followed`: a VLAN number, a VRF name, ... */
  readonly key: string
  /**
   * SNMPv3 contextName, or for v1 and v2c the suffix of the community (`public@10`); absent: the default context. A
   * number is a Cisco VLAN, whose contextName is `vlan-10`.
   */
  readonly context?: string
  readonly tables?: T
  readonly scalars?: S
}

export interface PhaseInput<F extends FollowUp = FollowUp, T extends Tables = Tables, S extends Scalars = Scalars>
  extends Read<T, S> {
  readonly device: DeviceFacts
  /**
   * Names a table with rows that cannot be read: their indexes have no known form or are too large, or it has too many.
   * Nothing is reported without indexes.
   */
  readonly unread: (table: MibTable, indexes: Iterable<string>) => void
  /** Results of the follow-ups, by key. */
  readonly followed: ReadonlyMap<string, Read<NonNullable<F['tables']>, NonNullable<F['scalars']>>>
}

/** What to read and how to interpret it. `follow` and `run` are pure; `run` gets the results of both readings. */
export interface Phase {
  readonly tables?: Tables
  readonly scalars?: Scalars
  /** Tables that `follow` reads from most devices; they are probed early, together with those of `tables`. */
  readonly likely?: readonly TableNeed[]
  follow?(input: Omit<PhaseInput, 'unread'>): Iterable<FollowUp>
  run(input: PhaseInput): readonly Observation[]
}

/** Declares a phase, keeping the types of its tables, scalars and follow-ups for `follow` and `run`. */
export function phase<
  const T extends Tables,
  const S extends Scalars,
  const F extends FollowUp = FollowUp<Record<string, never>, Record<string, never>>,
>(p: {
  tables?: T
  scalars?: S
  likely?: readonly TableNeed[]
  /** A generator finds the result of what it yielded in `followed` after each `yield`. */
  follow?(input: Read<T, S> & Pick<PhaseInput, 'device' | 'followed'>): Iterable<F>
  run(input: PhaseInput<F, T, S>): readonly Observation[]
}): Phase {
  // The runner builds the input from these declarations, so the types hold.
  return p as unknown as Phase
}

/**
 * How a measured value (processor, memory pool, filesystem, sensor) is polled: which OIDs to GET for a stored row,
 * batched with those of all the device's other rows, and what the values mean. `Row` is the stored record.
 */
export interface GaugePoll<Row, Sample> {
  /** One to four OIDs with instance, dotted decimal. */
  oids(row: Row): readonly string[]
  /** How texts sent by the agent are read: a name for `textReading`; null or absent: as the number in them. */
  reading?(row: Row): string | null
  /**
   * `values[i]` belongs to `oids(row)[i]`; NaN if the agent has no value. Returns null if the value is unknown this
   * time.
   */
  sample(row: Row, values: ArrayLike<number>): Sample | null
}

/** One subject of discovery and polling. Declarative: the worker reads, the writer stores. */
export interface Module {
  readonly name: string
  /** One sentence for docs/reference/modules.md. */
  readonly about: string
  /** Reads the inventory: when the device is added, on request and every `discovery.interval`. */
  readonly discover?: Phase
  /**
   * Read at every poll, for data covered by neither port columns nor gauges. Its observations are stored like those of
   * discovery.
   */
  readonly poll?: Phase
}
