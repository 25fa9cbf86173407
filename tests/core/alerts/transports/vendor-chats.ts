import { list, members, str, time, uri } from './receiver.ts'
import { SECRET } from './support.ts'
import { json, KEY, plain, type Vendor } from './vendor.ts'

// Incoming webhooks; block kit reference: header 150, section text 3000.
const slackBlock = {
  oneOf: [
    members({
      type: { const: 'header' },
      text: members({ type: { const: 'plain_text' }, text: str(150, 1), emoji: { type: 'boolean' } }),
    }),
    members({ type: { const: 'section' }, text: members({ type: { const: 'mrkdwn' }, text: str(3000, 1) }) }),
    members({
      type: { const: 'context' },
      elements: list(members({ type: { const: 'plain_text' }, text: str(3000, 1), emoji: { type: 'boolean' } }), 10),
    }),
    members({
      type: { const: 'actions' },
      elements: list(
        members({
          type: { const: 'button' },
          text: members({ type: { const: 'plain_text' }, text: str(75, 1) }),
          url: uri,
        }),
        25,
      ),
    }),
  ],
}
const colour = { type: 'string', pattern: '^#[0-9a-f]{6}$' }

const cardItem = {
  oneOf: [
    members({
      type: { const: 'TextBlock' },
      text: str(20_000),
      'size?': { const: 'Large' },
      'weight?': { const: 'Bolder' },
      wrap: { const: true },
      'color?': { enum: ['good', 'warning', 'attention'] },
    }),
    members({ type: { const: 'FactSet' }, facts: list(members({ title: str(100, 1), value: str(1000) }), 10) }),
  ],
}

/** The query of a Google Chat webhook, as it is issued. */
const SPACE = `/v1/spaces/AAAA/messages?key=${SECRET}&token=${SECRET}`

/** Chats of teams. */
export const CHATS: readonly Vendor[] = [
  {
    kind: 'slack',
    octets: null,
    settings: (url) => ({ url: `${url}/services/T0/B0/${SECRET}`, channel: '#noc', icon_emoji: ':bell:' }),
    migrated: (url) => ({
      'slack-url': `${url}/services/T0/B0/${SECRET}`,
      'slack-channel': '#noc',
      'slack-author': 'LibreNMS',
      'slack-icon_emoji': ':bell:',
    }),
    method: 'POST',
    path: `/services/T0/B0/${SECRET}`,
    headers: { 'content-type': 'application/json' },
    schema: members({
      text: str(40_000, 1),
      attachments: list(members({ color: colour, blocks: list(slackBlock, 50) }), 100),
      'channel?': str(80, 1),
      'username?': str(80, 1),
      'icon_emoji?': { type: 'string', pattern: '^:.*:$' },
    }),
    good: plain('ok'),
  },
  {
    kind: 'mattermost',
    octets: null,
    settings: (url) => ({ url: `${url}/hooks/${SECRET}`, channel: 'noc', username: 'Portlight' }),
    migrated: (url) => ({
      'mattermost-url': `${url}/hooks/${SECRET}`,
      'mattermost-channel': 'noc',
      'mattermost-username': 'x',
    }),
    method: 'POST',
    path: `/hooks/${SECRET}`,
    headers: { 'content-type': 'application/json' },
    schema: members({
      attachments: list(
        members({ fallback: str(4000), color: colour, title: str(1000, 1), 'title_link?': uri, text: str(4000) }),
        10,
      ),
      'channel?': str(100, 1),
      'username?': str(64, 1),
      'icon_url?': uri,
    }),
    good: plain('ok'),
  },
  {
    kind: 'discord',
    octets: null,
    settings: (url) => ({ url: `${url}/api/webhooks/1/${SECRET}`, username: 'Portlight' }),
    migrated: (url) => ({
      url: `${url}/api/webhooks/1/${SECRET}`,
      options: 'username=x\navatar_url=https://example.net/a.png',
      'discord-embed-fields': 'hostname severity',
    }),
    method: 'POST',
    path: `/api/webhooks/1/${SECRET}`,
    headers: { 'content-type': 'application/json' },
    schema: members({
      'username?': str(80, 1),
      'avatar_url?': uri,
      allowed_mentions: members({ parse: { const: [] } }),
      embeds: list(
        members({
          title: str(256, 1),
          description: str(4096),
          color: { type: 'integer', minimum: 0, maximum: 0xff_ff_ff },
          timestamp: time,
          'url?': uri,
          fields: list(members({ name: str(256, 1), value: str(1024, 1), inline: { type: 'boolean' } }), 25),
        }),
        10,
      ),
    }),
    good: () => new Response(null, { status: 204 }),
  },
  {
    kind: 'msteams',
    octets: 28000,
    settings: (url) => ({ url: `${url}/workflows/${SECRET}/triggers/manual/paths/invoke?sig=${SECRET}` }),
    migrated: (url) => ({
      'msteam-url': `${url}/workflows/${SECRET}/triggers/manual/paths/invoke?sig=${SECRET}`,
      'use-json': 'on',
    }),
    method: 'POST',
    path: `/workflows/${SECRET}/triggers/manual/paths/invoke?sig=${SECRET}`,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    schema: members({
      type: { const: 'message' },
      attachments: list(
        members({
          contentType: { const: 'application/vnd.microsoft.card.adaptive' },
          contentUrl: { type: 'null' },
          content: members({
            $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
            type: { const: 'AdaptiveCard' },
            version: { const: '1.4' },
            msteams: members({ width: { const: 'Full' } }),
            body: list(cardItem, 20),
            'actions?': list(members({ type: { const: 'Action.OpenUrl' }, title: str(20, 1), url: uri }), 6),
          }),
        }),
        1,
      ),
    }),
    good: plain('', 202),
  },
  {
    kind: 'googlechat',
    octets: 32_000,
    settings: (url) => ({ url: `${url}${SPACE}` }),
    migrated: (url) => ({ 'googlechat-webhook': `${url}${SPACE}` }),
    method: 'POST',
    path: `${SPACE}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD&requestId=${KEY}`,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    // spaces.messages.create: Message with cardsV2
    schema: members({
      fallbackText: str(4096, 1),
      thread: members({ threadKey: str(4000, 1) }),
      cardsV2: list(
        members({
          cardId: str(64, 1),
          card: members({
            header: members({ title: str(500, 1), subtitle: str(1000, 1) }),
            sections: list(
              members({
                widgets: list(
                  {
                    oneOf: [
                      members({ textParagraph: members({ text: str(30_000, 1) }) }),
                      members({
                        buttonList: members({
                          buttons: list(
                            members({ text: str(50, 1), onClick: members({ openLink: members({ url: uri }) }) }),
                            6,
                          ),
                        }),
                      }),
                    ],
                  },
                  100,
                ),
              }),
              1,
            ),
          }),
        }),
        1,
      ),
    }),
    good: json({ name: 'spaces/AAAA/messages/x', thread: { name: 'spaces/AAAA/threads/x' } }),
  },
  {
    kind: 'webex',
    octets: null,
    settings: (url) => ({ url, token: SECRET, room: 'Y2lzY29zcGFyazovL3Jvb20' }),
    migrated: (url) => ({ url, 'api-token': SECRET, 'room-id': 'Y2lzY29zcGFyazovL3Jvb20', 'use-markdown': '' }),
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    schema: members({ roomId: { const: 'Y2lzY29zcGFyazovL3Jvb20' }, text: str(7439, 1) }),
    good: json({ id: 'x', roomId: 'Y2lzY29zcGFyazovL3Jvb20' }),
  },
  {
    kind: 'rocketchat',
    octets: null,
    settings: (url) => ({ url: `${url}/hooks/1/${SECRET}`, channel: '#noc', emoji: ':bell:' }),
    migrated: (url) => ({
      'rocket-url': `${url}/hooks/1/${SECRET}`,
      'rocket-options': 'channel=#noc\nusername=x\nicon_emoji=:bell:\nicon_url=https://example.net/a.png',
    }),
    method: 'POST',
    path: `/hooks/1/${SECRET}`,
    headers: { 'content-type': 'application/json' },
    schema: members({
      attachments: list(members({ color: colour, title: str(500, 1), 'title_link?': uri, text: str(5000) }), 10),
      'channel?': { const: '#noc' },
      'alias?': str(64, 1),
      'emoji?': { const: ':bell:' },
      'avatar?': uri,
    }),
    good: json({ success: true }),
  },
]
