import type { Scalar } from '../../librenms/form.ts'

/** White space, sign, digits with optional fraction, exponent. */
const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/
/** White space, minus, digits with optional fraction. */
const BEGINNING = /^\s*-?(\d+(\.\d*)?|\.\d+)/
const FIRST = /-?\d*\.?\d+/

/** A number, or a text that is a decimal number. */
export function isNumberLike(value: Scalar | undefined): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))
}

/** A number, or the number that a text begins with; 0 if there is none. An exponent counts only if nothing follows. */
export function numberOf(value: Scalar | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return value === true ? 1 : 0
  if (NUMBER.test(value)) return Number(value)
  const found = BEGINNING.exec(value.slice(0, 64))?.[0]
  return found === undefined ? 0 : Number(found)
}

/** The first number anywhere in a text, as text; null: none. */
export function firstNumber(text: string): string | null {
  return FIRST.exec(text)?.[0] ?? null
}
