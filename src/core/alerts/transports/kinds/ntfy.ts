import { basicAuth, bodyOf, cut, cutOctets, level } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

/** A longer message becomes an attached file. */
const MAX_MESSAGE = 4096
const MAX_TITLE = 250
const PRIORITY = { ok: 3, warning: 4, critical: 5 } as const
const TAGS = { ok: 'white_check_mark', warning: 'warning', critical: 'rotating_light' } as const

export const ntfy = httpKind({
  name: 'ntfy',
  title: 'ntfy',
  about: 'ntfy.sh or your own server.',
  fields: {
    url: { type: 'url', default: 'https://ntfy.sh', about: 'Server.' },
    topic: {
      type: 'text',
      required: true,
      secret: true,
      pattern: /^[-_A-Za-z0-9]{1,64}$/,
      example: '1 to 64 letters, digits, - or _',
      about: 'Topic. On servers without access control, anyone who knows the topic can read it.',
    },
    token: { type: 'text', secret: true, about: 'Access token.' },
    username: { type: 'text', about: 'User name, instead of a token.' },
    password: { type: 'text', secret: true, about: 'Password of the user.' },
  },
  request(notification, { url, topic, token, username, password }) {
    const at = level(notification)
    const body = {
      topic,
      title: cut(notification.title, MAX_TITLE),
      message: cutOctets(bodyOf(notification) || notification.title, MAX_MESSAGE),
      priority: PRIORITY[at],
      tags: [TAGS[at]],
      ...(notification.url === null ? {} : { click: notification.url }),
    }
    const auth = token === '' ? basicAuth(username, password) : { Authorization: `Bearer ${token}` }
    return postJson(url, body, auth)
  },
})
