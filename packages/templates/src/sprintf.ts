import type { Budget } from './budget.ts'
import { rounded } from './decimals.ts'
import { whole } from './numbers.ts'
import { TemplateError } from './tree.ts'
import { numberOf, textOf, type Value } from './value.ts'

const DIRECTIVE = /%(?:(\d{1,3})\$)?((?:[-+ 0]|'[\s\S])*)(\d{1,4})?(?:\.(\d{1,3}))?([bcdeEfFgGosuxX%])?/g
const MAX_WIDTH = 1000
const MAX_PRECISION = 20

/** PHP's `sprintf`. Throws TemplateError for a bad format or too few arguments. */
export function formatted(format: string, args: readonly Value[], budget: Budget): string {
  let next = 0
  let length = format.length
  return format.replaceAll(DIRECTIVE, (...match: (string | undefined)[]) => {
    const [, place, flags = '', width, precision, type] = match
    if (type === undefined) throw new TemplateError('Unknown conversion in the format of sprintf()')
    if (type === '%') return '%'
    const index = place === undefined ? next++ : Number(place) - 1
    const arg = args[index]
    if (arg === undefined) throw new TemplateError('sprintf() has too few arguments for its format')
    const places = precision === undefined ? null : Number(precision)
    const text = converted(type, arg, places, flags.includes('+'))
    length += text.length + Math.min(MAX_WIDTH, Number(width ?? 0))
    budget.text(length)
    return aligned(text, flags, Math.min(MAX_WIDTH, Number(width ?? 0)), type)
  })
}

function converted(type: string, arg: Value, precision: number | null, plus: boolean): string {
  if (type === 's') return precision === null ? textOf(arg) : textOf(arg).slice(0, precision)
  const n = numberOf(arg)
  const sign = plus && n >= 0 ? '+' : ''
  const places = Math.min(MAX_PRECISION, precision ?? 6)
  if (type === 'd') return `${sign}${whole(n)}`
  if (type === 'u') return String(Math.abs(whole(n)))
  if (type === 'c') return String.fromCodePoint(Math.abs(whole(n)) % 128)
  if (type === 'e' || type === 'E') {
    const text = n.toExponential(places)
    return sign + (type === 'E' ? text.toUpperCase() : text)
  }
  if (type === 'g' || type === 'G') return sign + String(Number(n.toPrecision(Math.max(1, places))))
  if (type === 'f' || type === 'F') return sign + (Math.abs(n) < 1e21 ? rounded(n, places).toFixed(places) : textOf(n))
  const base = Math.abs(whole(n)).toString(type === 'b' ? 2 : type === 'o' ? 8 : 16)
  return type === 'X' ? base.toUpperCase() : base
}

function aligned(text: string, flags: string, width: number, type: string): string {
  const custom = /'([\s\S])/.exec(flags)?.[1]
  const plain = flags.replaceAll(/'[\s\S]/g, '')
  const pad = custom ?? (plain.includes('0') ? '0' : ' ')
  if (plain.includes('-')) return text.padEnd(width, pad === '0' && type !== 's' ? ' ' : pad)
  const signed = pad === '0' && type !== 's' ? (/^[+-]/.exec(text)?.[0] ?? '') : ''
  return signed + text.slice(signed.length).padStart(width - signed.length, pad)
}
