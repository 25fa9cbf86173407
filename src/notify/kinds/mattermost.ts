import { given, httpKind, postJson } from '../kind.ts'
import { bodyOf, cut, hexColour } from '../words.ts'

/** Posts of older servers have at most 4000 characters, newer ones 16,383. */
const MAX_TEXT = 3900
const MAX_TITLE = 500

export const mattermost = httpKind({
  name: 'mattermost',
  title: 'Mattermost',
  about: 'Incoming webhook. The server must allow webhooks to change name, icon and channel for these to count.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'mattermost-url', about: 'URL of the incoming webhook.' },
    channel: { type: 'text', was: 'mattermost-channel', about: 'Another channel than that of the webhook.' },
    username: { type: 'text', was: 'mattermost-username', about: 'Name that messages are from.' },
    icon_url: { type: 'url', was: 'mattermost-icon', about: 'Picture of messages.' },
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

/** Nobody is mentioned by what a device says, neither in Mattermost's way nor in Slack's, which it takes as well. */
const quiet = (text: string): string =>
  text.replaceAll(/@(?=all\b|channel\b|here\b)/gi, '@\u200b').replaceAll('<!', '<\u200b!')
