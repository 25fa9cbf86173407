import { unescaped } from './forms-of.ts'

/** A form as a browser sends it when a button is pressed and nothing was changed. */
export interface SentForm {
  readonly address: string | null
  readonly button: string
  readonly fields: readonly (readonly [string, string])[]
}

interface ReadForm {
  readonly action: string | null
  readonly fields: [string, string][]
  readonly buttons: string[]
  /** Fields that a person can change; a form without any is a button. */
  shown: number
}

/**
 * What a browser sends of the forms of a page that have something to enter, one entry for each button named `do`: of boxes
 * only those that are ticked.
 */
export async function sentForms(html: string): Promise<SentForm[]> {
  const forms: ReadForm[] = []
  const form = () => forms.at(-1)
  let area: [string, string] | null = null
  let choice: { readonly name: string; readonly many: boolean; chosen: boolean; first: string | null } | null = null
  const see = (isShown = true) => {
    const into = form()
    if (into !== undefined && isShown) into.shown++
  }
  const isOff = (element: HTMLRewriterTypes.Element) => element.hasAttribute('disabled')
  await new HTMLRewriter()
    .on('form', {
      element: (element) =>
        void forms.push({ action: element.getAttribute('action'), fields: [], buttons: [], shown: 0 }),
    })
    .on('form input', {
      element(input) {
        const name = input.getAttribute('name') ?? ''
        const type = input.getAttribute('type') ?? 'text'
        if (name === '' || isOff(input) || ['submit', 'button', 'file'].includes(type)) return
        see(type !== 'hidden')
        const isBox = type === 'checkbox' || type === 'radio'
        if (isBox && !input.hasAttribute('checked')) return
        const value = unescaped(input.getAttribute('value') ?? (isBox ? 'on' : ''))
        if (name === 'do') form()?.buttons.push(value)
        else form()?.fields.push([name, value])
      },
    })
    .on('form button', {
      element(button) {
        if (button.getAttribute('name') === 'do') form()?.buttons.push(button.getAttribute('value') ?? '')
      },
    })
    .on('form textarea', {
      element(textarea) {
        see()
        area = [textarea.getAttribute('name') ?? '', '']
        if (!isOff(textarea)) form()?.fields.push(area)
      },
      text(chunk) {
        if (area !== null) area[1] += chunk.text
      },
    })
    .on('form select', {
      element(select) {
        see()
        const name = select.getAttribute('name') ?? ''
        const made = { name, many: select.hasAttribute('multiple'), chosen: false, first: null as string | null }
        choice = name === '' || isOff(select) ? null : made
        const into = form()
        select.onEndTag(() => {
          if (!made.chosen && !made.many && made.first !== null && choice === made)
            into?.fields.push([name, made.first])
        })
      },
    })
    .on('form option', {
      element(option) {
        if (choice === null || isOff(option)) return
        const value = unescaped(option.getAttribute('value') ?? '')
        choice.first ??= value
        if (!option.hasAttribute('selected')) return
        choice.chosen = true
        form()?.fields.push([choice.name, value])
      },
    })
    .transform(new Response(html))
    .text()
  return forms.flatMap(({ action, fields, buttons, shown }) =>
    (shown === 0 ? [] : [...new Set(buttons)]).map((button) => ({
      address: action,
      button,
      // the parser drops the first line break of an area, and a browser sends CRLF
      fields: fields.map(([name, value]) => [name, unescaped(value)] as const),
    })),
  )
}
