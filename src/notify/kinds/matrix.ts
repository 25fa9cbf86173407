import { httpKind, limited } from '../kind.ts'
import { bodyOf, cutOctets, under } from '../words.ts'

/** An event has at most 65,536 octets; the text is in it twice, once with HTML's escapes. */
const MAX_TEXT = 8000

export const matrix = httpKind({
  name: 'matrix',
  title: 'Matrix',
  about: 'Client-Server API v3. The account must have joined the room, which must not be encrypted.',
  fields: {
    server: { type: 'url', required: true, was: 'matrix-server', about: 'Homeserver, https://matrix.example.net.' },
    room: {
      type: 'text',
      required: true,
      was: 'matrix-room',
      pattern: /^!/,
      example: 'the internal id of a room, which begins with !',
      about: 'Internal room id, !abc:example.net.',
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
    const text = cutOctets(bodyOf(notification), MAX_TEXT)
    const html = `<strong>${escapeHtml(title)}</strong><br>${escapeHtml(text).replaceAll('\n', '<br>')}`
    // The transaction id: the homeserver ignores a repetition.
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(notification.key)}`
    return {
      method: 'PUT',
      url: under(server, path),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({
        msgtype: 'm.text',
        body: `${title}\n${text}`.trim(),
        format: 'org.matrix.custom.html',
        formatted_body: html,
        'm.mentions': {},
      }),
    }
  },
  judge: (response) => limited(response, (body) => body?.['retry_after_ms'], 1),
})

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
