/** Series at equal steps; null is unknown. */
export interface Stepped {
  /** Starts of the steps, epoch s. */
  readonly time: readonly number[]
  /** Length of a step, s. */
  readonly step: number
  /** End of the range, epoch s. */
  readonly to: number
  readonly series: readonly {
    readonly values: readonly (number | null)[]
    /** Lowest and highest sample of each step; null: not read. */
    readonly band: {
      readonly lowest: readonly (number | null)[]
      readonly highest: readonly (number | null)[]
    } | null
  }[]
}

/**
 * Whether each value of each series is known and 0. One unknown value makes it false: a gap may hide what would not have
 * been 0. Only the last step may be unknown, as it is not over.
 */
export function isAllZero({ time, series, step, to }: Stepped): boolean {
  const over = (time.at(-1) ?? 0) + step > to ? time.length - 1 : time.length
  const isZero = (value: number | null | undefined, i: number) => value === 0 || (i >= over && value === null)
  return (
    over > 0 &&
    series.length > 0 &&
    series.every(
      ({ values, band }) =>
        values.length === time.length &&
        values.every(isZero) &&
        (band === null || (band.lowest.every(isZero) && band.highest.every(isZero))),
    )
  )
}
