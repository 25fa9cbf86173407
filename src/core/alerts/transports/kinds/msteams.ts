import { bodyOf, cut, cutBody, level } from '../format.ts'
import { again, httpKind, judged } from '../kind.ts'

/** A message has at most 28 KB. */
const MAX_BODY = 27_000
const MAX_TEXT = 20_000
const MAX_TITLE = 500
const COLOURS = { ok: 'good', warning: 'warning', critical: 'attention' } as const

export const msteams = httpKind({
  name: 'msteams',
  title: 'Microsoft Teams',
  about:
    'Workflow "Post to a channel when a webhook request is received". The notification is sent as an Adaptive Card.',
  fields: {
    url: { type: 'url', required: true, secret: true, was: 'msteam-url', about: "URL of the workflow's trigger." },
  },
  request(notification, { url }) {
    const { title, rule, severity, key } = notification
    const facts = [
      { title: 'Device', value: cut(notification.device.called, MAX_TITLE) },
      { title: 'Rule', value: cut(rule.name, MAX_TITLE) },
      { title: 'Severity', value: severity },
    ]
    const chat = bodyOf(notification)
    const content = (length: number) => ({
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
      body: [
        {
          type: 'TextBlock',
          text: cut(title, MAX_TITLE),
          size: 'Large',
          weight: 'Bolder',
          wrap: true,
          color: COLOURS[level(notification)],
        },
        { type: 'FactSet', facts },
        // a single line break is a space in Markdown
        { type: 'TextBlock', text: cut(chat, length).replaceAll('\n', '\n\n'), wrap: true },
      ],
      ...(notification.url === null
        ? {}
        : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: notification.url }] }),
    })
    const card = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null }
    const body = cutBody(Math.min(MAX_TEXT, chat.length), MAX_BODY, (length) => ({
      type: 'message',
      attachments: [{ ...card, content: content(length) }],
    }))
    // without a charset, older webhooks count each character as two bytes
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      Accept: 'application/json',
      'Idempotency-Key': key,
    }
    return { method: 'POST', url, headers, body }
  },
  /** Older webhooks report failures in the body of a response with status 200. */
  judge(response) {
    const [, status] =
      response.status === 200
        ? (/^Webhook message delivery failed with error:.*?(\d{3})/s.exec(response.body) ?? [])
        : []
    if (status === undefined) return null
    return status === '429'
      ? again('the receiver answered 429', null)
      : judged({ ...response, status: Number(status) }, 0)
  },
})
