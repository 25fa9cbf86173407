import { FUNCTIONS } from './functions.ts'
import type { Reader } from './reader.ts'
import { doubleQuoted, singleQuoted } from './strings.ts'
import type { CastType, Expression, Operator } from './tree.ts'
import type { Value } from './value.ts'

/** Binary operators and how strongly they bind, as in PHP 8. `? :` is between `and` and `??`. */
const LEVELS: Readonly<Record<Operator, number>> = {
  or: 1,
  xor: 2,
  and: 3,
  '??': 5,
  '||': 6,
  '&&': 7,
  '==': 8,
  '!=': 8,
  '===': 8,
  '!==': 8,
  '<=>': 8,
  '<': 9,
  '<=': 9,
  '>': 9,
  '>=': 9,
  '.': 10,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
}
const TERNARY = 4
/** Comparisons cannot be chained. */
const CHAINLESS = new Set([8, 9])
/** Most operators, members or arguments in a row within one expression. */
const MAX_ROW = 500

const OPERATOR = /===|!==|<=>|==|!=|<>|<=|>=|&&|\|\||\?\?|[.+\-*/%<>]|(?:and|or|xor)\b/iy
const ASSIGNMENT = /(?:\?\?|\*\*|<<|>>|[.+\-*/%&|^])?=(?![=>])|\+\+|--/y
const OTHER_OPERATOR = /\*\*|<<|>>|[&|^~](?![&|])|instanceof\b/y

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['php_eol', '\n'],
  ['php_int_max', Number.MAX_SAFE_INTEGER],
  ['m_pi', Math.PI],
  ['ent_quotes', 3],
  ['str_pad_left', 0],
  ['str_pad_right', 1],
  ['str_pad_both', 2],
  ['json_pretty_print', 128],
  ['json_unescaped_slashes', 64],
  ['json_unescaped_unicode', 256],
])

/** Reads an expression. Throws TemplateError. */
export function readExpression(reader: Reader): Expression {
  return reader.nested(() => readBinary(reader, 0))
}

function readBinary(reader: Reader, lowest: number): Expression {
  let left = readUnary(reader)
  let full = false
  let chained = -1
  for (let row = 0; ; row++) {
    if (row > MAX_ROW) reader.fail(`More than ${MAX_ROW} operators in a row`)
    reader.skipSpace()
    refuseOthers(reader)
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
    const right = op.name === '??' ? reader.nested(() => readBinary(reader, level)) : readBinary(reader, level + 1)
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

function refuseOthers(reader: Reader): void {
  if (reader.peek(ASSIGNMENT) !== null) reader.fail('Variables cannot be assigned in a template')
  const other = reader.peek(OTHER_OPERATOR)
  if (other !== null) reader.fail(`The operator ${other[0]} is not supported`)
}

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
  if (reader.peek(/\+\+|--/y) !== null) refuseOthers(reader)
  const sign = reader.take(/[!+-]/y)
  if (sign !== null) {
    const of = reader.nested(() => readUnary(reader))
    if (sign[0] === '!') return { kind: 'not', of }
    return sign[0] === '-' ? { kind: 'negative', of } : { kind: 'cast', to: 'float', of }
  }
  const cast = reader.peek(/\(\s*(\w{1,10})\s*\)/y)
  const to = CASTS.get(cast?.[1]?.toLowerCase() ?? '')
  if (cast !== null && to !== undefined) {
    reader.pos += cast[0].length
    return { kind: 'cast', to, of: reader.nested(() => readUnary(reader)) }
  }
  return readMembers(reader, readPrimary(reader))
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
      } else of = { kind: 'member', of, key: { kind: 'value', value: name[1] ?? '' } }
      if (reader.peek(/\s*\(/y) !== null) reader.fail(`Methods cannot be called: ->${name?.[1] ?? ''}()`, at)
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
  const number = reader.take(/0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y)
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
  if (reader.scope.includes(name)) return { kind: 'variable', name }
  const known = [...new Set(reader.scope)].map((n) => `$${n}`).join(', ')
  return reader.fail(`Unknown variable $${name}; known here: ${known}`, at)
}

function readWord(reader: Reader, name: string, at: number): Expression {
  const lower = name.toLowerCase()
  if (reader.peek(/\s*::/y) !== null) reader.fail(`Static calls are not supported: ${name}::`, at)
  if (reader.take(/\s*\(/y) === null) {
    const constant = CONSTANTS.get(lower)
    if (constant === undefined) return reader.fail(`Unknown word ${name}; strings need quotes`, at)
    return { kind: 'value', value: constant }
  }
  if (lower === 'array') return readList(reader, ')')
  const known = FUNCTIONS.get(lower)
  if (known === undefined) return reader.fail(`Unknown function ${name}()`, at)
  const args: Expression[] = []
  while (!reader.eat(')')) {
    if (args.length > 0) reader.expect(',', `between the arguments of ${lower}()`)
    if (args.length > 0 && reader.eat(')')) break
    args.push(readExpression(reader))
    if (args.length > MAX_ROW) reader.fail(`More than ${MAX_ROW} arguments`)
  }
  if (args.length < known.least || args.length > known.most)
    reader.fail(`${lower}() takes ${counted(known.least, known.most)}, not ${args.length}`, at)
  return { kind: 'call', name: lower, args }
}

function counted(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} argument${least === 1 ? '' : 's'}`
  return least === most ? `${least} argument${least === 1 ? '' : 's'}` : `${least} to ${most} arguments`
}

function readList(reader: Reader, close: ']' | ')'): Expression {
  const items: { key: Expression | null; value: Expression }[] = []
  while (!reader.eat(close)) {
    if (items.length > 0) {
      reader.expect(',', 'in the array')
      if (reader.eat(close)) break
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
