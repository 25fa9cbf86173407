import type { Reader } from './reader.ts'
import type { Expression } from './tree.ts'

/** Reads the rest of a single-quoted string. `at`: where it begins. */
export function singleQuoted(reader: Reader, at: number): string {
  let text = ''
  for (;;) {
    if (reader.done) reader.fail('Unterminated string', at)
    const plain = reader.take(/[^'\\]+/y)
    if (plain !== null) text += plain[0]
    else if (reader.take(/'/y) !== null) return text
    else text += reader.take(/\\(['\\])/y)?.[1] ?? reader.take(/\\/y)?.[0] ?? ''
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  f: '\f',
  e: '\u001b',
  '0': '\0',
  '\\': '\\',
  $: '$',
  '"': '"',
}
const MAX_CODE_POINT = 0x10_ff_ff

interface Values {
  /** Reads what follows `$name`. */
  readonly variable: (name: string, at: number) => Expression
  /** Reads the rest of `{$...}`. */
  readonly expression: () => Expression
}

/** Reads the rest of a double-quoted string as parts. */
export function doubleQuoted(reader: Reader, at: number, values: Values): Expression[] {
  const parts: Expression[] = []
  let text = ''
  const add = (part: Expression): void => {
    if (text !== '') parts.push({ kind: 'value', value: text })
    text = ''
    parts.push(part)
  }
  for (;;) {
    if (reader.done) reader.fail('Unterminated string', at)
    const plain = reader.take(/[^"\\${]+/y)
    if (plain !== null) text += plain[0]
    else if (reader.take(/"/y) !== null) break
    else if (reader.take(/\{(?=\$)/y) !== null) add(values.expression())
    else if (reader.peek(/\$\w/y) !== null) {
      const where = reader.pos
      const name = reader.take(/\$(\w+)/y)?.[1] ?? ''
      add(values.variable(name, where))
    } else text += escapeAt(reader)
  }
  if (text !== '') parts.push({ kind: 'value', value: text })
  return parts
}

function escapeAt(reader: Reader): string {
  const point = reader.take(/\\u\{([0-9a-fA-F]{1,6})\}/y)
  if (point !== null) {
    const code = Number.parseInt(point[1] ?? '', 16)
    return code > MAX_CODE_POINT
      ? reader.fail('Invalid character code', reader.pos - point[0].length)
      : String.fromCodePoint(code)
  }
  const escaped = reader.take(/\\([ntrvfe0\\$"])/y)
  if (escaped !== null) return ESCAPES[escaped[1] ?? ''] ?? ''
  return reader.take(/[\s\S]/y)?.[0] ?? ''
}
