import { bodyOf, COLOUR, cut, instant, level } from '../format.ts'
import { httpKind, limited, postJson } from '../kind.ts'

const MAX_TITLE = 256
const MAX_DESCRIPTION = 4096
const MAX_FIELD = 1024
const MAX_USERNAME = 80

export const discord = httpKind({
  name: 'discord',
  title: 'Discord',
  about: 'Webhook of a channel. The notification is sent as an embed.',
  fields: {
    url: { type: 'url', required: true, secret: true, about: 'URL of the webhook.' },
    username: { type: 'text', about: 'Sender name of messages.' },
    options: { type: 'pairs', about: 'Additional members of the message, for example avatar_url=https://...' },
  },
  request(notification, { url, username, options }) {
    const { title, rule, severity, time, key } = notification
    const embed = {
      title: cut(title, MAX_TITLE),
      description: cut(bodyOf(notification), MAX_DESCRIPTION),
      color: COLOUR[level(notification)],
      timestamp: instant(time),
      ...(notification.url === null ? {} : { url: notification.url }),
      // an embed has at most 6000 characters
      fields: [
        { name: 'Device', value: cut(notification.device.called || '-', MAX_FIELD / 2), inline: true },
        { name: 'Rule', value: cut(rule.name || '-', MAX_FIELD / 2), inline: true },
        { name: 'Severity', value: cut(severity || '-', 20), inline: true },
      ],
    }
    const named = username === '' ? {} : { username: cut(username, MAX_USERNAME) }
    // text from a device cannot mention anyone
    const body = { ...options, ...named, embeds: [embed], allowed_mentions: { parse: [] } }
    return postJson(url, body, { 'Idempotency-Key': key })
  },
  judge: (response) => limited(response, (body) => body?.['retry_after'], 1000),
})
