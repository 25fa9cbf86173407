import { bodyOf, cutOctets, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

/** A text has at most 7439 bytes. */
const MAX_OCTETS = 7439
const MAX_TITLE = 500

export const webex = httpKind({
  name: 'webex',
  was: ['ciscospark'],
  title: 'Webex',
  about: 'Messages of a bot. Add the bot to the space first.',
  fields: {
    token: { type: 'text', required: true, secret: true, was: 'api-token', about: 'Access token of the bot.' },
    room: { type: 'text', was: 'room-id', about: 'Id of the space.' },
    email: { type: 'text', about: 'Address of a person to send to instead of a space.' },
    markdown: {
      type: 'bool',
      default: false,
      was: 'use-markdown',
      about: 'The text of the template is Markdown. Without it nothing in the text is interpreted.',
    },
    url: { type: 'url', default: 'https://webexapis.com', about: 'Server.' },
  },
  problems: ({ room, email }) => ((room === '') === (email === '') ? ['expected either room or email'] : []),
  request(notification, { token, room, email, markdown, url }) {
    const title = cutOctets(notification.title.trim(), MAX_TITLE)
    const text = bodyOf(notification).trim()
    const link = notification.url === null ? '' : `\n\n${notification.url}`
    const head = title === '' ? '' : markdown ? `**${title}**\n\n` : `${title}\n\n`
    const free = MAX_OCTETS - Buffer.byteLength(head) - Buffer.byteLength(link)
    const whole = `${head}${cutOctets(text, free)}${link}`.trim() || '-'
    const target = room === '' ? { toPersonEmail: email } : { roomId: room }
    const message = markdown ? { markdown: quiet(whole) } : { text: whole }
    return postJson(under(url, '/v1/messages'), { ...target, ...message }, { Authorization: `Bearer ${token}` })
  },
})

/** Breaks mentions, so that text from a device cannot mention anyone; a character becomes none. */
const quiet = (text: string): string => text.replaceAll('<@', '@')
