import type { Budget } from './budget.ts'
import { appended } from './changing.ts'
import type { Expression, Place } from './tree.ts'
import { type Items, isItems, keyOf, type Value } from './value.ts'

/** A place as an expression; a new member has no value. */
export function readOf({ name, keys }: Place): Expression {
  return keys.reduce<Expression>(
    (of, key) => (key === null ? { kind: 'value', value: null } : { kind: 'member', of, key }),
    { kind: 'variable', name },
  )
}

/** The value with a member changed. Lists are copied, because others may hold them too. */
export function changed(of: Value, keys: readonly (Value | undefined)[], value: Value, budget: Budget): Value {
  const [key, ...rest] = keys
  if (keys.length === 0) return value
  const list: Items = isItems(of) ? of : new Map()
  budget.spend(1 + list.size / 10)
  if (key === undefined) return appended(list, [changed(null, rest, value, budget)])
  const copy = new Map(list)
  copy.set(keyOf(key), changed(list.get(keyOf(key)) ?? null, rest, value, budget))
  return copy
}
