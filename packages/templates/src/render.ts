import { Budget, type TemplateLimits } from './budget.ts'
import { escapeHtml } from './escapes.ts'
import { type Environment, evaluate } from './evaluate.ts'
import { type Expression, faultAt, type Part, type Template, TemplateError, type TemplateFault } from './tree.ts'
import { fromJson, isItems, keyValue, textOf, truthy, type Value } from './value.ts'

/** How a template is rendered. */
export interface RenderOptions extends Partial<TemplateLimits> {
  /** `html`: `{{ }}` escapes its value. `text`: it does not. `{!! !!}` never does. */
  readonly output: 'text' | 'html'
  /** Epoch ms, for `time()`, `date()` and `strtotime()`. */
  readonly now: number
  /** URL of the graph that these members describe; null: there is none. */
  readonly graphUrl?: (members: ReadonlyMap<string, string>) => string | null
  /** URL of a page of the program, by its path without the first slash. */
  readonly pageUrl?: (path: string) => string | null
}

const MAX_STEPS = 200_000
const MAX_OUTPUT = 200_000

/**
 * Renders a template. `context`: JSON values by the names of the variables. Never throws. Limits are 200,000 steps and
 * 200,000 characters unless `options` says otherwise.
 */
export function renderTemplate(
  template: Template,
  context: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): { readonly kind: 'rendered'; readonly text: string } | TemplateFault {
  const { steps = MAX_STEPS, length = MAX_OUTPUT } = options
  const state: State = {
    budget: new Budget({ steps, length }),
    now: options.now,
    variables: new Map(Object.entries(context).map(([name, value]) => [name, fromJson(value)])),
    html: options.output === 'html',
    graphUrl: options.graphUrl ?? (() => null),
    pageUrl: options.pageUrl ?? (() => null),
    pieces: [],
    length: 0,
    most: length,
    at: 0,
  }
  try {
    renderParts(template.parts, state)
    return { kind: 'rendered', text: state.pieces.join('') }
  } catch (error) {
    if (error instanceof TemplateError) return faultAt(template.text, error.at ?? state.at, error.message)
    throw error
  }
}

interface State extends Environment {
  readonly html: boolean
  readonly graphUrl: (members: ReadonlyMap<string, string>) => string | null
  readonly pieces: string[]
  length: number
  readonly most: number
  /** The part being rendered. */
  at: number
}

/** Why rendering left a list of parts early. */
type Left = 'break' | 'continue' | null

function renderParts(parts: readonly Part[], state: State): Left {
  for (const part of parts) {
    state.at = part.at
    state.budget.spend()
    const left = renderPart(part, state)
    if (left !== null) return left
  }
  return null
}

function renderPart(part: Part, state: State): Left {
  switch (part.kind) {
    case 'text':
      write(part.text, state)
      return null
    case 'echo': {
      const text = textOf(evaluate(part.value, state))
      write(part.raw || !state.html ? text : escapeHtml(text), state)
      return null
    }
    case 'graph':
      write(graphText(part, state), state)
      return null
    case 'if': {
      const branch = part.branches.find(({ condition }) => condition === null || truthy(evaluate(condition, state)))
      return branch === undefined ? null : renderParts(branch.body, state)
    }
    case 'foreach':
      return renderForeach(part, state)
    case 'while':
      return renderWhile(part, state)
    case 'do':
      evaluate(part.expression, state)
      return null
    case 'switch':
      return renderSwitch(part, state)
    case 'leave':
      return truthy(evaluate(part.condition, state)) ? part.how : null
  }
}

const MAX_URL = 4000

/** The members of the graph at a URL: of its query, or of its path, as in `/graph/type=port_bits/id=7`. */
function graphOfUrl(url: string): Value {
  const text = url.slice(0, MAX_URL).replaceAll('&amp;', '&')
  const query = text.includes('?')
    ? text.slice(text.indexOf('?') + 1).replace(/#.*$/, '')
    : text
        .split('/')
        .filter((part) => /^\w+=/.test(part))
        .join('&')
  return fromJson(Object.fromEntries(new URLSearchParams(query)))
}

/** Empty if there is no such graph. */
function graphText({ members, tag }: Extract<Part, { kind: 'graph' }>, state: State): string {
  const value = evaluate(members, state)
  const given = typeof value === 'string' ? graphOfUrl(value) : value
  if (!isItems(given))
    throw new TemplateError('A graph is described by a list (type, id, from, to, width, height) or by its URL')
  state.budget.spend(given.size)
  const url = state.graphUrl(new Map([...given].map(([name, value]) => [name, textOf(value)])))
  if (url === null) return ''
  return tag && state.html ? `<img class="librenms-graph" src="${escapeHtml(url)}">` : url
}

function write(text: string, state: State): void {
  state.length += text.length
  if (state.length > state.most) throw new TemplateError(`More than ${state.most} characters of output`)
  state.pieces.push(text)
}

/** Variables of loops stay after them, as in PHP; `$loop` is that of the loop around. */
function renderForeach(part: Extract<Part, { kind: 'foreach' }>, state: State): Left {
  const list = evaluate(part.list, state)
  if (!isItems(list) || list.size === 0) return renderParts(part.otherwise, state)
  const { variables } = state
  const parent = variables.get('loop') ?? null
  const depth = isItems(parent) ? Number(parent.get('depth')) + 1 : 1
  let index = 0
  for (const [key, value] of list) {
    variables.set('loop', loopOf(index, list.size, depth, parent))
    if (part.key !== null) variables.set(part.key, keyValue(key))
    variables.set(part.value, value)
    state.budget.spend()
    if (renderParts(part.body, state) === 'break') break
    index++
  }
  variables.set('loop', parent)
  return null
}

function loopOf(index: number, count: number, depth: number, parent: Value): Value {
  return new Map<string, Value>([
    ['index', index],
    ['iteration', index + 1],
    ['remaining', count - index - 1],
    ['count', count],
    ['first', index === 0],
    ['last', index === count - 1],
    ['even', index % 2 === 1],
    ['odd', index % 2 === 0],
    ['depth', depth],
    ['parent', parent],
  ])
}

function renderWhile(part: Extract<Part, { kind: 'while' }>, state: State): Left {
  const run = (expression: Expression): Value => {
    state.at = part.at
    return evaluate(expression, state)
  }
  part.first.forEach(run)
  for (let round = 0; (round === 0 && !part.test) || truthy(run(part.condition)); round++) {
    state.budget.spend()
    if (renderParts(part.body, state) === 'break') break
    part.next.forEach(run)
  }
  return null
}

/** A case falls through to the next one unless it ends with @break, as in PHP. */
function renderSwitch(part: Extract<Part, { kind: 'switch' }>, state: State): Left {
  const { budget } = state
  const equal = (value: Expression): Expression => ({ kind: 'binary', op: '==', left: part.subject, right: value })
  let from = part.cases.findIndex(({ value }) => value !== null && truthy(evaluate(equal(value), state)))
  if (from < 0) from = part.cases.findIndex(({ value }) => value === null)
  if (from < 0) return null
  for (const { body } of part.cases.slice(from)) {
    budget.spend()
    const left = renderParts(body, state)
    if (left === 'break') return null
    if (left !== null) return left
  }
  return null
}
