import type { Columns, Values } from './columns.ts'
import type { Severity } from './events.ts'
import type { Tx } from './write-rows.ts'

/** port_id of live ports by ifIndex. */
export type PortIds = ReadonlyMap<number, number>

/** What discovery found of one kind. `complete`: rows that are missing no longer exist. */
export interface Found<R> {
  readonly rows: readonly R[]
  readonly complete: boolean
  /** See SetObservation. */
  readonly malformed?: readonly string[]
}

/** A table whose rows of a device mirror what discovery found, identified by a natural key. */
export interface DiscoveredTable {
  readonly table: string
  readonly id: string
  readonly key: readonly string[]
  /** Columns that discovery keeps in step with the agent. */
  readonly columns: Columns
  /** Columns that discovery only sets on new rows; afterwards polling or people change them. */
  readonly first: Columns
  /** Defaults of columns without NULL, standing for unknown. */
  readonly defaults: Values
  /** A flag set instead of deleting, so that a row which returns is reused; null: rows are deleted. */
  readonly flag: string | null
  /**
   * Rows that are no longer found are kept for a day with these values, so that rules can see what was lost, instead of
   * being removed at once. `since`: the column with the time, epoch seconds.
   */
  readonly lost?: { readonly values: Values; readonly since: string }
  /** Type of its events, and the name of a row in messages. */
  readonly event: string
  label(row: Values): string
  /** The text that follows the label in the event of a changed row; null: no event. */
  changeEvent?(before: Values, row: Values): { readonly message: string; readonly severity: Severity } | null
  /** Fills columns that refer to other rows of the device. Runs before rows are compared. */
  resolve?(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]>
  /** Runs after the rows were written. */
  after?(tx: Tx, deviceId: number, found: readonly object[]): Promise<void>
}
