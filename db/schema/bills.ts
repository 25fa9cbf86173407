import { sql } from 'drizzle-orm'
import { boolean, index, integer, numeric, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { big, flag, instant } from './columns.ts'
import { portId } from './ports.ts'

const amount = () => big().notNull().default(0)

/**
 * Traffic bills. `bill_cdr` and the rates are bits per second, `bill_quota` and the totals octets; `dir_95th` is `in`,
 * `out` or `agg`. Rates and totals are of the current period, as of `bill_last_calc`. Traffic is counted up to
 * `counted_upto` (null: not yet) and not again up to `counted_from`; `due`: the figures are out of date.
 */
export const bills = pgTable('bills', {
  bill_id: integer().primaryKey().generatedByDefaultAsIdentity(),
  bill_name: text().notNull(),
  bill_type: text({ enum: ['cdr', 'quota'] }).notNull(),
  bill_cdr: big(),
  bill_day: integer().notNull().default(1),
  bill_quota: big(),
  rate_95th_in: amount(),
  rate_95th_out: amount(),
  rate_95th: amount(),
  dir_95th: text({ enum: ['in', 'out', 'agg'] }).notNull(),
  total_data: amount(),
  total_data_in: amount(),
  total_data_out: amount(),
  rate_average_in: amount(),
  rate_average_out: amount(),
  rate_average: amount(),
  bill_last_calc: instant().notNull().defaultNow(),
  bill_custid: text().notNull(),
  bill_ref: text().notNull(),
  bill_notes: text().notNull(),
  bill_autoadded: flag(),
  counted_from: instant(),
  counted_upto: instant(),
  due: boolean().notNull().default(true),
})

const ofBill = () =>
  integer()
    .notNull()
    .references(() => bills.bill_id, { onDelete: 'cascade' })

/** Ports whose traffic a bill counts, from `since` on (a multiple of 5 minutes, or -infinity). */
export const billPorts = pgTable(
  'bill_ports',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    bill_id: ofBill(),
    port_id: portId(),
    bill_port_autoadded: flag(),
    since: instant().notNull().default(sql`'-infinity'`),
  },
  (t) => [unique('bill_ports_bill_port').on(t.bill_id, t.port_id), index('bill_ports_port').on(t.port_id)],
)

/** Ports that a bill no longer counts, and when it did. */
export const billPortsPast = pgTable(
  'bill_ports_past',
  {
    bill_id: ofBill(),
    port_id: portId(),
    since: instant().notNull(),
    until: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'bill_ports_past_bill_port_since', columns: [t.bill_id, t.port_id, t.since] }),
    index('bill_ports_past_port').on(t.port_id),
  ],
)

/** Time of samples that came late, by port: their bills are counted again. */
export const billLate = pgTable('bill_late', {
  port_id: integer().primaryKey(),
  since: instant().notNull(),
  until: instant().notNull(),
})

/** Pairs of octet counters of billed ports that gave no delta: read at `since` and `timestamp`. `reason`: see Refusal. */
export const portRefusals = pgTable(
  'port_refusals',
  {
    port_id: integer().notNull(),
    timestamp: instant().notNull(),
    since: instant().notNull(),
    reason: text().notNull(),
  },
  (t) => [
    primaryKey({ name: 'port_refusals_port_timestamp', columns: [t.port_id, t.timestamp] }),
    index('port_refusals_timestamp').on(t.timestamp),
  ],
)

/**
 * Traffic of a bill: octets in the `period` seconds of the 5 minutes that end at `timestamp`. `period` is the time in
 * which any port is known, 0: none. `unknown_s`: seconds in which its ports are unknown, summed; `unknown_octets`: what
 * they carry in each direction at line rate, null: the speed of a port is unknown. Rows with a null `unknown_s` are of
 * other programs and of any length.
 */
export const billData = pgTable(
  'bill_data',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    bill_id: ofBill(),
    timestamp: instant().notNull(),
    period: integer().notNull(),
    delta: big().notNull(),
    in_delta: big().notNull(),
    out_delta: big().notNull(),
    unknown_s: integer(),
    unknown_octets: big(),
  },
  (t) => [
    // the migration adds period, in_delta, out_delta and unknown_s, which figures are read from
    unique('bill_data_bill_timestamp').on(t.bill_id, t.timestamp),
    index('bill_data_foreign').on(t.bill_id, t.timestamp).where(sql`unknown_s is null`),
  ],
)

/**
 * Figures of a bill for one period. `bill_type` is `CDR` or `Quota`; peaks are the largest deltas. `pdf` is never
 * written.
 */
export const billHistory = pgTable(
  'bill_history',
  {
    bill_hist_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    bill_id: ofBill(),
    updated: instant().notNull().defaultNow(),
    bill_datefrom: instant().notNull(),
    bill_dateto: instant().notNull(),
    bill_type: text({ enum: ['CDR', 'Quota'] }).notNull(),
    bill_allowed: big().notNull(),
    bill_used: big().notNull(),
    bill_overuse: big().notNull(),
    bill_percent: numeric({ precision: 10, scale: 2 }).notNull(),
    rate_95th_in: big().notNull(),
    rate_95th_out: big().notNull(),
    rate_95th: big().notNull(),
    dir_95th: text().notNull(),
    rate_average: big().notNull(),
    rate_average_in: big().notNull(),
    rate_average_out: big().notNull(),
    traf_in: big().notNull(),
    traf_out: big().notNull(),
    traf_total: big().notNull(),
    bill_peak_out: big(),
    bill_peak_in: big(),
    pdf: text(),
  },
  (t) => [unique('bill_history_bill_period').on(t.bill_id, t.bill_datefrom, t.bill_dateto)],
)
