/** Text of a page without the escapes of HTML. */
export const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** All fields of a page's forms with their values, one record a form. */
export async function formsOf(html: string): Promise<Readonly<Record<string, string>>[]> {
  const forms: Record<string, string>[] = []
  let area: { name: string; text: string } | null = null
  let choice: string | null = null
  const put = (name: string | null, value: string) => {
    const form = forms.at(-1)
    if (form !== undefined && name !== null && name !== '') form[name] = unescaped(value)
  }
  const rewriter = new HTMLRewriter()
    .on('form', { element: () => void forms.push({}) })
    .on('form input', {
      element(input) {
        put(input.getAttribute('name'), input.getAttribute('value') ?? '1')
      },
    })
    .on('form textarea', {
      element(textarea) {
        area = { name: textarea.getAttribute('name') ?? '', text: '' }
      },
      text(chunk) {
        if (area === null) return
        area.text += chunk.text
        put(area.name, area.text)
      },
    })
    .on('form select', {
      element(select) {
        choice = select.getAttribute('name')
      },
    })
    .on('form option', {
      element(option) {
        const chosen = option.hasAttribute('selected') || forms.at(-1)?.[choice ?? ''] === undefined
        if (chosen) put(choice, option.getAttribute('value') ?? '')
      },
    })
  await rewriter.transform(new Response(html)).text()
  return forms
}
