import { customType, integer, pgSchema, timestamp } from 'drizzle-orm/pg-core'

/**
 * The series tables that Drizzle queries read. They are created by db/series and src/series, which support what Drizzle
 * does not (partitions, hypertables), so this file is not part of db/schema/index.ts. A test compares it with the
 * database.
 */
const ts = pgSchema('ts')

/** A 64-bit integer that may exceed 2^53: a number where exact, otherwise text. */
const count = customType<{ data: number | string }>({ dataType: () => 'bigint' })
const counts = customType<{ data: readonly (number | string)[] }>({ dataType: () => 'bigint[]' })
const octets = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const end = () => timestamp({ withTimezone: true, mode: 'date' }).notNull()

/** Deltas over `period_ms`. null: unknown. */
const counters = {
  in_octets: count(),
  out_octets: count(),
  in_pkts: count(),
  out_pkts: count(),
  in_err: count(),
  out_err: count(),
  in_disc: count(),
  out_disc: count(),
  in_bcast: count(),
  out_bcast: count(),
  in_mcast: count(),
  out_mcast: count(),
}

/**
 * One row per port and poll, also of packed ones: a view, whose `span` is null for rows and the start of the chunk for
 * packed ones. `period_ms` is of the agent's clock and ends at `time`.
 */
export const portSamplesStored = ts.table('port_samples_stored', {
  time: timestamp({ withTimezone: true, mode: 'date' }),
  port_id: integer(),
  period_ms: integer(),
  ...counters,
  span: timestamp({ withTimezone: true, mode: 'date' }),
})

/**
 * Raw counters of a device's ports at its last poll, in `cells`, for the ports `ids`. Versions before wrote the arrays
 * by port `port_id`, `ticks`, `present` and `counters`, which are empty otherwise.
 */
export const portState = ts.table('port_state', {
  device_id: integer().primaryKey(),
  time: end(),
  port_id: integer().array().notNull(),
  /** sysUpTime of the response, 1/100 s. */
  ticks: counts().notNull(),
  /** As `seen`. */
  present: integer().array().notNull(),
  /** Column-major, 64 bits each, in network byte order. */
  counters: octets().notNull(),
  /** As `src/core/series/port-cells.ts` says. null: written by an older version. */
  cells: octets(),
  /** Bit c: counter c was read. */
  seen: integer().array(),
  ids: integer().array(),
})
