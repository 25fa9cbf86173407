import { bodyOf, cut, level, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

const MAX_MESSAGE = 10_000
const MAX_TITLE = 500
const PRIORITY = { ok: 2, warning: 5, critical: 8 } as const

export const gotify = httpKind({
  name: 'gotify',
  title: 'Gotify',
  about: 'An application on a Gotify server.',
  fields: {
    url: { type: 'url', required: true, was: 'gotify-server-url', about: 'URL of the server.' },
    token: { type: 'text', required: true, secret: true, was: 'gotify-token', about: 'Token of the application.' },
  },
  request(notification, { url, token }) {
    const extras = {
      'client::display': { contentType: 'text/plain' },
      ...(notification.url === null ? {} : { 'client::notification': { click: { url: notification.url } } }),
    }
    const body = {
      title: cut(notification.title, MAX_TITLE),
      message: cut(bodyOf(notification) || notification.title, MAX_MESSAGE),
      priority: PRIORITY[level(notification)],
      extras,
    }
    return postJson(under(url, '/message'), body, { 'X-Gotify-Key': token })
  },
})
