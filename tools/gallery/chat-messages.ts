/**
 * What Slack and Microsoft Teams show of the requests that Portlight sends them, as a page. This is a drawing of our own that
 * knows the blocks and elements that `src/core/alerts/transports/kinds` sends, not a screenshot of those programs; what it does
 * not know is an error, so that a new element is not left out of the picture.
 */

type Members = Readonly<Record<string, unknown>>

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const list = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(members) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const unknownElement = (what: string, type: unknown): never => {
  throw new Error(`${what} ${JSON.stringify(type)} cannot be drawn`)
}

/** Addresses as links, the rest as it is. The text is escaped already. */
const linked = (html: string): string => html.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a>${url}</a>`)

/** A message of an incoming webhook: blocks of Block Kit in attachments. */
export function slackHtml(body: unknown): string {
  const attachments = list(members(body)['attachments']).map(({ color, blocks }) => {
    const stripe = /^#[\da-f]{6}$/i.test(text(color)) ? text(color) : '#dddddd'
    return `<div class="stripe" style="border-color:${stripe}">${list(blocks).map(slackBlock).join('')}</div>`
  })
  return message('slack', attachments.join(''))
}

function slackBlock(block: Members): string {
  const { type } = block
  const own = text(members(block['text'])['text'])
  if (type === 'header') return `<h3>${escaped(own)}</h3>`
  // mrkdwn is sent escaped
  if (type === 'section') return `<p>${linked(own)}</p>`
  if (type === 'context')
    return `<p class="faint">${list(block['elements'])
      .map((one) => escaped(text(one['text'])))
      .join(' ')}</p>`
  if (type === 'actions')
    return `<p>${list(block['elements'])
      .map((one) => `<span class="button">${escaped(text(members(one['text'])['text']))}</span>`)
      .join(' ')}</p>`
  return unknownElement('the block', type)
}

const TEAMS_COLOURS: Readonly<Record<string, string>> = { attention: '#a4262c', warning: '#835c00', good: '#237b4b' }

/** A message of a Teams workflow: an Adaptive Card. */
export function teamsHtml(body: unknown): string {
  const cards = list(members(body)['attachments']).map((one) => {
    const { body: elements, actions } = members(one['content'])
    const buttons = list(actions).map(({ title }) => `<span class="button">${escaped(text(title))}</span>`)
    return `<div class="card">${list(elements).map(cardElement).join('')}${buttons.length === 0 ? '' : `<p>${buttons.join(' ')}</p>`}</div>`
  })
  return message('teams', cards.join(''))
}

function cardElement(element: Members): string {
  const { type, size, color } = element
  if (type === 'FactSet') {
    const facts = list(element['facts']).map(
      ({ title, value }) => `<tr><th>${escaped(text(title))}</th><td>${escaped(text(value))}</td></tr>`,
    )
    return `<table>${facts.join('')}</table>`
  }
  if (type !== 'TextBlock') return unknownElement('the element', type)
  const shown = linked(escaped(text(element['text'])))
  if (size === 'Large') return `<h3 style="color:${TEAMS_COLOURS[text(color)] ?? 'inherit'}">${shown}</h3>`
  return shown
    .split('\n\n')
    .map((part) => `<p>${part}</p>`)
    .join('')
}

const message = (app: 'slack' | 'teams', content: string): string =>
  `<article class="${app}"><div class="avatar">P</div><div class="grow"><p><b>Portlight</b> <span class="faint">APP</span></p>${content}</div></article>`

const STYLE = `
  body { margin: 0; padding: 16px; width: 640px; background: #fff; color: #1d1c1d; font: 14px/1.45 Inter, "Liberation Sans", Arial, sans-serif }
  article { display: flex; gap: 10px; padding: 12px 0 } article + article { border-top: 1px solid #e4e4e4 }
  .avatar { width: 36px; height: 36px; border-radius: 6px; background: #1f6feb; color: #fff; font-weight: 700; display: grid; place-items: center; flex: none }
  .teams .avatar { border-radius: 50% } .grow { min-width: 0; flex: 1 }
  p { margin: 2px 0; white-space: pre-wrap; overflow-wrap: anywhere } h3 { margin: 2px 0 6px; font-size: 17px; overflow-wrap: anywhere }
  .faint { color: #6b6b6b; font-size: 12px } a { color: #1264a3 }
  .stripe { border-left: 4px solid; padding: 2px 0 2px 12px; margin-top: 4px; border-radius: 2px }
  .card { border: 1px solid #d8d8d8; border-radius: 6px; padding: 12px; margin-top: 4px }
  .button { display: inline-block; border: 1px solid #b9b9b9; border-radius: 4px; padding: 3px 12px; font-weight: 600; margin-top: 6px }
  th { text-align: left; padding: 0 16px 0 0 } td, th { vertical-align: top }`

/** A page of messages. */
export const messagesPage = (messages: readonly string[]): string =>
  `<!doctype html><meta charset="utf-8"><title>Messages</title><style>${STYLE}</style>${messages.join('')}`
