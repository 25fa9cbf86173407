import { bodyOf, cut, cutBody, cutOctets, escapedHtml, under } from '../format.ts'
import { httpKind, limited } from '../kind.ts'

/** An event has at most 65,536 bytes, some of them added by the server; the text is in it twice, once as HTML. */
const MAX_CONTENT = 60_000
const MAX_TEXT = 20_000

export const matrix = httpKind({
  name: 'matrix',
  title: 'Matrix',
  about: 'Client-Server API v3. The account must have joined the room, which must not be encrypted.',
  fields: {
    server: {
      type: 'url',
      required: true,
      was: 'matrix-server',
      about: 'URL of the homeserver, for example https://matrix.example.net.',
    },
    room: {
      type: 'text',
      required: true,
      was: 'matrix-room',
      pattern: /^!/,
      example: 'the internal id of a room, which begins with !',
      about: 'Internal id of the room, for example !abc:example.net.',
    },
    token: {
      type: 'text',
      required: true,
      secret: true,
      was: 'matrix-authtoken',
      about: 'Access token of the account.',
    },
  },
  request(notification, { server, room, token }) {
    const title = cutOctets(notification.title, 1000)
    const text = bodyOf(notification)
    const body = cutBody(Math.min(MAX_TEXT, text.length), MAX_CONTENT, (length) => {
      const shown = cut(text, length)
      return {
        msgtype: 'm.text',
        body: `${title}\n${shown}`.trim(),
        format: 'org.matrix.custom.html',
        formatted_body: `<strong>${escapedHtml(title)}</strong><br>${escapedHtml(shown).replaceAll('\n', '<br>')}`,
        'm.mentions': {},
      }
    })
    // The key is the transaction id: the homeserver ignores a repeated one.
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(notification.key)}`
    return {
      method: 'PUT',
      url: under(server, path),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body,
    }
  },
  judge: (response) => limited(response, (body) => body?.['retry_after_ms'], 1),
})
