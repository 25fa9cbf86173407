import { readExpression } from './expression.ts'
import { Reader } from './reader.ts'
import { readEach, readForHead, readPhp } from './statements.ts'
import { type Expression, faultAt, type Part, type Template, TemplateError, type TemplateFault } from './tree.ts'

/** Longest template accepted, UTF-16 units. */
const MAX_TEMPLATE = 100_000

/**
 * Reads a template in the subset of Blade that docs/reference/templates.md lists. Never throws. `variables`: names that
 * the template may use, without `$`.
 */
export function parseTemplate(text: string, variables: readonly string[] = ['alert']): Template | TemplateFault {
  if (text.length > MAX_TEMPLATE) return faultAt(text, 0, `The template is longer than ${MAX_TEMPLATE} characters`)
  const reader = new Reader(text, variables)
  try {
    const { parts } = readBody(reader, null)
    reader.checkVariables()
    return { kind: 'template', text, parts }
  } catch (error) {
    if (error instanceof TemplateError) return faultAt(text, error.at ?? reader.pos, error.message)
    throw error
  }
}

/** Directives of Blade and LibreNMS that are rejected; passed through as text, they would be noticed too late. */
const REFUSED = new Set(
  `include includeif includewhen includefirst extends section endsection show yield parent each
  component endcomponent slot endslot inject js dd dump push endpush prepend stack auth endauth guest
  endguest can cannot env production csrf method error lang choice class style checked selected disabled use vite session props aware hassection sectionmissing`
    .trim()
    .split(/\s+/),
)
const ENDS = new Set(
  'elseif else endif endunless endisset endempty endforeach endforelse endfor endwhile case default endswitch endphp endonce endverbatim'.split(
    ' ',
  ),
)

/** An open block: the directives that end or divide it. */
interface Block {
  readonly name: string
  readonly at: number
  readonly ends: readonly string[]
  readonly loop: boolean
  readonly outer: Block | null
}

interface Body {
  readonly parts: readonly Part[]
  /** The directive that ended it, and where it begins. */
  readonly end: string
  readonly at: number
}

const MARK = /@@(?=[A-Za-z])|@(?=\{\{|\{!!)|\{\{--|\{\{|\{!!|@([A-Za-z]+)|<\?(?:php\b|=)/gi

function readBody(reader: Reader, block: Block | null): Body {
  const parts: Part[] = []
  const addText = (text: string, at: number): void => {
    if (text !== '') parts.push({ kind: 'text', at, text })
  }
  for (;;) {
    const from = reader.pos
    const mark = nextMark(reader)
    addText(reader.text.slice(from, mark?.index ?? reader.text.length), from)
    if (mark === null) {
      if (block !== null) reader.fail(`@${block.name} is not closed`, block.at)
      return { parts, end: '', at: reader.text.length }
    }
    const at = mark.index
    reader.pos = at + mark[0].length
    const name = mark[1]?.toLowerCase()
    if (mark[0] === '@@') {
      const word = reader.take(/[A-Za-z]+/y)?.[0] ?? ''
      addText(`@${word}`, at)
    } else if (mark[0] === '@') addText(reader.take(/\{\{|\{!!/y)?.[0] ?? '', at)
    else if (mark[0] === '{{--') {
      const end = reader.text.indexOf('--}}', reader.pos)
      if (end < 0) reader.fail('Unterminated comment', at)
      reader.pos = end + '--}}'.length
    } else if (mark[0] === '{{' || mark[0] === '{!!') parts.push(readEcho(reader, mark[0], at))
    else if (name === undefined) parts.push(...readPhpTag(reader, mark[0], at))
    else if (ends(reader, block, name)) return { parts, end: name, at }
    else {
      const found = readDirective(reader, block, name, at)
      if (found === null) addText(mark[0], at)
      else if ('kind' in found) parts.push(found)
      else parts.push(...found)
    }
  }
}

/** The next mark; an `@` after a letter or digit is text. */
function nextMark(reader: Reader): RegExpExecArray | null {
  MARK.lastIndex = reader.pos
  for (;;) {
    const mark = MARK.exec(reader.text)
    if (mark === null || !mark[0].startsWith('@')) return mark
    if (!/\w/.test(reader.text[mark.index - 1] ?? '')) return mark
    if (mark[0] === '@') return mark
  }
}

function readEcho(reader: Reader, open: '{{' | '{!!', at: number): Part {
  const close = open === '{{' ? '}}' : '!!}'
  const value = readExpression(reader)
  reader.eat(';')
  reader.skipSpace()
  if (reader.done) reader.fail('Unterminated expression', at)
  reader.expect(close, 'after the value')
  return { kind: 'echo', at, value, raw: open === '{!!' }
}

function ends(reader: Reader, block: Block | null, name: string): boolean {
  // `@empty` divides @forelse, `@empty(...)` opens a block.
  if (name === 'empty' && reader.peek(/[ \t]*\(/y) !== null) return false
  return block?.ends.includes(name) === true
}

/** Null: the word is plain text, such as `@here`. */
function readDirective(reader: Reader, block: Block | null, name: string, at: number): Part | readonly Part[] | null {
  const inside = <T>(open: Omit<Block, 'outer' | 'at'>, read: (block: Block) => T): T =>
    reader.nested(() => read({ ...open, at, outer: block }))
  switch (name) {
    case 'if':
      return inside({ name, ends: ['elseif', 'else', 'endif'], loop: false }, (b) =>
        readIf(reader, b, readCondition(reader, name, at)),
      )
    case 'unless':
    case 'isset':
    case 'empty':
      if (name === 'empty' && reader.peek(/[ \t]*\(/y) === null) return reader.fail('@empty has nothing to close', at)
      return inside({ name, ends: ['elseif', 'else', `end${name}`], loop: false }, (b) =>
        readIf(reader, b, readSpecial(reader, name, at)),
      )
    case 'foreach':
    case 'forelse':
      return inside({ name, ends: name === 'forelse' ? ['empty', 'endforelse'] : ['endforeach'], loop: true }, (b) =>
        readForeach(reader, b),
      )
    case 'for':
      return inside({ name, ends: ['endfor'], loop: true }, (b) => readFor(reader, b))
    case 'while':
      return inside({ name, ends: ['endwhile'], loop: true }, (b) => readWhile(reader, b, at))
    case 'php':
      return readPhpDirective(reader, at)
    case 'verbatim': {
      const end = /@endverbatim\b/i.exec(reader.text.slice(reader.pos))
      if (end === null) return reader.fail('@verbatim is not closed', at)
      const text = reader.text.slice(reader.pos, reader.pos + end.index)
      reader.pos += end.index + end[0].length
      endLine(reader)
      return { kind: 'text', at, text }
    }
    case 'once':
      return inside({ name, ends: ['endonce'], loop: block?.loop === true }, (b) => readBody(reader, b).parts)
    case 'json': {
      openBracket(reader, name, at)
      const args = [readExpression(reader)]
      while (reader.eat(',')) args.push(readExpression(reader))
      reader.expect(')', 'after @json')
      return { kind: 'echo', at, value: { kind: 'call', name: 'json_encode', args: args.slice(0, 2) }, raw: true }
    }
    case 'switch':
      return inside({ name, ends: ['case', 'default', 'endswitch'], loop: true }, (b) => readSwitch(reader, b))
    case 'signedgraphtag':
    case 'signedgraphurl': {
      openBracket(reader, mark(name), at)
      const members = readExpression(reader)
      reader.expect(')', `after @${mark(name)}`)
      return { kind: 'graph', at, members, tag: name === 'signedgraphtag' }
    }
    case 'break':
    case 'continue':
      return readLeave(reader, block, name, at)
    default:
      if (ENDS.has(name)) return reader.fail(`@${name} has nothing to close`, at)
      if (REFUSED.has(name) || reader.text[reader.pos] === '(') return reader.fail(`@${name} is not supported`, at)
      return null
  }
}

const mark = (name: string) => (name === 'signedgraphtag' ? 'signedGraphTag' : 'signedGraphUrl')

/** A directive's line break is not part of the text, as in Blade. */
function endLine(reader: Reader): void {
  reader.take(/\r?\n/y)
}

function openBracket(reader: Reader, name: string, at: number): void {
  if (reader.take(/[ \t]*\(/y) === null) reader.fail(`@${name} needs parentheses`, at)
}

function closeBracket(reader: Reader, name: string): void {
  reader.expect(')', `after @${name}`)
  endLine(reader)
}

function readCondition(reader: Reader, name: string, at: number): Expression {
  openBracket(reader, name, at)
  const condition = readExpression(reader)
  closeBracket(reader, name)
  return condition
}

function readSpecial(reader: Reader, name: 'unless' | 'isset' | 'empty', at: number): Expression {
  if (name === 'unless') return { kind: 'not', of: readCondition(reader, name, at) }
  openBracket(reader, name, at)
  const args = [readExpression(reader)]
  while (name === 'isset' && reader.eat(',')) args.push(readExpression(reader))
  closeBracket(reader, name)
  return { kind: 'call', name, args }
}

function readIf(reader: Reader, block: Block, first: Expression): Part {
  const branches: { condition: Expression | null; body: readonly Part[] }[] = []
  let condition: Expression | null = first
  let current = block
  for (;;) {
    const body = readBody(reader, current)
    branches.push({ condition, body: body.parts })
    if (body.end === 'elseif') condition = readCondition(reader, 'elseif', body.at)
    else {
      endLine(reader)
      if (body.end !== 'else') return { kind: 'if', at: block.at, branches }
      condition = null
      current = { ...block, ends: block.ends.filter((end) => end.startsWith('end')) }
    }
  }
}

function readForeach(reader: Reader, block: Block): Part {
  openBracket(reader, block.name, block.at)
  const { list, key, value } = readEach(reader)
  closeBracket(reader, block.name)
  reader.bind('loop')
  const { parts, end } = readBody(reader, block)
  endLine(reader)
  let otherwise: readonly Part[] = []
  if (end === 'empty') {
    otherwise = readBody(reader, { ...block, ends: ['endforelse'], loop: block.outer?.loop === true }).parts
    endLine(reader)
  }
  return { kind: 'foreach', at: block.at, list, key, value, body: parts, otherwise }
}

function readFor(reader: Reader, block: Block): Part {
  openBracket(reader, block.name, block.at)
  const head = readForHead(reader)
  closeBracket(reader, block.name)
  const { parts } = readBody(reader, block)
  endLine(reader)
  return { kind: 'while', at: block.at, ...head, body: parts }
}

function readWhile(reader: Reader, block: Block, at: number): Part {
  const condition = readCondition(reader, block.name, at)
  const { parts } = readBody(reader, block)
  endLine(reader)
  return { kind: 'while', at, first: [], condition, next: [], test: true, body: parts }
}

/** `@php ... @endphp` or `@php(expression)`. */
function readPhpDirective(reader: Reader, at: number): readonly Part[] {
  if (reader.take(/[ \t]*\(/y) !== null) {
    const expression = readExpression(reader)
    closeBracket(reader, 'php')
    return [{ kind: 'do', at, expression }]
  }
  const parts = readPhp(reader, /@endphp\b/iy, '@endphp', at)
  endLine(reader)
  return parts
}

/** `<?php ... ?>` or `<?= expression ?>`. */
function readPhpTag(reader: Reader, open: string, at: number): readonly Part[] {
  if (open !== '<?=') {
    const parts = readPhp(reader, /\?>/y, '?>', at)
    endLine(reader)
    return parts
  }
  reader.php = true
  const value = readExpression(reader)
  reader.eat(';')
  reader.expect('?>', 'after the value')
  reader.php = false
  endLine(reader)
  return [{ kind: 'echo', at, value, raw: true }]
}

function readSwitch(reader: Reader, block: Block): Part {
  const subject = readCondition(reader, block.name, block.at)
  const cases: { value: Expression | null; body: readonly Part[] }[] = []
  let body = readBody(reader, block)
  if (body.parts.some((part) => part.kind !== 'text' || part.text.trim() !== ''))
    reader.fail('Nothing is allowed between @switch and its first @case', block.at)
  while (body.end !== 'endswitch') {
    let value: Expression | null = null
    if (body.end === 'case') value = readCondition(reader, 'case', body.at)
    else if (cases.some((other) => other.value === null)) reader.fail('A second @default', body.at)
    else endLine(reader)
    body = readBody(reader, block)
    cases.push({ value, body: body.parts })
  }
  endLine(reader)
  return { kind: 'switch', at: block.at, subject, cases }
}

function readLeave(reader: Reader, block: Block | null, how: 'break' | 'continue', at: number): Part {
  let around = block
  while (around !== null && !(around.loop && (how === 'break' || around.name !== 'switch'))) around = around.outer
  if (around === null) reader.fail(`@${how} outside a loop`, at)
  if (reader.peek(/[ \t]*\(/y) !== null) return { kind: 'leave', at, how, condition: readCondition(reader, how, at) }
  endLine(reader)
  return { kind: 'leave', at, how, condition: { kind: 'value', value: true } }
}
