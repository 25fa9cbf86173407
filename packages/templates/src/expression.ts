import { readArguments, readFunction, readMethod, readNamedCall } from './call.ts'
import { CONSTANTS } from './constants.ts'
import { assignmentOf, placeOf, readUnpack } from './place.ts'
import { MAX_ROW, type Reader } from './reader.ts'
import { doubleQuoted, singleQuoted } from './strings.ts'
import type { CastType, Expression, Operator } from './tree.ts'

/** Binary operators and how strongly they bind, as in PHP 8. `? :` is between `and` and `??`. */
const LEVELS: Readonly<Record<Operator, number>> = {
  or: 1,
  xor: 2,
  and: 3,
  '??': 5,
  '||': 6,
  '&&': 7,
  '|': 8,
  '^': 9,
  '&': 10,
  '==': 11,
  '!=': 11,
  '===': 11,
  '!==': 11,
  '<=>': 11,
  '<': 12,
  '<=': 12,
  '>': 12,
  '>=': 12,
  '.': 13,
  '<<': 14,
  '>>': 14,
  '+': 15,
  '-': 15,
  '*': 16,
  '/': 16,
  '%': 16,
  '**': 18,
}
const TERNARY = 4
/** Comparisons cannot be chained. */
const CHAINLESS = new Set([11, 12])
const OPERATOR = /===|!==|<=>|==|!=|<>|<=|>=|<<|>>|&&|\|\||\?\?|\*\*|\.(?!\.\.)|[+\-*/%<>|^&]|(?:and|or|xor)\b/iy
/** What ends a PHP block is no comparison. */
const PHP_END = /\?>/y

/** Reads an expression. Throws TemplateError. */
export function readExpression(reader: Reader): Expression {
  return reader.nested(() => readBinary(reader, 0))
}

function readBinary(reader: Reader, lowest: number): Expression {
  const unknown = reader.unknownCount
  let left = readUnary(reader)
  let full = false
  let chained = -1
  for (let row = 0; ; row++) {
    if (row > MAX_ROW) reader.fail(`More than ${MAX_ROW} operators in a row`)
    reader.skipSpace()
    if (reader.php && reader.peek(PHP_END) !== null) return left
    if (reader.peek(/instanceof\b/iy) !== null) reader.fail('The operator instanceof is not supported')
    const op = operatorAt(reader)
    if (op === '?') {
      if (lowest > TERNARY) return left
      if (full) reader.fail('A ternary inside another one needs parentheses')
      reader.pos++
      const short = reader.eat(':')
      const then = short ? null : readExpression(reader)
      if (!short) reader.expect(':', 'in the ternary')
      full = !short
      left = { kind: 'ternary', condition: left, then, otherwise: readBinary(reader, TERNARY + 1) }
      continue
    }
    if (op === null || LEVELS[op.name] < lowest) return left
    const level = LEVELS[op.name]
    if (CHAINLESS.has(level) && chained === level) reader.fail('Comparisons cannot be chained; use &&')
    chained = level
    reader.pos += op.length
    if (op.name === '??') reader.forgetUnknown(unknown)
    const rightward = op.name === '??' || op.name === '**'
    const right = rightward ? reader.nested(() => readBinary(reader, level)) : readBinary(reader, level + 1)
    left = { kind: 'binary', op: op.name, left, right }
  }
}

function operatorAt(reader: Reader): { name: Operator; length: number } | '?' | null {
  const found = reader.peek(OPERATOR)
  if (found === null) return reader.text[reader.pos] === '?' ? '?' : null
  const text = found[0].toLowerCase()
  const name = text === '<>' ? '!=' : text
  return isOperator(name) ? { name, length: text.length } : null
}

const isOperator = (text: string): text is Operator => Object.hasOwn(LEVELS, text)

const CASTS: ReadonlyMap<string, CastType> = new Map([
  ['int', 'int'],
  ['integer', 'int'],
  ['float', 'float'],
  ['double', 'float'],
  ['string', 'string'],
  ['bool', 'bool'],
  ['boolean', 'bool'],
])

function readUnary(reader: Reader): Expression {
  reader.skipSpace()
  const step = reader.take(/\+\+|--/y)
  if (step !== null) {
    reader.skipSpace()
    const at = reader.pos
    const place = placeOf(readMembers(reader, readPrimary(reader))) ?? reader.fail('Only a variable can be counted', at)
    return {
      kind: 'assign',
      place,
      op: step[0] === '++' ? '+' : '-',
      value: { kind: 'value', value: 1 },
      before: false,
    }
  }
  const sign = reader.take(/[!+\-@~]/y)
  if (sign !== null) {
    if (sign[0] === '~') reader.fail('The operator ~ is not supported', reader.pos - 1)
    // `@` silences warnings, of which there are none here.
    const of = reader.nested(() =>
      sign[0] === '!' || sign[0] === '@' ? readUnary(reader) : readBinary(reader, LEVELS['**']),
    )
    if (sign[0] === '@') return of
    if (sign[0] === '!') return { kind: 'not', of }
    return sign[0] === '-' ? { kind: 'negative', of } : { kind: 'cast', to: 'float', of }
  }
  const cast = reader.peek(/\(\s*(\w{1,10})\s*\)/y)
  const to = CASTS.get(cast?.[1]?.toLowerCase() ?? '')
  if (cast !== null && to !== undefined) {
    reader.pos += cast[0].length
    return { kind: 'cast', to, of: reader.nested(() => readUnary(reader)) }
  }
  const at = reader.pos
  const first = readPrimary(reader)
  // In `[$a, $b] = ...` the list is a list of places.
  if (first.kind === 'list' && reader.peek(/\s*=(?![=>])/y) !== null)
    return readUnpack(reader, readExpression, first, at)
  const value = readMembers(reader, first)
  return assignmentOf(reader, readExpression, value, at) ?? value
}

function readMembers(reader: Reader, first: Expression): Expression {
  let of = first
  for (let row = 0; ; row++) {
    if (row > MAX_ROW) reader.fail(`More than ${MAX_ROW} members in a row`)
    reader.skipSpace()
    const at = reader.pos
    if (reader.take(/\?->|->/y) !== null) {
      const name = reader.take(/\s*(\w+)/y)
      if (name === null) {
        if (!reader.eat('{')) reader.fail(`Expected a member name, found ${reader.found()}`)
        of = { kind: 'member', of, key: readExpression(reader) }
        reader.expect('}', 'after the member')
      } else if (reader.take(/\s*\(/y) !== null) of = readMethod(reader, readExpression, of, name[1] ?? '', at)
      else of = { kind: 'member', of, key: { kind: 'value', value: name[1] ?? '' } }
    } else if (reader.peek(/\[\s*\]/y) !== null) {
      // `$list[] = value`, where the brackets stand for a new member.
      reader.take(/\[\s*\]/y)
      of = { kind: 'member', of, key: null }
    } else if (reader.take(/\[/y) !== null) {
      of = { kind: 'member', of, key: readExpression(reader) }
      reader.expect(']', 'after the key')
    } else if (reader.peek(/::/y) !== null) reader.fail('Static calls (::) are not supported')
    else if (reader.peek(/\(/y) !== null) reader.fail('Only functions can be called')
    else return of
  }
}

function readPrimary(reader: Reader): Expression {
  const at = reader.pos
  const number = reader.take(/0[xX][0-9a-fA-F]+|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y)
  if (number !== null) return { kind: 'value', value: Number(number[0]) }
  const variable = reader.take(/\$(\w+)/y)
  if (variable !== null) return variableAt(reader, variable[1] ?? '', at)
  if (reader.take(/'/y) !== null) return { kind: 'value', value: singleQuoted(reader, at) }
  if (reader.take(/"/y) !== null) return readDoubleQuoted(reader, at)
  if (reader.take(/\[/y) !== null) return readList(reader, ']')
  if (reader.take(/\(/y) !== null) {
    const inner = readExpression(reader)
    reader.expect(')', 'after the expression')
    return inner
  }
  const word = reader.take(/\\?[A-Za-z_][\w\\]*/y)
  if (word !== null) return readWord(reader, word[0].replace(/^\\/, ''), at)
  return reader.fail(`Expected a value, found ${reader.found()}`)
}

function variableAt(reader: Reader, name: string, at: number): Expression {
  // Whether it is a use or gets a value is known only after it.
  if (reader.peek(/\s*=(?![=>])/y) !== null) reader.bind(name)
  else reader.use(name, at)
  return { kind: 'variable', name }
}

function readWord(reader: Reader, name: string, at: number): Expression {
  const lower = name.toLowerCase()
  if (lower === 'fn' || lower === 'function') return readFunction(reader, readExpression, lower, at)
  const method = reader.take(/\s*::\s*(\w+)\s*\(/y)
  if (method !== null) return readNamedCall(reader, readExpression, `${name}::${method[1] ?? ''}`, at)
  if (reader.peek(/\s*::/y) !== null) reader.fail(`Static calls are not supported: ${name}::`, at)
  if (reader.take(/\s*\(/y) === null) {
    const constant = CONSTANTS.get(lower)
    if (constant === undefined) return reader.fail(`Unknown word ${name}; strings need quotes`, at)
    return { kind: 'value', value: constant }
  }
  if (lower === 'array') return readList(reader, ')')
  if (lower === 'list') return readUnpack(reader, readExpression, readList(reader, ')'), at)
  if (lower === 'match') return readMatch(reader)
  if (lower === 'isset' || lower === 'empty')
    return reader.leniently(() => readNamedCall(reader, readExpression, lower, at))
  return readNamedCall(reader, readExpression, lower, at)
}

/** The rest of `match (subject) { ... }`. */
function readMatch(reader: Reader): Expression {
  const subject = readExpression(reader)
  reader.expect(')', 'after match')
  reader.expect('{', 'after match')
  const arms: { when: readonly Expression[] | null; value: Expression }[] = []
  while (!reader.eat('}')) {
    if (arms.length > 0) {
      reader.expect(',', 'between the arms of match')
      if (reader.eat('}')) break
    }
    if (arms.length > MAX_ROW) reader.fail(`More than ${MAX_ROW} arms of match`)
    reader.skipSpace()
    const otherwise = reader.take(/default\b/iy) !== null
    const when = otherwise ? null : readArguments(reader, readExpression, '=>', 'values of match')
    if (otherwise) {
      reader.eat(',')
      reader.expect('=>', 'after default')
    }
    arms.push({ when, value: readExpression(reader) })
  }
  return { kind: 'match', subject, arms }
}

function readList(reader: Reader, close: ']' | ')'): Expression {
  const items: { key: Expression | null; value: Expression }[] = []
  while (!reader.eat(close)) {
    if (items.length > 0) {
      reader.expect(',', 'in the array')
      if (reader.eat(close)) break
    }
    // A place that is left out, as in `[, $second] = $pair`.
    if (reader.peek(/\s*,/y) !== null) {
      items.push({ key: null, value: { kind: 'value', value: null } })
      continue
    }
    const first = readExpression(reader)
    items.push(reader.eat('=>') ? { key: first, value: readExpression(reader) } : { key: null, value: first })
    if (items.length > MAX_ROW) reader.fail(`More than ${MAX_ROW} members of an array`)
  }
  return { kind: 'list', items }
}

function readDoubleQuoted(reader: Reader, at: number): Expression {
  const parts = doubleQuoted(reader, at, {
    variable: (name, where) => readSimpleMember(reader, variableAt(reader, name, where)),
    expression: () => {
      const value = readExpression(reader)
      reader.expect('}', 'after the value')
      return value
    },
  })
  const [only] = parts
  if (parts.length === 0) return { kind: 'value', value: '' }
  return parts.length === 1 && only?.kind === 'value' ? only : { kind: 'joined', parts }
}

/** In text, a variable has at most one member: `$a[key]`, `$a[0]`, `$a[$k]`, `$a->b`. */
function readSimpleMember(reader: Reader, of: Expression): Expression {
  const member = reader.take(/->([A-Za-z_]\w*)|\[(-?\w+)\]|\[\$(\w+)\]/y)
  if (member === null) return of
  const [, name, key, variable] = member
  if (variable !== undefined)
    return { kind: 'member', of, key: variableAt(reader, variable, reader.pos - variable.length - 2) }
  return { kind: 'member', of, key: { kind: 'value', value: name ?? key ?? '' } }
}
