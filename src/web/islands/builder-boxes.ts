import { type Condition, type Group, isUnary, OPERATORS, operatorsOf, toValue, valueText } from './builder-model.ts'
import { isOver, operatorsOver, overFields } from './builder-over.ts'
import { icon, make } from './dom.ts'

const MAX_DEPTH = 18

/** What the boxes of the builder need from it. */
export interface Builder {
  /** Fields by name: their type, and what they mean. */
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly words: string; readonly past: boolean }>
  /** Updates the JSON and draws the rule again; `focus`: the place of the element to be focused. */
  readonly changed: (focus?: string) => void
  /** Updates only the JSON: redrawing would replace the field that is being typed in. */
  readonly typed: () => void
}

/** A group with its conditions and groups; `parent` null: the rule itself. `at` is its place, for the focus. */
export function groupBox(tools: Builder, group: Group, parent: Group | null, depth: number, at: string): HTMLElement {
  const { changed } = tools
  const seg = make('span', { class: 'seg', role: 'group', 'aria-label': 'Match' })
  for (const [condition, label] of [
    ['AND', 'all'],
    ['OR', 'any'],
  ] as const) {
    const button = make(
      'button',
      { type: 'button', 'aria-pressed': String(group.condition === condition), 'data-at': `${at}-${condition}` },
      label,
    )
    button.onclick = () => {
      group.condition = condition
      changed(`${at}-${condition}`)
    }
    seg.append(button)
  }
  const head = make('div', { class: 'gh' }, seg, ' of these match')
  if (parent !== null) {
    head.append(
      remover('Remove the group', () => {
        parent.rules.splice(parent.rules.indexOf(group), 1)
        changed()
      }),
    )
  }
  const holder = make('div', { class: 'grp-box' }, head)
  group.rules.forEach((rule, i) => {
    const here = `${at}-${i}`
    holder.append(
      'condition' in rule ? groupBox(tools, rule, group, depth + 1, here) : conditionLine(tools, rule, group, here),
    )
  })
  const adder = (label: string, add: () => void) => {
    const button = make('button', { class: 'btn s-s bare', type: 'button' }, icon('plus'), label)
    button.onclick = add
    return button
  }
  const acts = make(
    'div',
    {},
    adder('Condition', () => {
      group.rules.push({ id: '', field: '', operator: 'equal', value: '' })
      changed(`${at}-${group.rules.length - 1}-field`)
    }),
  )
  if (depth < MAX_DEPTH) {
    acts.append(
      adder('Group', () => {
        group.rules.push({ condition: 'OR', rules: [{ id: '', field: '', operator: 'equal', value: '' }] })
        changed(`${at}-${group.rules.length - 1}-0-field`)
      }),
    )
  }
  holder.append(acts)
  return holder
}

function conditionLine({ fields, changed, typed }: Builder, rule: Condition, parent: Group, at: string): HTMLElement {
  const field = make('input', {
    class: 'inp',
    list: 'rule-fields',
    value: rule.field,
    'aria-label': 'Field',
    placeholder: 'such as speed, or ports.ifSpeed',
    autocomplete: 'off',
    spellcheck: 'false',
    'data-at': `${at}-field`,
  })
  field.oninput = () => {
    rule.field = field.value.trim()
    rule.id = rule.field
    if (fields.has(rule.field) || rule.field === '') typed()
  }
  // The new field may allow other operators.
  field.onchange = () => changed(`${at}-operator`)
  const operator = make('select', { class: 'inp', 'aria-label': 'Comparison', 'data-at': `${at}-operator` })
  const fitting = operatorsOver(rule) ?? operatorsOf(fields.get(rule.field)?.type ?? 'text')
  for (const name of fitting.includes(rule.operator) ? fitting : [...fitting, rule.operator]) {
    const option = make('option', { value: name }, OPERATORS[name] ?? name)
    option.selected = name === rule.operator
    operator.append(option)
  }
  operator.onchange = () => {
    rule.operator = operator.value
    rule.value = toValue(rule.operator, valueText(rule.value))
    changed(`${at}-${isUnary(rule.operator) ? 'operator' : 'value'}`)
  }
  const value = make('input', {
    class: 'inp',
    value: valueText(rule.value),
    'aria-label': 'Value',
    'data-at': `${at}-value`,
    placeholder: /between$/.test(rule.operator) ? 'low, high' : /in$/.test(rule.operator) ? 'a, b, c' : '',
  })
  value.hidden = isUnary(rule.operator)
  value.oninput = () => {
    rule.value = toValue(rule.operator, value.value)
    typed()
  }
  const words = fields.get(rule.field)?.words ?? ''
  const meaning = make('span', { class: 'hits', title: words }, words)
  const remove = remover('Remove the condition', () => {
    parent.rules.splice(parent.rules.indexOf(rule), 1)
    changed()
  })
  const line = make('div', { class: 'cond' }, field, operator, value.hidden ? make('span') : value, meaning, remove)
  // a history is stored of some fields only
  if (fields.get(rule.field)?.past === true || isOver(rule)) line.append(overFields(rule, at, changed, typed))
  return line
}

function remover(label: string, remove: () => void): HTMLButtonElement {
  const button = make('button', { class: 'icon', type: 'button', 'aria-label': label, title: label }, icon('x'))
  button.onclick = remove
  return button
}
