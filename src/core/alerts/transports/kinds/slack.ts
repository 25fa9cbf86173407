import { bodyOf, cut, cutEscaped, escapedText, hexColour, instant } from '../format.ts'
import { given, httpKind, postJson } from '../kind.ts'

const MAX_HEADER = 150
const MAX_SECTION = 3000
const MAX_FALLBACK = 3000

/** Incoming webhooks. Blocks of Block Kit are in an attachment because only attachments have a colour. */
export const slack = httpKind({
  name: 'slack',
  title: 'Slack',
  about: 'Incoming webhook. Newer webhooks ignore channel, username and icon_emoji.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'slack-url', about: 'URL of the incoming webhook.' },
    channel: { type: 'text', was: 'slack-channel', about: 'Channel to use instead of that of the webhook.' },
    username: { type: 'text', was: 'slack-author', about: 'Sender name of messages.' },
    icon_emoji: { type: 'text', was: 'slack-icon_emoji', about: 'Icon of messages, for example :bell:.' },
  },
  request(notification, { url, channel, username, icon_emoji }) {
    const { title, key, time } = notification
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: cut(title, MAX_HEADER), emoji: false } },
      ...sections(bodyOf(notification)),
      { type: 'context', elements: [{ type: 'plain_text', text: instant(time), emoji: false }] },
      ...(notification.url === null
        ? []
        : [
            {
              type: 'actions',
              elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: notification.url }],
            },
          ]),
    ]
    return postJson(
      url,
      {
        text: cutEscaped(title, MAX_FALLBACK, escapedText),
        attachments: [{ color: hexColour(notification), blocks }],
        ...given({ channel, username, icon_emoji }),
      },
      { 'Idempotency-Key': key },
    )
  },
})

/** Slack refuses an empty section. Text is escaped, so that what a device says cannot mention anyone. */
function sections(text: string) {
  const shown = cutEscaped(text, MAX_SECTION, escapedText)
  return shown.trim() === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: shown } }]
}
