import { alertKey, bodyOf, cut, cutBody, escapedText } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

/** A message has at most 32,000 bytes. */
const MAX_BODY = 31_000
const MAX_TEXT = 20_000
const MAX_TITLE = 500
const MAX_THREAD = 4000

/** Messages of a webhook; those of one alert are in one thread. The text is a card, in which nobody can be mentioned. */
export const googlechat = httpKind({
  name: 'googlechat',
  title: 'Google Chat',
  about: 'Incoming webhook of a space. The messages of one alert form a thread.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'googlechat-webhook', about: 'URL of the webhook.' },
    thread: {
      type: 'text',
      default: 'portlight',
      about: 'Prefix of thread keys. Use a different one for each Portlight installation.',
    },
  },
  request(notification, { url, thread }) {
    const title = cut(notification.title, MAX_TITLE)
    const text = bodyOf(notification)
    const target = new URL(url)
    target.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    // a message with a known id is returned and not posted again
    target.searchParams.set('requestId', notification.key)
    const link = notification.url
    const body = cutBody(Math.min(MAX_TEXT, text.length), MAX_BODY, (length) => ({
      fallbackText: title,
      thread: { threadKey: cut(alertKey(thread, notification), MAX_THREAD) },
      cardsV2: [
        {
          cardId: 'alert',
          card: {
            header: {
              title,
              subtitle: cut(`${notification.device.called} · ${notification.severity}`, MAX_TITLE),
            },
            sections: [
              {
                widgets: [
                  { textParagraph: { text: escaped(cut(text, length)).trim() || '-' } },
                  ...(link === null
                    ? []
                    : [{ buttonList: { buttons: [{ text: 'Open', onClick: { openLink: { url: link } } }] } }]),
                ],
              },
            ],
          },
        },
      ],
    }))
    return { ...postJson(target.href, null), headers: { 'Content-Type': 'application/json; charset=UTF-8' }, body }
  },
})

/** Paragraphs are simple HTML. */
const escaped = (text: string): string => escapedText(text).replaceAll('\n', '<br>')
