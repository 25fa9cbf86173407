import type { Clock } from './clock.ts'
import type { Row, Source } from './source.ts'
import type { JsonValue } from './write-tables.ts'

/** What the conversion of rows needs to know about the installation. */
export interface Installation {
  readonly source: Source
  /** The wall clock of the installation's host. */
  readonly clock: Clock
  /** Epoch ms. */
  readonly now: number
  /** Adds a note for the user to the report, such as a password that was not imported. */
  note(text: string): void
  /** Id here of a row in the installation; null: it was not imported. */
  idOf(table: string, id: number | null): number | null
}

/** Values for the columns here; null: the row refers to one that does not exist; `left out`: the row is not wanted. */
export type Converted = Readonly<Record<string, JsonValue>> | null | 'left out'

/** How a table of the installation is imported. */
export interface TableSpec {
  /** Table here, and in the installation unless `from` names another. */
  readonly table: string
  readonly from?: string
  /** Date columns in the host's local time instead of UTC. */
  readonly local?: readonly string[]
  /** Columns by which a row is identified with one that exists here. */
  readonly key?: readonly string[]
  /** The key is a name, which is compared regardless of case. */
  readonly caseless?: true
  /**
   * A row whose key exists here but which differs in `same` is something else, and gets a new name in `column`. Absent:
   * the row here is kept and stands for both.
   */
  readonly rename?: { readonly column: string; readonly same: readonly string[] }
  /** Other programs may use the ids, so changed ones are reported. */
  readonly known?: true
  /** If several rows have the same key, the last one wins instead of the first. */
  readonly lastCounts?: true
  /** Columns that are not imported. */
  readonly skip?: readonly string[]
  /** Columns in which 0 and '' mean "no such row". */
  readonly zeroIsNull?: readonly string[]
  /** Leaves out or changes rows; absent: they are imported unchanged. `row` is the row in the installation. */
  convert?(row: Row, values: Readonly<Record<string, JsonValue>>, of: Installation): Converted
}
