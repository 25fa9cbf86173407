/** A value of the template language. Lists and objects are both `Items`. */
export type Value = null | boolean | number | string | Items

/** In order; keys are text, and those that are whole numbers (`keyValue`) count as numbers, as in PHP. */
export type Items = ReadonlyMap<string, Value>

export const isItems = (value: Value): value is Items => value instanceof Map

const MAX_DEPTH = 10
const MAX_VALUES = 200_000

/** Converts JSON. Values nested more than 10 levels deep become null; beyond 200,000 values, members are left out. */
export function fromJson(json: unknown): Value {
  const room = { left: MAX_VALUES }
  return copied(json, room, 0)
}

function copied(json: unknown, room: { left: number }, depth: number): Value {
  room.left--
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return json
  if (typeof json === 'bigint') return Number(json)
  if (json instanceof Date) return Number.isNaN(json.getTime()) ? null : json.toISOString()
  if (typeof json !== 'object' || json === null || depth >= MAX_DEPTH) return null
  const items = new Map<string, Value>()
  for (const [key, value] of Object.entries(json)) {
    if (room.left <= 0) break
    items.set(key, copied(value, room, depth + 1))
  }
  return items
}

/** A list with the keys 0, 1, 2, ... */
export function listOf(values: Iterable<Value>): Items {
  const items = new Map<string, Value>()
  for (const value of values) items.set(String(items.size), value)
  return items
}

/** A key as templates see it: a number if its text is an integer. */
export const keyValue = (key: string): Value => (/^(0|-?[1-9]\d{0,14})$/.test(key) ? Number(key) : key)

/** A value as a key. */
export function keyOf(value: Value): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(Math.trunc(value)) : '0'
  if (typeof value === 'boolean') return value ? '1' : '0'
  return isItems(value) ? 'Array' : (value ?? '')
}

export function truthy(value: Value): boolean {
  if (isItems(value)) return value.size > 0
  return value !== null && value !== false && value !== 0 && value !== '' && value !== '0'
}

/** A value as PHP's `echo` writes it: true is 1; null and false are empty; 14 significant digits. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (isItems(value)) return 'Array'
  return value === true ? '1' : ''
}

const DIGITS = 14

function numberText(n: number): string {
  if (Number.isNaN(n)) return 'NAN'
  if (!Number.isFinite(n)) return n > 0 ? 'INF' : '-INF'
  if (Object.is(n, -0)) return '-0'
  if (Number.isSafeInteger(n)) return String(n)
  const text = String(Number(n.toPrecision(DIGITS)))
  const [mantissa = '', exponent] = text.split('e')
  return exponent === undefined ? text : `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent}`
}

const MAX_NUMBER_TEXT = 400

/** The number written in a text, surrounding spaces ignored; null: it is not a number. */
export function numericText(text: string): number | null {
  if (text.length > MAX_NUMBER_TEXT) return null
  return /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : null
}

/** The operand for arithmetic: a text counts as the number that it begins with, or 0. */
export function numberOf(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    const head = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?/i.exec(value.slice(0, MAX_NUMBER_TEXT))
    return head === null ? 0 : Number(head[0])
  }
  return isItems(value) ? value.size && 1 : value === true ? 1 : 0
}

/** Negative, 0 or positive; NaN: they have no order. Mixed types compare as in PHP 8. `spend`: called for each pair. */
export function compare(a: Value, b: Value, spend: () => void): number {
  spend()
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(truthy(a)) - Number(truthy(b))
  if (a === null && b === null) return 0
  if (a === null) return typeof b === 'string' ? compareTexts('', b) : 0 - Number(truthy(b))
  if (b === null) return typeof a === 'string' ? compareTexts(a, '') : Number(truthy(a))
  if (isItems(a) || isItems(b)) return compareItems(a, b, spend)
  if (typeof a === 'number' && typeof b === 'number') return a - b || (a === b ? 0 : Number.NaN)
  const [x, y] = [numeric(a), numeric(b)]
  if (x !== null && y !== null) return x === y ? 0 : x - y
  return compareTexts(textOf(a), textOf(b))
}

const numeric = (value: string | number) => (typeof value === 'number' ? value : numericText(value))
const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

function compareItems(a: Value, b: Value, spend: () => void): number {
  if (!isItems(a)) return -1
  if (!isItems(b)) return 1
  if (a.size !== b.size) return a.size - b.size
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined) return Number.NaN
    const order = compare(value, other, spend)
    if (order !== 0) return order
  }
  return 0
}

/** `===`: same type and value. Integers and other numbers are one type. */
export function same(a: Value, b: Value, spend: () => void): boolean {
  spend()
  if (!isItems(a) || !isItems(b)) return a === b
  if (a === b) return true
  const others = b.entries()
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    const [otherKey, other] = others.next().value ?? ['', null]
    if (key !== otherKey || !same(value, other, spend)) return false
  }
  return true
}
