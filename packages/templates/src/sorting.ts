import type { Tools } from './function.ts'
import { compare, type Items, keyValue, numberOf, type Value } from './value.ts'

/**
 * Entries in order of their values, their keys or what `weigh` makes of them; by the given function where there is one.
 * Equal ones keep their order. An order that contradicts itself gives some order.
 */
export function sorted(
  list: Items,
  by: 'value' | 'key',
  descending: boolean,
  { apply, budget }: Pick<Tools, 'apply' | 'budget'>,
): [string, Value][] {
  const spend = (): void => budget.spend()
  const of = ([key, value]: readonly [string, Value]): Value => (by === 'key' ? keyValue(key) : value)
  const order = (a: readonly [string, Value], b: readonly [string, Value]): number => {
    spend()
    const difference = apply === null ? compare(of(a), of(b), spend) : numberOf(apply([of(a), of(b)]))
    return (descending ? -1 : 1) * (Number.isNaN(difference) ? 0 : difference)
  }
  return [...list].sort(order)
}
