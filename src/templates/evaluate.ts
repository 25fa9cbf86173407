import type { Budget } from './budget.ts'
import { FUNCTIONS } from './functions.ts'
import { type CastType, type Expression, type Operator, TemplateError } from './tree.ts'
import { compare, isItems, keyOf, numberOf, same, textOf, truthy, type Value } from './value.ts'

/** What expressions are evaluated with. */
export interface Environment {
  readonly budget: Budget
  /** Epoch ms. */
  readonly now: number
  readonly variables: ReadonlyMap<string, Value>
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
    case 'call': {
      const called = FUNCTIONS.get(expression.name)
      if (called === undefined) throw new TemplateError(`Unknown function ${expression.name}()`)
      const args = expression.args.map((arg) => evaluate(arg, env))
      for (const arg of args) env.budget.read(arg)
      return called.run(args, env)
    }
  }
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
    default:
      return arithmetic(op, numberOf(a), numberOf(b))
  }
}

function arithmetic(op: '+' | '-' | '*' | '/' | '%', a: number, b: number): number {
  if (op === '+') return a + b
  if (op === '-') return a - b
  if (op === '*') return a * b
  if (b === 0 || (op === '%' && Math.trunc(b) === 0)) throw new TemplateError('Division by zero')
  return op === '/' ? a / b : Math.trunc(a) % Math.trunc(b) || 0
}
