/**
 * A declared metric. The name has the unit (`_seconds`, `_bytes`, else a plain number); `_total` marks a count since
 * the start.
 */
export interface Declared {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One line. */
  readonly help: string
  /** Meaning and values of each label, by name. Values come from the program, never from a client or an agent. */
  readonly labels: Readonly<Record<string, string>>
  /** When the metric is missing, to follow the word `Missing`; '': never. */
  readonly missing: string
}

/** Declarations of one part of the program, by name. */
export type Declarations = Readonly<Record<string, Declared>>

interface More {
  readonly labels?: Readonly<Record<string, string>>
  readonly missing?: string
}

const declare =
  (type: Declared['type']) =>
  (help: string, { labels = {}, missing = '' }: More = {}): Declared => ({ type, help, labels, missing })

/** A count that only grows until the process ends; its name ends in `_total`. */
export const counter = declare('counter')
/** A current value. */
export const gauge = declare('gauge')
/** Durations counted in buckets: `_bucket{le}`, `_sum`, `_count`. */
export const histogram = declare('histogram')
