/**
 * Columns as PostgreSQL array literals for `unnest`. Numbers and NULL only, never text, so nothing needs quoting.
 * Measured for 48,000 rows of 14 columns: 70 ms, against 250 ms with the driver's own arrays. Poll samples and raw
 * counters, by far the largest volume, are sent in binary (series/copy-rows.ts, binary-array.ts).
 */

/** int8[] of `length` cells from `offset`. Anything but an exact integer (NaN: unknown) becomes NULL. */
export function integers(values: ArrayLike<number>, length = values.length, offset = 0): string {
  const cells: (number | string)[] = new Array(length)
  for (let i = 0; i < length; i++) {
    const value = values[offset + i] as number
    cells[i] = Number.isSafeInteger(value) ? value : 'NULL'
  }
  return `{${cells.join()}}`
}

/** float8[]; NaN, infinities and null become NULL. */
export function floats(values: readonly (number | null)[]): string {
  return `{${values.map((v) => (v !== null && Number.isFinite(v) ? v : 'NULL')).join()}}`
}

/** Like `integers`, for values that may be null and need rounding. */
export function rounded(values: readonly (number | null)[]): string {
  return integers(values.map((v) => (v === null ? Number.NaN : Math.round(v))))
}
