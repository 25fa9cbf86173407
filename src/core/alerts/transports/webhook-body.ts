import type { AlertNotification } from './notification.ts'

/** What webhooks and scripts receive: the notification without its images. */
export type WebhookBody = Omit<AlertNotification, 'images'> & { readonly version: 1 }

export function webhookBody({ images: _, ...notification }: AlertNotification): WebhookBody {
  return { version: 1, ...notification }
}

const text = (description: string) => ({ type: 'string', description })
const orNull = (description: string) => ({ type: ['string', 'null'], description })
const id = (description: string) => ({ type: 'integer', description })

const whole = <T extends Readonly<Record<string, unknown>>>(properties: T) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** JSON Schema (2020-12) of a webhook's body. Members may be added without a new `version`. */
export const WEBHOOK_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Notification',
  description: 'What transports of kind webhook post, and what programs of transports of kind script read.',
  ...whole({
    version: { const: 1 },
    key: text('Idempotency key: the same for every attempt, different for every transport.'),
    kind: {
      enum: ['alert', 'recovery', 'repeat', 'ack', 'worse', 'better', 'changed', 'test'],
      description: 'What happened.',
    },
    severity: { enum: ['ok', 'warning', 'critical'], description: 'Severity of the rule.' },
    state: {
      enum: [0, 1, 2, 3, 4, 5],
      description: '0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed.',
    },
    title: text('One line.'),
    text: text('Plain text.'),
    html: orNull('The text as HTML; null if the template is plain text.'),
    chat: text('Text for chats.'),
    device: whole({
      id: id('0 in tests.'),
      hostname: text('Name or address at which it is polled.'),
      display: text('Display name.'),
      ip: orNull('Address.'),
      location: orNull('Location.'),
      contact: orNull('sysContact.'),
      url: orNull('URL of its page; null if alert.graph_url is not set.'),
    }),
    rule: whole({ id: id('0 in tests.'), name: text('Name.') }),
    alertId: id(
      'Id of the alert: the same from problem to recovery, and for later problems of the same rule and device.',
    ),
    time: id('When it happened, milliseconds since 1970.'),
    url: orNull('URL of the page of the alert; null if alert.graph_url is not set.'),
    ackUrl: orNull('URL that acknowledges the alert without signing in, once; null if there is none.'),
    faults: {
      type: 'array',
      items: { type: 'object' },
      description: 'Matched rows with their columns, and a summary in `string`.',
    },
  }),
} as const
