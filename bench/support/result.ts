/** One measurement of a benchmark. */
export interface BenchResult {
  readonly name: string
  readonly value: number
  /** For example `varbinds/s`. */
  readonly unit: string
  /** The same measurement of a well-known program in the same run; null if there is none. */
  readonly baseline: { readonly name: string; readonly value: number } | null
  /** `value / baseline.value`. */
  readonly ratio: number | null
  /** The project's goal as text, and whether this run met it. */
  readonly goal?: { readonly text: string; readonly met: boolean }
}

/** Creates a result with its ratio. */
export function result(
  name: string,
  value: number,
  unit: string,
  baseline: BenchResult['baseline'] = null,
  goal?: BenchResult['goal'],
): BenchResult {
  const ratio = baseline === null ? null : value / baseline.value
  return { name, value, unit, baseline, ratio, ...(goal !== undefined && { goal }) }
}

/** The result as one readable line. */
export function formatResult(r: BenchResult): string {
  const against =
    r.baseline === null ? '' : `  (${r.baseline.name} ${round(r.baseline.value)}, ratio ${round(r.ratio ?? 0)})`
  const goal = r.goal === undefined ? '' : `  goal ${r.goal.text}: ${r.goal.met ? 'met' : 'NOT MET'}`
  return `${r.name.padEnd(52)} ${round(r.value).padStart(12)} ${r.unit}${against}${goal}`
}

function round(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
