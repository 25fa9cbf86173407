import { CHANGING } from './changing.ts'
import type { TemplateFunction } from './function.ts'
import { FUNCTIONS } from './functions.ts'
import { isPage } from './links.ts'
import { METHODS } from './methods.ts'
import { placeOf } from './place.ts'
import { MAX_ROW, type Read, type Reader } from './reader.ts'
import type { Expression } from './tree.ts'

/** Expressions up to `close`, which is consumed; a comma may stand before it. */
export function readArguments(reader: Reader, read: Read, close: ')' | '=>', what: string): Expression[] {
  const args: Expression[] = []
  while (!reader.eat(close)) {
    if (args.length > 0) reader.expect(',', `between the ${what}`)
    if (args.length > 0 && reader.eat(close)) break
    args.push(read(reader))
    if (args.length > MAX_ROW) reader.fail(`More than ${MAX_ROW} arguments`)
  }
  return args
}

/** The rest of a call behind its opening bracket. `name` may be `Class::method`, with the class's namespace. */
export function readNamedCall(reader: Reader, read: Read, name: string, at: number): Expression {
  const isStatic = name.includes('::')
  const key = name.slice(name.lastIndexOf('\\') + 1).toLowerCase()
  const changing = CHANGING.get(key)
  if (changing !== undefined) {
    const [first, ...args] = readArguments(reader, read, ')', `arguments of ${key}()`)
    checkCount(reader, `${key}()`, changing, args.length + (first === undefined ? 0 : 1), at)
    checkFunctions(reader, `${key}()`, changing, args, at)
    const place = first === undefined ? null : placeOf(first)
    if (place === null) return reader.fail(`${key}() needs a variable as its first argument`, at)
    return { kind: 'changing', name: key, place, args }
  }
  const known = FUNCTIONS.get(key)
  if (known === undefined)
    return reader.fail(
      isStatic ? `Static calls are not supported: ${name.replace(/::.*$/, '::')}` : `Unknown function ${name}()`,
      at,
    )
  const args = readArguments(reader, read, ')', `arguments of ${key}()`)
  checkCount(reader, `${key}()`, known, args.length, at)
  checkFunctions(reader, `${key}()`, known, args, at)
  const [page] = args
  if (key === 'route' && page?.kind === 'value' && !isPage(page.value))
    reader.fail(`route() knows no page ${String(page.value)}`, at)
  return { kind: 'call', name: key, args }
}

/** The rest of `->name(...)`. */
export function readMethod(reader: Reader, read: Read, of: Expression, name: string, at: number): Expression {
  const key = name.toLowerCase()
  const known = METHODS.get(key)
  if (known === undefined) return reader.fail(`Unknown method ->${name}()`, at)
  const args = readArguments(reader, read, ')', `arguments of ->${name}()`)
  checkCount(reader, `->${name}()`, known, args.length, at)
  checkFunctions(reader, `->${name}()`, known, args, at)
  return { kind: 'method', of, name: key, args }
}

function checkCount(reader: Reader, name: string, { least, most }: TemplateFunction, count: number, at: number): void {
  if (count < least || count > most) reader.fail(`${name} takes ${counted(least, most)}, not ${count}`, at)
}

function checkFunctions(
  reader: Reader,
  name: string,
  { takes }: TemplateFunction,
  args: readonly Expression[],
  at: number,
): void {
  const count = args.filter(({ kind }) => kind === 'function').length
  if (count > (takes === undefined ? 0 : 1))
    reader.fail(takes === undefined ? `${name} takes no function` : `${name} takes one function`, at)
}

function counted(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} argument${least === 1 ? '' : 's'}`
  return least === most ? `${least} argument${least === 1 ? '' : 's'}` : `${least} to ${most} arguments`
}

/** The rest of `fn ($a) => body`, or of `function ($a) use ($b) { return body; }`. Variables outside are visible. */
export function readFunction(reader: Reader, read: Read, word: 'fn' | 'function', at: number): Expression {
  if (reader.take(/\s*\(/y) === null) return reader.fail('Functions cannot be named in a template', at)
  const params = readNames(reader, true)
  for (const name of params) reader.bind(name)
  if (word === 'function' && reader.take(/\s*use\s*\(/iy) !== null)
    for (const name of readNames(reader, false)) reader.use(name, at)
  reader.take(/\s*:\s*\??\w+/y)
  if (word === 'fn') {
    reader.expect('=>', 'after the parameters')
    return { kind: 'function', params, body: read(reader) }
  }
  reader.expect('{', 'after the parameters')
  reader.skipSpace()
  if (reader.take(/return\b/iy) === null) reader.fail('A function in a template can only return a value')
  const body = read(reader)
  reader.eat(';')
  reader.expect('}', 'after the value')
  return { kind: 'function', params, body }
}

function readNames(reader: Reader, typed: boolean): string[] {
  const names: string[] = []
  while (!reader.eat(')')) {
    if (names.length > 0) reader.expect(',', 'between the parameters')
    reader.skipSpace()
    if (typed) reader.take(/\??[A-Za-z_]\w*\s+/y)
    const name = reader.take(/&?\$([A-Za-z_]\w*)/y)?.[1]
    names.push(name ?? reader.fail(`Expected a parameter, found ${reader.found()}`))
    if (names.length > 10) reader.fail('More than 10 parameters')
  }
  return names
}
