import { list, members, str, time, uri } from './receiver.ts'
import { SECRET } from './support.ts'

/** What a vendor's documentation says about a request. */
export interface Vendor {
  readonly kind: string
  readonly settings: (url: string) => Readonly<Record<string, unknown>>
  /** Settings as LibreNMS stores them; null: it has no such transport, or has no setting for the server. */
  readonly migrated: ((url: string) => Readonly<Record<string, unknown>>) | null
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly schema: object
  /** The vendor's response on success. */
  readonly good: () => Response
  /** Maximum bytes of a body; null: not documented. */
  readonly octets: number | null
}

const ROOM = '!abc:example.net'
const KEY = 'a1b2c3d4-0000-4000-8000-1234567890ab'
const json =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, { status })
const plain =
  (text: string, status = 200) =>
  () =>
    new Response(text, { status })

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

// Alert API v2 of Opsgenie, and the integration events of Jira Service Management
const genieAlert = members({
  message: str(130, 1),
  alias: str(512, 1),
  description: str(15_000),
  entity: str(512),
  source: str(100),
  priority: { enum: ['P1', 'P2', 'P3', 'P4', 'P5'] },
  tags: list(str(50, 1), 20, 0),
  details: { type: 'object', additionalProperties: { type: 'string' } },
})

/** The query of a Google Chat webhook, as it is issued. */
const SPACE = `/v1/spaces/AAAA/messages?key=${SECRET}&token=${SECRET}`

export const VENDORS: readonly Vendor[] = [
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
  {
    kind: 'telegram',
    octets: null,
    settings: (url) => ({ url, token: `123:${SECRET}`, chat_id: '-1001', message_thread_id: '5' }),
    migrated: (url) => ({
      url,
      'telegram-token': `123:${SECRET}`,
      'telegram-chat-id': '-1001',
      'telegram-format': 'Markdown',
    }),
    method: 'POST',
    path: `/bot123:${SECRET}/sendMessage`,
    headers: { 'content-type': 'application/json' },
    schema: members({
      chat_id: str(100, 1),
      'message_thread_id?': { type: 'integer' },
      text: str(4096, 1),
      entities: list(
        members({ type: { const: 'bold' }, offset: { const: 0 }, length: { type: 'integer', minimum: 1 } }),
        100,
      ),
      link_preview_options: members({ is_disabled: { const: true } }),
      disable_notification: { type: 'boolean' },
    }),
    good: json({ ok: true, result: { message_id: 1 } }),
  },
  {
    kind: 'matrix',
    octets: 65536,
    settings: (url) => ({ server: url, room: ROOM, token: SECRET }),
    migrated: (url) => ({
      'matrix-server': url,
      'matrix-room': ROOM,
      'matrix-authtoken': SECRET,
      'matrix-message': 'x',
    }),
    method: 'PUT',
    path: `/_matrix/client/v3/rooms/${encodeURIComponent(ROOM)}/send/m.room.message/${KEY}`,
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    schema: members({
      msgtype: { const: 'm.text' },
      body: str(30_000, 1),
      format: { const: 'org.matrix.custom.html' },
      formatted_body: str(50_000, 1),
      'm.mentions': members({}),
    }),
    good: json({ event_id: '$1' }),
  },
  {
    kind: 'signal',
    octets: null,
    settings: (url) => ({
      url: url.replace('//', `//portlight:${SECRET}@`),
      number: '+431234567',
      recipients: '+437654321, group.abc==',
    }),
    migrated: null,
    method: 'POST',
    path: '/v2/send',
    headers: { authorization: `Basic ${btoa(`portlight:${SECRET}`)}`, 'content-type': 'application/json' },
    // SendMessageV2 of its OpenAPI document
    schema: members({
      number: { const: '+431234567' },
      recipients: { const: ['+437654321', 'group.abc=='] },
      message: str(2000, 1),
      text_mode: { enum: ['normal', 'styled'] },
    }),
    good: json({ timestamp: '1764160000000' }, 201),
  },
  {
    kind: 'twilio',
    octets: null,
    settings: (url) => ({
      url,
      account: 'AC0123',
      key: 'SK0123',
      token: SECRET,
      from: '+15005550006',
      to: '+437654321',
      max_length: '1600',
    }),
    migrated: (url) => ({
      url,
      'twilio-sid': 'AC0123',
      'twilio-token': SECRET,
      'twilio-sender': '15005550006',
      'twilio-to': '+437654321',
    }),
    method: 'POST',
    path: '/2010-04-01/Accounts/AC0123/Messages.json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    schema: members({ To: { const: '+437654321' }, From: { const: '+15005550006' }, Body: str(1600, 1) }),
    good: json({ sid: 'SM0123', status: 'queued', error_code: null }, 201),
  },
  {
    kind: 'ntfy',
    octets: null,
    settings: (url) => ({ url, topic: 'noc-alerts', token: SECRET }),
    migrated: null,
    method: 'POST',
    path: '/',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    schema: members({
      topic: { type: 'string', pattern: '^[-_A-Za-z0-9]{1,64}$' },
      title: str(250, 1),
      message: str(4096, 1),
      priority: { enum: [1, 2, 3, 4, 5] },
      tags: list(str(30, 1), 5),
      'click?': uri,
    }),
    good: json({ id: 'x' }),
  },
  {
    kind: 'gotify',
    octets: null,
    settings: (url) => ({ url: `${url}/gotify/`, token: SECRET }),
    migrated: (url) => ({ 'gotify-server-url': `${url}/gotify`, 'gotify-token': SECRET }),
    method: 'POST',
    path: '/gotify/message',
    headers: { 'x-gotify-key': SECRET, 'content-type': 'application/json' },
    schema: members({
      title: str(1000, 1),
      message: str(20_000, 1),
      priority: { type: 'integer', minimum: 0, maximum: 10 },
      extras: members({
        'client::display': members({ contentType: { const: 'text/plain' } }),
        'client::notification?': members({ click: members({ url: uri }) }),
      }),
    }),
    good: json({ id: 1 }),
  },
  {
    kind: 'pushover',
    octets: null,
    settings: (url) => ({ url, token: SECRET, user: `u${SECRET}`, sound: 'siren' }),
    migrated: (url) => ({ url, appkey: SECRET, userkey: `u${SECRET}`, options: 'ttl=3600' }),
    method: 'POST',
    path: '/1/messages.json',
    headers: { 'content-type': 'application/json' },
    schema: members({
      token: { const: SECRET },
      user: { const: `u${SECRET}` },
      title: str(250, 1),
      message: str(1024, 1),
      timestamp: { type: 'integer', minimum: 1_700_000_000, maximum: 3_000_000_000 },
      priority: { enum: [-2, -1, 0, 1, 2] },
      'sound?': str(30, 1),
      'ttl?': str(10, 1),
      'url?': { ...uri, maxLength: 512 },
    }),
    good: json({ status: 1, request: 'x' }),
  },
  {
    kind: 'pagerduty',
    octets: 512000,
    settings: (url) => ({ url, routing_key: SECRET }),
    migrated: (url) => ({ 'custom-url': `${url}/v2/enqueue`, service_key: SECRET, region: 'US' }),
    method: 'POST',
    path: '/v2/enqueue',
    headers: { 'content-type': 'application/json' },
    schema: members({
      routing_key: { const: SECRET },
      event_action: { const: 'trigger' },
      dedup_key: str(255, 1),
      payload: members({
        summary: str(1024, 1),
        source: str(1024, 1),
        severity: { enum: ['critical', 'error', 'warning', 'info'] },
        timestamp: time,
        component: str(1024),
        class: str(1024),
        custom_details: { type: 'object' },
      }),
      client: str(100, 1),
      'client_url?': uri,
    }),
    good: json({ status: 'success', message: 'Event processed', dedup_key: 'x' }, 202),
  },
  {
    kind: 'opsgenie',
    octets: null,
    settings: (url) => ({ url, key: SECRET, tags: 'network, noc' }),
    migrated: (url) => ({ url, 'genie-url': `https://api.eu.opsgenie.com/v1/json/librenms?apiKey=${SECRET}` }),
    method: 'POST',
    path: '/v2/alerts',
    headers: { authorization: `GenieKey ${SECRET}`, 'content-type': 'application/json' },
    schema: genieAlert,
    good: json({ result: 'Request will be processed', took: 0.1, requestId: 'x' }, 202),
  },
  {
    kind: 'jsm',
    octets: null,
    settings: (url) => ({ url, key: SECRET, tags: 'network, noc' }),
    migrated: null,
    method: 'POST',
    path: '/jsm/ops/integration/v2/alerts',
    headers: { authorization: `GenieKey ${SECRET}`, 'content-type': 'application/json' },
    schema: genieAlert,
    good: json({ result: 'Request will be processed', took: 0.1, requestId: 'x' }, 202),
  },
  {
    kind: 'splunkoncall',
    octets: null,
    settings: (url) => ({
      url: `${url}/integrations/generic/20131114/alert/${SECRET}/$routing_key`,
      routing_key: 'noc',
    }),
    migrated: (url) => ({ 'victorops-url': `${url}/integrations/generic/20131114/alert/${SECRET}/noc` }),
    method: 'POST',
    path: `/integrations/generic/20131114/alert/${SECRET}/noc`,
    headers: { 'content-type': 'application/json' },
    // REST endpoint, and the glossary of incident fields
    schema: members({
      message_type: { enum: ['CRITICAL', 'WARNING', 'INFO', 'ACKNOWLEDGEMENT', 'RECOVERY'] },
      entity_id: str(512, 1),
      entity_display_name: str(1024, 1),
      state_message: str(20_480, 1),
      state_start_time: { type: 'integer', minimum: 1_700_000_000, maximum: 3_000_000_000 },
      monitoring_tool: { const: 'Portlight' },
      host_name: str(1024),
      device: str(1024),
      rule: str(1024),
      severity: str(20),
      'vo_annotate.u.Portlight?': uri,
    }),
    good: json({ result: 'success', entity_id: 'x' }),
  },
  {
    kind: 'alertmanager',
    octets: null,
    settings: (url) => ({ url, username: 'portlight', password: SECRET, labels: 'team=network' }),
    migrated: (url) => ({
      'alertmanager-url': `${url},http://second.example.net:9093`,
      'alertmanager-username': 'portlight',
      'alertmanager-password': SECRET,
      'alertmanager-options': 'team=network\nsource=librenms',
    }),
    method: 'POST',
    path: '/api/v2/alerts',
    headers: { authorization: `Basic ${btoa(`portlight:${SECRET}`)}`, 'content-type': 'application/json' },
    // postableAlerts of its OpenAPI document
    schema: list(
      members({
        labels: {
          type: 'object',
          required: ['alertname'],
          properties: { alertname: str(1000, 1) },
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' },
          additionalProperties: { type: 'string' },
        },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        'startsAt?': time,
        endsAt: time,
        'generatorURL?': uri,
      }),
      1,
    ),
    good: plain(''),
  },
]
