import type { AlertContext } from '../domain/alerts/context.ts'
import { type Rendered, renderedBy } from '../domain/alerts/rendered.ts'
import type { GraphUrl } from '../domain/alerts/signed-graphs.ts'
import type { Notification } from '../notify/notification.ts'
import type { Log } from '../observe/log.ts'
import type { OutboxTemplate } from '../store/alerts/outbox.ts'
import { defaultChat, defaultHtml, defaultText } from './defaults.ts'

/** What a notification may show beside its texts. */
export interface Shown {
  /** URLs of graphs in templates; null: none can be made. */
  readonly graphUrl: GraphUrl | null
  /** Page of the alert; null: not known. */
  readonly url: string | null
  /** Page of the device; null: not known. */
  readonly deviceUrl: string | null
  readonly images: Notification['images']
}

const NOTHING: Shown = { graphUrl: null, url: null, deviceUrl: null, images: [] }

/**
 * Builds what transports send from a stored context. `template`: texts of people; what cannot be rendered of them is
 * replaced by the default and logged.
 */
export function notificationOf(
  key: string,
  stored: AlertContext,
  template: OutboxTemplate | null,
  log: Log,
  { graphUrl, url, deviceUrl, images }: Shown = NOTHING,
): Notification {
  const texts = template === null ? null : rendered(template, stored, log.child({ notification: key }), graphUrl)
  // a template may leave nothing of the title, which many receivers refuse
  const context = { ...stored, title: texts?.title?.trim() || stored.title }
  const own = texts?.text ?? null
  const html =
    own === null
      ? defaultHtml(
          context,
          images.map(({ cid }) => cid),
          url,
        )
      : (texts?.html ?? null)
  return {
    key,
    kind: context.kind,
    severity: context.severity,
    state: context.state,
    title: context.title,
    text: own ?? defaultText(context, url),
    html,
    chat: own ?? defaultChat(context),
    device: {
      id: context.device_id,
      hostname: context.hostname,
      display: context.display,
      ip: context.ip,
      location: context.location,
      contact: context.sysContact ?? null,
      url: deviceUrl,
    },
    rule: { id: context.rule_id, name: context.name },
    alertId: context.alert_id,
    time: context.time,
    url,
    faults: context.faults,
    // mail programs show images that no text names as attachments
    images: images.filter(({ cid }) => html?.includes(`cid:${cid}`) === true),
  }
}

function rendered(template: OutboxTemplate, context: AlertContext, log: Log, graphUrl: GraphUrl | null): Rendered {
  const result = renderedBy(template, context, graphUrl)
  for (const { part, line, column, message: reason } of result.faults)
    log.warn(
      { template: template.id, part, line, column, reason },
      'a template cannot be rendered, the default text is sent',
    )
  return result
}
