import { readExpression } from './expression.ts'
import type { Reader } from './reader.ts'
import type { Expression, Part } from './tree.ts'

/** Where the code ends. */
interface Php {
  readonly end: RegExp
  readonly name: string
  readonly at: number
}

/** What encloses a statement, for `break` and `continue`. */
type Around = 'loop' | 'switch' | null

const NOT_SUPPORTED =
  /(?:function\s+\w|class|trait|interface|try|throw|global|static|include|include_once|require|require_once|eval|exit|die|use|namespace|return|goto|declare|const|yield|new|clone)\b/iy

/** Statements of PHP up to the mark that ends them, which is consumed. */
export function readPhp(reader: Reader, end: RegExp, name: string, at: number): readonly Part[] {
  const outer = reader.php
  reader.php = true
  const php = { end, name, at }
  const parts: Part[] = []
  for (;;) {
    reader.skipSpace()
    if (reader.take(end) !== null) break
    if (reader.done) reader.fail(`PHP code without ${name}`, at)
    parts.push(...reader.nested(() => readStatement(reader, php, null)))
  }
  reader.php = outer
  return parts
}

function readStatement(reader: Reader, php: Php, around: Around): readonly Part[] {
  reader.skipSpace()
  const at = reader.pos
  if (reader.take(/;/y) !== null) return []
  if (reader.take(/\{/y) !== null) return readUntil(reader, php, around, /\}/y, '}')
  if (reader.peek(NOT_SUPPORTED) !== null)
    return reader.fail(`${reader.peek(/\w+/y)?.[0] ?? ''} is not supported in a template`, at)
  const word = reader.take(/(?:echo|print|if|foreach|for|while|do|switch|break|continue|unset)\b/iy)?.[0]?.toLowerCase()
  switch (word) {
    case 'echo':
    case 'print':
      return readEchoes(reader, php, at)
    case 'if':
      return [readIf(reader, php, around, at)]
    case 'foreach': {
      reader.expect('(', 'after foreach')
      const head = readEach(reader)
      reader.expect(')', 'after foreach')
      return [{ kind: 'foreach', at, ...head, body: readBlock(reader, php, 'loop', 'endforeach'), otherwise: [] }]
    }
    case 'for': {
      reader.expect('(', 'after for')
      const head = readForHead(reader)
      reader.expect(')', 'after for')
      return [{ kind: 'while', at, ...head, body: readBlock(reader, php, 'loop', 'endfor') }]
    }
    case 'while': {
      const condition = readCondition(reader, 'while')
      const body = readBlock(reader, php, 'loop', 'endwhile')
      return [{ kind: 'while', at, first: [], condition, next: [], test: true, body }]
    }
    case 'do': {
      const body = reader.nested(() => readStatement(reader, php, 'loop'))
      reader.skipSpace()
      if (reader.take(/while\b/iy) === null) reader.fail(`Expected while after do, found ${reader.found()}`)
      const condition = readCondition(reader, 'while')
      endStatement(reader, php)
      return [{ kind: 'while', at, first: [], condition, next: [], test: false, body }]
    }
    case 'switch':
      return [readSwitch(reader, php, at)]
    case 'break':
    case 'continue': {
      if (around === null || (word === 'continue' && around === 'switch')) reader.fail(`${word} outside a loop`, at)
      reader.take(/\s*1\b/y)
      endStatement(reader, php)
      return [{ kind: 'leave', at, how: word, condition: { kind: 'value', value: true } }]
    }
    case 'unset':
      return readUnset(reader, php, at)
    default: {
      const expression = readExpression(reader)
      endStatement(reader, php)
      return [{ kind: 'do', at, expression }]
    }
  }
}

/** A statement ends with `;`, or where the code does. */
function endStatement(reader: Reader, php: Php): void {
  reader.skipSpace()
  if (reader.take(/;/y) !== null || reader.done || reader.peek(php.end) !== null || reader.peek(/\}/y) !== null) return
  reader.fail(`Expected ; after the statement, found ${reader.found()}`)
}

function readCondition(reader: Reader, name: string): Expression {
  reader.expect('(', `after ${name}`)
  const condition = readExpression(reader)
  reader.expect(')', `after ${name}`)
  return condition
}

/** Statements up to a mark, which is consumed. */
function readUntil(reader: Reader, php: Php, around: Around, close: RegExp, name: string): readonly Part[] {
  const at = reader.pos
  const parts: Part[] = []
  for (;;) {
    reader.skipSpace()
    if (reader.take(close) !== null) return parts
    if (reader.done || reader.peek(php.end) !== null) reader.fail(`${name} is missing`, at)
    parts.push(...reader.nested(() => readStatement(reader, php, around)))
  }
}

/** The body of a loop: a statement, a block, or `: ... endforeach;`. */
function readBlock(reader: Reader, php: Php, around: Around, end: string): readonly Part[] {
  if (!reader.eat(':')) return reader.nested(() => readStatement(reader, php, around))
  const body = readUntil(reader, php, around, new RegExp(`${end}\\b`, 'iy'), end)
  endStatement(reader, php)
  return body
}

function readEchoes(reader: Reader, php: Php, at: number): readonly Part[] {
  const parts: Part[] = []
  do parts.push({ kind: 'echo', at, value: readExpression(reader), raw: true })
  while (reader.eat(','))
  endStatement(reader, php)
  return parts
}

function readIf(reader: Reader, php: Php, around: Around, at: number): Part {
  const branches: { condition: Expression | null; body: readonly Part[] }[] = []
  let condition: Expression | null = readCondition(reader, 'if')
  for (;;) {
    const long = reader.eat(':')
    const body: Part[] = []
    if (!long) body.push(...reader.nested(() => readStatement(reader, php, around)))
    else
      while (reader.peek(/\s*(?:else|elseif|endif)\b/iy) === null) {
        reader.skipSpace()
        if (reader.done || reader.peek(php.end) !== null) reader.fail('endif is missing', at)
        body.push(...reader.nested(() => readStatement(reader, php, around)))
      }
    branches.push({ condition, body })
    reader.skipSpace()
    const next = reader.take(long ? /(?:else\s*if|else|endif)\b/iy : /(?:else\s*if|else)\b/iy)?.[0]?.toLowerCase()
    if (next === 'endif') endStatement(reader, php)
    if (next === undefined || next === 'endif') return { kind: 'if', at, branches }
    if (condition === null) reader.fail('A branch after else', at)
    condition = next === 'else' ? null : readCondition(reader, 'elseif')
  }
}

function readSwitch(reader: Reader, php: Php, at: number): Part {
  const subject = readCondition(reader, 'switch')
  reader.expect('{', 'after switch')
  const cases: { value: Expression | null; body: readonly Part[] }[] = []
  for (;;) {
    reader.skipSpace()
    if (reader.take(/\}/y) !== null) return { kind: 'switch', at, subject, cases }
    const word = reader.take(/(?:case|default)\b/iy)?.[0]?.toLowerCase()
    if (word === undefined) return reader.fail(`Expected case, found ${reader.found()}`)
    const value = word === 'case' ? readExpression(reader) : null
    if (!reader.eat(':')) reader.expect(';', 'after case')
    const body: Part[] = []
    while (reader.peek(/\s*(?:case\b|default\b|\})/iy) === null) {
      reader.skipSpace()
      if (reader.done || reader.peek(php.end) !== null) reader.fail('The switch is not closed', at)
      body.push(...reader.nested(() => readStatement(reader, php, 'switch')))
    }
    cases.push({ value, body })
  }
}

function readUnset(reader: Reader, php: Php, at: number): readonly Part[] {
  reader.expect('(', 'after unset')
  const parts: Part[] = []
  do {
    const name = variableName(reader)
    reader.bind(name)
    const value: Expression = { kind: 'value', value: null }
    const expression: Expression = { kind: 'assign', place: { name, keys: [] }, op: null, value, before: false }
    parts.push({ kind: 'do', at, expression })
  } while (reader.eat(','))
  reader.expect(')', 'after unset')
  endStatement(reader, php)
  return parts
}

/** `list as $value` or `list as $key => $value`. */
export function readEach(reader: Reader): { list: Expression; key: string | null; value: string } {
  const list = readExpression(reader)
  if (reader.take(/\s*as\b/iy) === null) reader.fail(`Expected as after the list, found ${reader.found()}`)
  const first = variableName(reader)
  const second = reader.eat('=>') ? variableName(reader) : null
  reader.bind(first)
  if (second !== null) reader.bind(second)
  return { list, key: second === null ? null : first, value: second ?? first }
}

/** `$i = 0; $i < 9; $i++`; each part may have several expressions, of which the last condition counts. */
export function readForHead(reader: Reader): Omit<Extract<Part, { kind: 'while' }>, 'kind' | 'at' | 'body'> {
  const first = readRow(reader, ';')
  const conditions = readRow(reader, ';')
  const next = readRow(reader, ')')
  const condition = conditions.at(-1) ?? ({ kind: 'value', value: true } as const)
  return { first, condition, next, test: true }
}

/** Expressions up to `close`; a bracket is left to the caller. */
function readRow(reader: Reader, close: ';' | ')'): Expression[] {
  const row: Expression[] = []
  reader.skipSpace()
  while (reader.text[reader.pos] !== close) {
    if (row.length > 0) reader.expect(',', 'between the expressions')
    row.push(readExpression(reader))
    reader.skipSpace()
    if (reader.text[reader.pos] !== ',' && reader.text[reader.pos] !== close)
      reader.fail(`Expected ${close}, found ${reader.found()}`)
  }
  if (close === ';') reader.eat(';')
  return row
}

function variableName(reader: Reader): string {
  const name = reader.take(/\s*&?\$([A-Za-z_]\w*)/y)?.[1]
  return name ?? reader.fail(`Expected a variable, found ${reader.found()}`)
}
