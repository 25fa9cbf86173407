import { changed, readOf } from './assign.ts'
import type { Budget } from './budget.ts'
import { CHANGING } from './changing.ts'
import type { TemplateFunction } from './function.ts'
import { FUNCTIONS } from './functions.ts'
import { METHODS } from './methods.ts'
import { type CastType, type Expression, type Operator, type Place, TemplateError } from './tree.ts'
import { compare, isItems, keyOf, numberOf, same, textOf, truthy, type Value } from './value.ts'

/** What expressions are evaluated with. */
export interface Environment {
  readonly budget: Budget
  /** Epoch ms. */
  readonly now: number
  /** A template has one set of variables, as a function of PHP. */
  readonly variables: Map<string, Value>
  /** Address of a page of the program; null: it is unknown. */
  readonly pageUrl: (path: string) => string | null
}

/** The value of an expression. Throws TemplateError. */
export function evaluate(expression: Expression, env: Environment): Value {
  env.budget.spend()
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'variable':
      return env.variables.get(expression.name) ?? null
    case 'member':
      if (expression.key === null) throw new TemplateError('[] has no value')
      return memberOf(evaluate(expression.of, env), evaluate(expression.key, env))
    case 'not':
      return !truthy(evaluate(expression.of, env))
    case 'negative':
      return -numberOf(evaluate(expression.of, env)) || 0
    case 'cast':
      return cast(evaluate(expression.of, env), expression.to)
    case 'binary':
      return binary(expression, env)
    case 'ternary': {
      const condition = evaluate(expression.condition, env)
      if (!truthy(condition)) return evaluate(expression.otherwise, env)
      return expression.then === null ? condition : evaluate(expression.then, env)
    }
    case 'list':
      return listValue(expression.items, env)
    case 'joined': {
      let text = ''
      for (const part of expression.parts) text = joined(text, textOf(evaluate(part, env)), env)
      return text
    }
    case 'call':
      return run(FUNCTIONS.get(expression.name), expression.args, env)
    case 'method':
      return run(METHODS.get(expression.name), [expression.of, ...expression.args], env)
    case 'changing': {
      const { place, args } = expression
      const before = evaluate(readOf(place), env)
      const outcome = run(CHANGING.get(expression.name), [{ kind: 'value', value: before }, ...args], env)
      if (!isItems(outcome)) return null
      assign(place, outcome.get('list') ?? null, env)
      return outcome.get('value') ?? null
    }
    case 'function':
      throw new TemplateError('A function can only be an argument')
    case 'assign':
      return assigned(expression, env)
    case 'unpack':
      return unpacked(expression, env)
    case 'match':
      return matched(expression, env)
  }
}

/** A call. A function among the arguments, or the name of one where that is allowed, is handed over as `apply`. */
function run(called: TemplateFunction | undefined, args: readonly Expression[], env: Environment): Value {
  if (called === undefined) throw new TemplateError('Unknown function')
  const values = args.map((arg) => (arg.kind === 'function' ? null : evaluate(arg, env)))
  for (const value of values) env.budget.read(value)
  const given = args.find((arg) => arg.kind === 'function')
  const apply =
    given?.kind === 'function' ? applied(given, env) : called.takes === 'function or name' ? byName(values, env) : null
  return called.run(values, { budget: env.budget, now: env.now, pageUrl: env.pageUrl, apply })
}

type Apply = (args: readonly Value[]) => Value

/** A function of the template: its parameters hide variables of the same names while it runs. */
function applied({ params, body }: Extract<Expression, { kind: 'function' }>, env: Environment): Apply {
  return (args) => {
    const hidden = params.map((name) => env.variables.get(name))
    for (const [i, name] of params.entries()) env.variables.set(name, args[i] ?? null)
    const result = evaluate(body, env)
    for (const [i, name] of params.entries()) {
      const before = hidden[i]
      if (before === undefined) env.variables.delete(name)
      else env.variables.set(name, before)
    }
    return result
  }
}

/** The function of the language that one of the values names, such as `array_map('strtoupper', $list)`. */
function byName(values: readonly Value[], env: Environment): Apply | null {
  for (const value of values) {
    const named = typeof value === 'string' ? FUNCTIONS.get(value.toLowerCase()) : undefined
    if (named !== undefined && named.takes === undefined)
      return (args) => {
        env.budget.spend()
        return named.run(args.slice(0, Math.min(args.length, named.most)), { ...env, apply: null })
      }
  }
  return null
}

function assigned({ place, op, value, before }: Extract<Expression, { kind: 'assign' }>, env: Environment): Value {
  const old = op === null ? null : evaluate(readOf(place), env)
  if (op === '??' && old !== null) return old
  const given = evaluate(value, env)
  const next =
    op === null || op === '??'
      ? given
      : binary({ kind: 'binary', op, left: { kind: 'value', value: old }, right: { kind: 'value', value: given } }, env)
  assign(place, next, env)
  return before ? old : next
}

function assign({ name, keys }: Place, value: Value, env: Environment): void {
  const path = keys.map((key) => (key === null ? undefined : evaluate(key, env)))
  env.variables.set(name, changed(env.variables.get(name) ?? null, path, value, env.budget))
}

function unpacked({ places, value }: Extract<Expression, { kind: 'unpack' }>, env: Environment): Value {
  const given = evaluate(value, env)
  let next = 0
  for (const { key, place } of places) {
    const name = key === null ? next++ : evaluate(key, env)
    if (place !== null) assign(place, memberOf(given, name), env)
  }
  return given
}

function matched({ subject, arms }: Extract<Expression, { kind: 'match' }>, env: Environment): Value {
  const value = evaluate(subject, env)
  const spend = (): void => env.budget.spend()
  const arm =
    arms.find(({ when }) => when?.some((each) => same(evaluate(each, env), value, spend)) === true) ??
    arms.find(({ when }) => when === null)
  if (arm === undefined)
    throw new TemplateError(`match has no arm for ${isItems(value) ? 'an array' : textOf(value) || 'this value'}`)
  return evaluate(arm.value, env)
}

function memberOf(of: Value, key: Value): Value {
  if (isItems(of)) return of.get(keyOf(key)) ?? null
  // `$text[0]`
  if (typeof of !== 'string' || typeof key !== 'number') return null
  return of.at(Math.trunc(key)) ?? null
}

function cast(value: Value, to: CastType): Value {
  if (to === 'string') return textOf(value)
  if (to === 'bool') return truthy(value)
  const n = numberOf(value)
  return to === 'float' ? n : Number.isFinite(n) ? Math.trunc(n) || 0 : 0
}

function joined(a: string, b: string, { budget }: Environment): string {
  budget.text(a.length + b.length)
  return a + b
}

function listValue(items: Extract<Expression, { kind: 'list' }>['items'], env: Environment): Value {
  const list = new Map<string, Value>()
  let next = 0
  for (const { key, value } of items) {
    const name = key === null ? String(next) : keyOf(evaluate(key, env))
    list.set(name, evaluate(value, env))
    if (/^\d{1,15}$/.test(name)) next = Math.max(next, Number(name) + 1)
  }
  return list
}

function binary({ op, left, right }: Extract<Expression, { kind: 'binary' }>, env: Environment): Value {
  const a = evaluate(left, env)
  if (op === '??') return a ?? evaluate(right, env)
  if (op === '&&' || op === 'and') return truthy(a) && truthy(evaluate(right, env))
  if (op === '||' || op === 'or') return truthy(a) || truthy(evaluate(right, env))
  const b = evaluate(right, env)
  if (op === '.') return joined(textOf(a), textOf(b), env)
  return operate(op, a, b, env)
}

type Plain = Exclude<Operator, '??' | '&&' | '||' | 'and' | 'or' | '.'>

function operate(op: Plain, a: Value, b: Value, { budget }: Environment): Value {
  const spend = (): void => budget.spend()
  budget.read(a)
  budget.read(b)
  switch (op) {
    case 'xor':
      return truthy(a) !== truthy(b)
    case '===':
      return same(a, b, spend)
    case '!==':
      return !same(a, b, spend)
    case '==':
      return compare(a, b, spend) === 0
    case '!=':
      return compare(a, b, spend) !== 0
    case '<':
      return compare(a, b, spend) < 0
    case '<=':
      return compare(a, b, spend) <= 0
    case '>':
      return compare(a, b, spend) > 0
    case '>=':
      return compare(a, b, spend) >= 0
    case '<=>':
      return Math.sign(compare(a, b, spend)) || 0
    case '+':
      if (isItems(a) && isItems(b)) return new Map([...a, ...[...b].filter(([key]) => !a.has(key))])
      return arithmetic(op, numberOf(a), numberOf(b))
    default:
      return arithmetic(op, numberOf(a), numberOf(b))
  }
}

type Arithmetic = '+' | '-' | '*' | '/' | '%' | '**' | '|' | '&' | '^' | '<<' | '>>'

/** Bits are those of 32-bit integers. */
function arithmetic(op: Arithmetic, a: number, b: number): number {
  if (op === '**') return a ** b
  if (op === '|') return a | b
  if (op === '&') return a & b
  if (op === '^') return a ^ b
  if (op === '<<') return a << b
  if (op === '>>') return a >> b
  if (op === '+') return a + b
  if (op === '-') return a - b
  if (op === '*') return a * b
  if (b === 0 || (op === '%' && Math.trunc(b) === 0)) throw new TemplateError('Division by zero')
  return op === '/' ? a / b : Math.trunc(a) % Math.trunc(b) || 0
}
