import { bodyOf, cut, hexColour } from '../format.ts'
import { given, httpKind, postJson } from '../kind.ts'

/** Posts of older servers have at most 4000 characters, newer ones 16,383. */
const MAX_TEXT = 3900
const MAX_TITLE = 500

export const mattermost = httpKind({
  name: 'mattermost',
  title: 'Mattermost',
  about: 'Incoming webhook. Name, icon and channel take effect only if the server allows webhooks to change them.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'mattermost-url', about: 'URL of the incoming webhook.' },
    channel: { type: 'text', was: 'mattermost-channel', about: 'Channel to use instead of that of the webhook.' },
    username: { type: 'text', was: 'mattermost-username', about: 'Sender name of messages.' },
    icon_url: { type: 'url', was: 'mattermost-icon', about: 'URL of the icon of messages.' },
  },
  request(notification, { url, ...named }) {
    const title = cut(notification.title, MAX_TITLE)
    const attachment = {
      fallback: title,
      color: hexColour(notification),
      title,
      ...(notification.url === null ? {} : { title_link: notification.url }),
      text: cut(quiet(bodyOf(notification)), MAX_TEXT),
    }
    return postJson(url, { attachments: [attachment], ...given(named) }, { 'Idempotency-Key': notification.key })
  },
})

/** Breaks mentions, in the syntax of Mattermost and of Slack, so that text from a device cannot mention anyone. */
const quiet = (text: string): string =>
  text.replaceAll(/@(?=all\b|channel\b|here\b)/gi, '@\u200b').replaceAll('<!', '<\u200b!')
