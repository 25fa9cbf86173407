import {
  type Condition,
  type Group,
  isUnary,
  OPERATORS,
  operatorsOf,
  parseGroup,
  toValue,
  valueText,
} from './builder-model.ts'
import { all, icon, make } from './dom.ts'
import { trier } from './rule-preview.ts'

const MAX_DEPTH = 18

/**
 * The visual builder for the JSON of a rule, which remains the value that is sent. Every change updates the JSON and,
 * after a pause, asks the server what the rule would match.
 */
export function startBuilder(form: HTMLFormElement): void {
  const json = form.querySelector<HTMLTextAreaElement>('textarea[name=builder]')
  const box = form.querySelector<HTMLElement>('[data-builder]')
  const details = form.querySelector<HTMLDetailsElement>('[data-builder-json]')
  if (json === null || box === null || details === null) return
  const fields = new Map(
    all<HTMLOptionElement>('#rule-fields option').map(
      (option) => [option.value, { type: option.dataset['type'] ?? 'text', words: option.label }] as const,
    ),
  )
  const typeOf = (field: string) => fields.get(field)?.type ?? 'text'
  let root = parseGroup(json.value)
  const tryIt = trier(form)

  function draw(focus?: string): void {
    box?.replaceChildren(...(root === null ? [] : [groupBox(root, null, 0, 'top')]))
    if (focus !== undefined) box?.querySelector<HTMLElement>(`[data-at="${focus}"]`)?.focus()
  }
  function changed(focus?: string): void {
    if (json !== null && root !== null) json.value = JSON.stringify(root, null, 1)
    draw(focus)
    tryIt()
  }
  /** Updates only the JSON: redrawing would replace the field that is being typed in. */
  function typed(): void {
    if (json !== null && root !== null) json.value = JSON.stringify(root, null, 1)
    tryIt()
  }

  function groupBox(group: Group, parent: Group | null, depth: number, at: string): HTMLElement {
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
      holder.append('condition' in rule ? groupBox(rule, group, depth + 1, here) : conditionLine(rule, group, here))
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

  function conditionLine(rule: Condition, parent: Group, at: string): HTMLElement {
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
    const fitting = operatorsOf(typeOf(rule.field))
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
    const meaning = make('span', { class: 'hits' }, fields.get(rule.field)?.words ?? '')
    const remove = remover('Remove the condition', () => {
      parent.rules.splice(parent.rules.indexOf(rule), 1)
      changed()
    })
    return make('div', { class: 'cond' }, field, operator, value.hidden ? make('span') : value, meaning, remove)
  }

  json.addEventListener('input', () => {
    root = parseGroup(json.value)
    draw()
    tryIt()
  })
  form.addEventListener('change', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-builder]') === null) tryIt()
  })
  // Pressing Enter in a field of the builder must not save the form.
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  })
  if (root !== null) details.open = false
  box.hidden = false
  draw()
}

function remover(label: string, remove: () => void): HTMLButtonElement {
  const button = make('button', { class: 'icon', type: 'button', 'aria-label': label, title: label }, icon('x'))
  button.onclick = remove
  return button
}
