import type { Measured } from './result.ts'

interface Counted {
  readonly value: number
  readonly atMs: number
}

/** Turns measured values into values of data sets. Values with unit `c` are counters, stored as rates per second. */
export interface Values {
  /** Values by label; NaN: unknown. */
  of(serviceId: number, measured: readonly Measured[], atMs: number): Readonly<Record<string, number>>
  forget(serviceId: number): void
}

export function createValues(): Values {
  const counters = new Map<number, Map<string, Counted>>()

  function rate(serviceId: number, { label, value }: Measured, atMs: number): number {
    const known = counters.get(serviceId) ?? new Map<string, Counted>()
    const before = known.get(label)
    // labels that a check no longer prints must not accumulate
    if (before === undefined && known.size >= 64) known.clear()
    known.set(label, { value, atMs })
    counters.set(serviceId, known)
    if (before === undefined || atMs <= before.atMs || !(value >= before.value)) return Number.NaN
    return (1000 * (value - before.value)) / (atMs - before.atMs)
  }

  return {
    of: (serviceId, measured, atMs) =>
      Object.fromEntries(
        measured.map((one) => [one.label, isCounter(one) ? rate(serviceId, one, atMs) : one.value] as const),
      ),
    forget: (serviceId) => void counters.delete(serviceId),
  }
}

/** Plugins print uptimes with the unit of a counter, but they are stored as they are. */
function isCounter({ label, unit }: Measured): boolean {
  return unit === 'c' && label !== 'uptime'
}

/** `service_ds`: the unit of each data set as JSON; null: nothing was measured, so the stored value is kept. */
export function unitsOf(measured: readonly Measured[]): string | null {
  if (measured.length === 0) return null
  return JSON.stringify(Object.fromEntries(measured.map(({ label, unit }) => [label, unit])))
}
