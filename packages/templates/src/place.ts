import type { Read, Reader } from './reader.ts'
import type { Expression, Operator, Place } from './tree.ts'

const ASSIGNMENT = /(\?\?|\*\*|<<|>>|[.+\-*/%&|^])?=(?![=>])/y
const STEP = /\+\+|--/y

/** The place that an expression names; null: it is a value that cannot be changed. */
export function placeOf(expression: Expression): Place | null {
  const keys: (Expression | null)[] = []
  let at = expression
  for (; at.kind === 'member'; at = at.of) keys.unshift(at.key)
  return at.kind === 'variable' ? { name: at.name, keys } : null
}

/** The assignment that begins with `target`, which was read from `at`; null: no assignment follows. */
export function assignmentOf(reader: Reader, read: Read, target: Expression, at: number): Expression | null {
  reader.skipSpace()
  const step = reader.take(STEP)?.[0]
  const sign = step === undefined ? reader.take(ASSIGNMENT) : null
  if (step === undefined && sign === null) {
    for (let part = target; part.kind === 'member'; part = part.of)
      if (part.key === null) reader.fail('[] has no value; it only adds a member', at)
    return null
  }
  const place = placeOf(target) ?? reader.fail('Only a variable or its members can be assigned', at)
  reader.bind(place.name)
  if (step !== undefined) {
    const one: Expression = { kind: 'value', value: 1 }
    return { kind: 'assign', place, op: step === '++' ? '+' : '-', value: one, before: true }
  }
  const op = (sign?.[1] as Operator | undefined) ?? null
  return { kind: 'assign', place, op, value: read(reader), before: false }
}

/** The rest of `[$a, 'key' => $b] = value`. */
export function readUnpack(reader: Reader, read: Read, list: Expression, at: number): Expression {
  const items = list.kind === 'list' ? list.items : []
  const places = items.map(({ key, value }) => {
    if (value.kind === 'value' && value.value === null) return { key, place: null }
    const place = placeOf(value) ?? reader.fail('Only variables can be assigned', at)
    reader.bind(place.name)
    return { key, place }
  })
  reader.expect('=', 'after the list of variables')
  return { kind: 'unpack', places, value: read(reader) }
}
