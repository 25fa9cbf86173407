import { bodyOf, cut, titledText, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

/** Signal shows longer messages as an attachment. */
const MAX_TEXT = 1900
const MAX_TITLE = 300

export const signal = httpKind({
  name: 'signal',
  title: 'Signal',
  about:
    'A signal-cli-rest-api server of your own (POST /v2/send). LibreNMS starts signal-cli itself, so its settings cannot be used.',
  fields: {
    url: { type: 'url', required: true, about: 'URL of the server, with user and password if a proxy asks for them.' },
    number: {
      type: 'text',
      required: true,
      pattern: /^\+\d{5,15}$/,
      example: 'a number that begins with + and the country code',
      about: 'Registered number to send from, for example +4312345678.',
    },
    recipients: {
      type: 'list',
      required: true,
      about: 'Numbers with + and the country code, user names, or ids of groups (group.…).',
    },
  },
  request(notification, { url, number, recipients }) {
    const title = cut(notification.title.trim(), MAX_TITLE)
    const body = bodyOf(notification).trim()
    const link = notification.url === null ? '' : `\n\n${notification.url}`
    const text = titledText(title, body)
    const message = `${cut(text, Math.max(MAX_TITLE, MAX_TEXT - link.length))}${link}`
    return postJson(under(url, '/v2/send'), { number, recipients, message, text_mode: 'normal' })
  },
})
