import type { MibScalar, MibTable, Rows, SyntaxTypes } from '../snmp/table.ts'
import type { Observation } from './observation.ts'

/** A table that a module reads, and only these columns of it. The first column is walked first: an agent without it has no such table, and the rest is not asked. No columns: nothing is asked. */
export interface TableNeed<out T extends MibTable = MibTable> {
  readonly table: T
  /** Names of columns of the table; `need` checks them. Plain text here, or a need could not stand for any need. */
  readonly columns: readonly string[]
}

export function need<const T extends MibTable>(
  table: T,
  columns: readonly (keyof T['columns'] & string)[] = Object.keys(table.columns),
): TableNeed<T> {
  return { table, columns }
}

/** A table as it was read. `supported` false: the agent has no such table. `complete` false: a walk was cut short, so rows may be missing. */
export interface TableResult<T extends MibTable = MibTable> {
  readonly supported: boolean
  readonly complete: boolean
  readonly rows: Rows<T>
}

export type Tables = Readonly<Record<string, TableNeed>>
export type Scalars = Readonly<Record<string, MibScalar>>

/** What the earlier modules of the same run and the store know of the device. */
export interface DeviceFacts {
  readonly deviceId: number
  readonly hostname: string
  readonly os: string | null
  readonly sysObjectID: string | null
  readonly sysDescr: string | null
  /** Settings that modules read (rules for ports, ...), by dotted name. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** What was read for one `tables` and `scalars`. A scalar that the agent lacks is `undefined`. */
export interface Read<T extends Tables = Tables, S extends Scalars = Scalars> {
  readonly tables: { readonly [K in keyof T]: TableResult<T[K]['table']> }
  readonly scalars: { readonly [K in keyof S]: SyntaxTypes[S[K]['syntax']] | undefined }
  /** False: the agent stopped answering before all scalars were asked. */
  readonly scalarsComplete: boolean
}

/**
 * What to read once the first reading is known: columns that only some agents need, objects that only this OS has, or
 * the tables of another SNMP context (each VLAN's bridge on Cisco, each VRF's routing process).
 */
export interface FollowUp<T extends Tables = Tables, S extends Scalars = Scalars> {
  /** Names the result for `run`: a VLAN number, a VRF name, ... */
  readonly key: string
  /** contextName of SNMPv3, which v1 and v2c agents take as suffix of the community (`public@10`); absent: the default context. A number is a VLAN of Cisco, whose contextName is `vlan-10`. */
  readonly context?: string
  readonly tables?: T
  readonly scalars?: S
}

export interface PhaseInput<F extends FollowUp = FollowUp, T extends Tables = Tables, S extends Scalars = Scalars>
  extends Read<T, S> {
  readonly device: DeviceFacts
  /** Results of `follow`, by key. */
  readonly followed: ReadonlyMap<string, Read<NonNullable<F['tables']>, NonNullable<F['scalars']>>>
}

/** What a run reads and what it makes of it. `follow` and `run` are pure; `run` sees the results of both readings. */
export interface Phase {
  readonly tables?: Tables
  readonly scalars?: Scalars
  follow?(input: PhaseInput): Iterable<FollowUp>
  run(input: PhaseInput): readonly Observation[]
}

/** Keeps the types of tables, scalars and follow-ups for `follow` and `run`. */
export function phase<
  const T extends Tables,
  const S extends Scalars,
  const F extends FollowUp = FollowUp<Record<string, never>, Record<string, never>>,
>(p: {
  tables?: T
  scalars?: S
  /** A generator may look at `followed` after each `yield`: the result of what it yielded is there. */
  follow?(input: Read<T, S> & Pick<PhaseInput, 'device' | 'followed'>): Iterable<F>
  run(input: PhaseInput<F, T, S>): readonly Observation[]
}): Phase {
  // The runner fills the input from these very declarations, so their types hold when it calls.
  return p as unknown as Phase
}

/**
 * How a numeric entity (processor, memory pool, filesystem, sensor) is polled: the OIDs of a stored row, fetched by GET
 * together with those of all other rows of the device, and what the numbers mean. `Row` is the stored record.
 */
export interface GaugePoll<Row, Sample> {
  /** One to four OIDs with instance, dotted decimal. */
  oids(row: Row): readonly string[]
  /** `values[i]` belongs to `oids(row)[i]`, NaN where the agent had none. `null`: nothing known this time. */
  sample(row: Row, values: ArrayLike<number>): Sample | null
}

/** One kind of thing that a device can have. Declarative: the worker does the reading, the writer does the storing. */
export interface Module {
  readonly name: string
  /** One sentence for `device explain` and the documentation. */
  readonly about: string
  /** Reads the inventory: on add, on request and every `discovery.interval`. */
  readonly discover?: Phase
  /** Reads at every poll what neither port columns nor gauges can say; its observations are written as discovery's are. */
  readonly poll?: Phase
}
