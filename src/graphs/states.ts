import type { SensorState } from './series-source.ts'

/** The more severe of two states; unknown states rank between ok and warning. */
export function severer(a: number, b: number, states: readonly SensorState[]): number {
  if (Number.isNaN(a) || a === b) return b
  if (Number.isNaN(b)) return a
  return rank(b, states) > rank(a, states) ? b : a
}

const RANKS = [0, 2, 3, 1]
function rank(value: number, states: readonly SensorState[]): number {
  return RANKS[severityOf(value, states)] ?? 1
}

/** 0 ok, 1 warning, 2 critical, 3 unknown. */
export function severityOf(value: number, states: readonly SensorState[]): number {
  return states.find((state) => state.value === value)?.severity ?? 3
}

/** The name of a state; its number if it has none. */
export function stateName(value: number, states: readonly SensorState[]): string {
  return states.find((state) => state.value === value)?.name ?? `${value}`
}
