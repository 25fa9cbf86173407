import { bodyOf, cut, hexColour } from '../format.ts'
import { answered, given, httpKind, postJson } from '../kind.ts'

/** Setting Message_MaxAllowedSize of the server is 5000 unless it was changed. */
const MAX_TEXT = 4500
const MAX_TITLE = 400

export const rocketchat = httpKind({
  name: 'rocketchat',
  was: ['rocket'],
  title: 'Rocket.Chat',
  about:
    'Incoming webhook. Alias and avatar take effect only if the account of the webhook has the permission message-impersonate.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'rocket-url', about: 'URL of the incoming webhook.' },
    channel: {
      type: 'text',
      about: 'Channel (#name) or person (@name) to use instead of that of the webhook.',
    },
    alias: { type: 'text', about: 'Sender name of messages.' },
    emoji: { type: 'text', about: 'Emoji as the icon of messages, for example :bell:.' },
    avatar: { type: 'url', about: 'URL of the icon of messages.' },
  },
  /** LibreNMS stores one setting with a line for each option. */
  adapt({ 'rocket-options': options, ...settings }) {
    const lines = typeof options === 'string' ? options.slice(0, MAX_OPTIONS).split('\n') : []
    const old = Object.fromEntries(
      lines.flatMap((line) => {
        const [, name = '', value = ''] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
        const known = OPTIONS[name]
        return known === undefined || value === '' ? [] : [[known, value]]
      }),
    )
    return { ...old, ...settings }
  },
  request(notification, { url, channel, alias, emoji, avatar }) {
    const title = cut(notification.title, MAX_TITLE)
    const attachment = {
      color: hexColour(notification),
      title,
      ...(notification.url === null ? {} : { title_link: notification.url }),
      text: cut(quiet(bodyOf(notification)), MAX_TEXT),
    }
    return postJson(url, { ...given({ channel, alias, emoji, avatar }), attachments: [attachment] })
  },
  /** A refusal can have status 200. */
  judge(response) {
    if (response.status !== 200 || answered(response)?.['success'] !== false) return null
    return { kind: 'refused', reason: 'the receiver refused the message (success: false)' }
  },
})

const MAX_OPTIONS = 4096
const OPTIONS: Readonly<Record<string, string>> = {
  channel: 'channel',
  username: 'alias',
  alias: 'alias',
  icon_emoji: 'emoji',
  emoji: 'emoji',
  icon_url: 'avatar',
  avatar: 'avatar',
}

/** Breaks mentions, so that text from a device cannot mention anyone. */
const quiet = (text: string): string => text.replaceAll(/@(?=all\b|here\b)/gi, '@\u200b')
