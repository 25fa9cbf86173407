import type { JsonValue } from '../store/imports/tables.ts'
import type { Clock } from './clock.ts'
import type { Row, Source } from './source.ts'

/** What the conversion of rows needs to know of the installation. */
export interface Installation {
  readonly source: Source
  /** Wall clock of the installation's host. */
  readonly clock: Clock
  /** Epoch ms. */
  readonly now: number
  /** Passwords and other findings for people. */
  note(text: string): void
  /** Id here of a row there; null: it was not imported. */
  idOf(table: string, id: number | null): number | null
}

/** Values of a row for its columns here; null: it refers to a row that does not exist; `left out`: it is not wanted. */
export type Converted = Readonly<Record<string, JsonValue>> | null | 'left out'

/** How a table of the installation is imported. */
export interface TableSpec {
  /** Table here, and there unless `from` says otherwise. */
  readonly table: string
  readonly from?: string
  /** Date columns that hold the host's wall clock instead of UTC. */
  readonly local?: readonly string[]
  /** Columns by which a row is the same as one here. */
  readonly key?: readonly string[]
  /** The key is a name, which is the same in small and capital letters. */
  readonly caseless?: true
  /**
   * A row with the key of one here that differs in `same` is another thing: it gets a name of its own in `column`. Absent:
   * the row here stays, and stands for both.
   */
  readonly rename?: { readonly column: string; readonly same: readonly string[] }
  /** Ids that other programs know: a changed one is reported. */
  readonly known?: true
  /** Of rows with one key the last one counts, instead of the first. */
  readonly lastCounts?: true
  /** Columns that are not imported. */
  readonly skip?: readonly string[]
  /** Columns in which 0 and '' mean that there is no such row. */
  readonly zeroIsNull?: readonly string[]
  /** Leaves out or changes rows; absent: as they are. `row` is the row there. */
  convert?(row: Row, values: Readonly<Record<string, JsonValue>>, of: Installation): Converted
}
