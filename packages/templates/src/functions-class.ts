import { rounded } from './decimals.ts'
import type { FunctionTable, Tools } from './function.ts'
import { whole } from './numbers.ts'
import { numberOf, textOf, truthy, type Value } from './value.ts'

const SI = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi', 'Yi']

/** A number with the prefix that leaves its first digits before the point. */
function scaled(value: Value, base: 1000 | 1024, digits: Value, unit: Value): string {
  const n = numberOf(value)
  const prefixes = base === 1024 ? BINARY : SI
  let size = 0
  let left = Math.abs(n)
  for (; left >= base && size < prefixes.length - 1; size++) left /= base
  const text = Number.isFinite(n) ? String(rounded(n / base ** size, Math.min(15, Math.max(0, whole(digits))))) : '0'
  return `${text} ${prefixes[size] ?? ''}${textOf(unit)}`.trimEnd()
}

const PARTS = [
  [31_536_000, 'year', 'y'],
  [604_800, 'week', 'w'],
  [86_400, 'day', 'd'],
  [3600, 'hour', 'h'],
  [60, 'minute', 'm'],
  [1, 'second', 's'],
] as const

/** Seconds in words: `1 day 2 hours`, or `1d 2h`. */
function interval(value: Value, short: Value): string {
  let left = Math.abs(whole(value))
  const parts: string[] = []
  for (const [size, unit, letter] of PARTS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(truthy(short) ? `${count}${letter}` : `${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.join(' ') || (truthy(short) ? '0s' : '0 seconds')
}

const limited = (text: string, length: number, end: string) =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length)).trimEnd()}${end}`

function after(text: string, part: string): string {
  const at = part === '' ? -1 : text.indexOf(part)
  return at < 0 ? text : text.slice(at + part.length)
}

function before(text: string, part: string): string {
  const at = part === '' ? -1 : text.indexOf(part)
  return at < 0 ? text : text.slice(0, at)
}

const ofText = (run: (text: string, part: string) => Value, args: 1 | 2 = 1): FunctionTable[string] => [
  args,
  args,
  ([text = null, part = null]: readonly Value[]) => run(textOf(text), textOf(part)),
]

function replacedIn([search = null, by = null, text = null]: readonly Value[], { budget }: Tools): string {
  const [from, to, source] = [textOf(search), textOf(by), textOf(text)]
  if (from === '') return source
  const parts = source.split(from)
  budget.text(source.length + parts.length * to.length)
  return parts.join(to)
}

/** Functions of classes that templates of LibreNMS use, by class without its namespace. */
export const CLASS_FUNCTIONS: FunctionTable = {
  'number::formatsi': [1, 4, ([n = null, digits = 2, , unit = 'B']) => scaled(n, 1000, digits, unit)],
  'number::formatbi': [1, 4, ([n = null, digits = 2, , unit = 'B']) => scaled(n, 1024, digits, unit)],
  'number::formatbase': [
    1,
    5,
    ([n = null, base = 1000, digits = 2, , unit = 'B']) => scaled(n, base === 1024 ? 1024 : 1000, digits, unit),
  ],
  'time::formatinterval': [1, 4, ([seconds = null, short = false]) => interval(seconds, short)],
  'str::upper': ofText((text) => text.toUpperCase()),
  'str::lower': ofText((text) => text.toLowerCase()),
  'str::ucfirst': ofText((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  'str::title': ofText((text) => text.toLowerCase().replaceAll(/(^|\s)(\S)/g, (all) => all.toUpperCase())),
  'str::length': ofText((text) => text.length),
  'str::limit': [1, 3, ([text = null, length = 100, end = '...']) => limited(textOf(text), whole(length), textOf(end))],
  'str::contains': ofText((text, part) => part !== '' && text.includes(part), 2),
  'str::startswith': ofText((text, part) => part !== '' && text.startsWith(part), 2),
  'str::endswith': ofText((text, part) => part !== '' && text.endsWith(part), 2),
  'str::after': ofText(after, 2),
  'str::before': ofText(before, 2),
  'str::replace': [3, 3, replacedIn],
}
