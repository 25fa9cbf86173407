import { bodyOf, cut, titledText, under } from '../format.ts'
import { answered, httpKind, limited, postJson } from '../kind.ts'

/** Maximum length of a message. */
const MAX_TEXT = 4096
const MAX_TITLE = 500

export const telegram = httpKind({
  name: 'telegram',
  title: 'Telegram',
  about: 'Bot API. Add the bot to the chat first.',
  fields: {
    token: {
      type: 'text',
      required: true,
      secret: true,
      was: 'telegram-token',
      pattern: /^[\w:-]+$/,
      example: 'the token from BotFather',
      about: 'Token of the bot.',
    },
    chat_id: { type: 'text', required: true, was: 'telegram-chat-id', about: 'Id of the chat, or @channel.' },
    message_thread_id: { type: 'text', was: 'message-thread-id', about: 'Id of a topic in the chat.' },
    silent: { type: 'bool', default: false, about: 'Send recoveries without sound.' },
    url: { type: 'url', default: 'https://api.telegram.org', about: 'Server of the Bot API.' },
  },
  problems: ({ message_thread_id: thread }) =>
    /^\d{0,18}$/.test(thread) ? [] : ['message_thread_id: expected a number'],
  request(notification, { token, chat_id, message_thread_id: thread, silent, url }) {
    const title = cut(notification.title.trim(), MAX_TITLE)
    const body = bodyOf(notification).trim()
    const text = titledText(title, body)
    return postJson(under(url, `/bot${token}/sendMessage`), {
      chat_id,
      ...(thread === '' ? {} : { message_thread_id: Number(thread) }),
      text: cut(text, MAX_TEXT),
      // an entity instead of a parse mode, which characters in the text could break; in UTF-16 units
      ...(title === '' ? {} : { entities: [{ type: 'bold', offset: 0, length: title.length }] }),
      link_preview_options: { is_disabled: true },
      disable_notification: silent && notification.kind === 'recovery',
    })
  },
  judge(response) {
    const body = answered(response)
    if (response.status === 200 && body?.['ok'] !== true)
      return { kind: 'refused', reason: 'the receiver is not a Telegram server' }
    return limited(response, () => (body?.['parameters'] as { retry_after?: unknown } | undefined)?.retry_after, 1000)
  },
})
