import type { MibScalar, MibTable, Rows, SyntaxTypes } from '../snmp/table.ts'
import type { Observation } from './observation.ts'

/** A table that a module reads, and only these columns of it. The first column is walked first: an agent without it has no such table, and the rest is not asked. */
export interface TableNeed<T extends MibTable = MibTable> {
  readonly table: T
  readonly columns: readonly (keyof T['columns'] & string)[]
}

export function need<const T extends MibTable>(
  table: T,
  columns: readonly (keyof T['columns'] & string)[] = Object.keys(table.columns),
): TableNeed<T> {
  return { table, columns }
}

/** A table as it was read. `supported` false: the agent has no such table. `complete` false: a walk was cut short, so rows may be missing. */
export interface TableResult<T extends MibTable> {
  readonly supported: boolean
  readonly complete: boolean
  readonly rows: Rows<T>
}

type Tables = Readonly<Record<string, TableNeed>>
type Scalars = Readonly<Record<string, MibScalar>>

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

export interface PhaseInput<T extends Tables, S extends Scalars> {
  readonly device: DeviceFacts
  readonly tables: { readonly [K in keyof T]: TableResult<T[K]['table']> }
  readonly scalars: { readonly [K in keyof S]: SyntaxTypes[S[K]['syntax']] | undefined }
}

/** What a run reads and what it makes of it. `run` is pure. */
export interface Phase<T extends Tables = Tables, S extends Scalars = Scalars> {
  readonly tables?: T
  readonly scalars?: S
  run(input: PhaseInput<T, S>): readonly Observation[]
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

/** Keeps the types of tables and scalars for `run`. */
export function phase<const T extends Tables, const S extends Scalars>(p: {
  tables?: T
  scalars?: S
  run(input: PhaseInput<T, S>): readonly Observation[]
}): Phase {
  return p as unknown as Phase
}
