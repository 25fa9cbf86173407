import type { Log } from '../../observe/log.ts'
import { calledDevice } from '../base/device-name.ts'
import type { AlertContext } from './context.ts'
import { defaultChat, defaultHtml, defaultText } from './defaults.ts'
import type { GraphUrl } from './signed-graphs.ts'
import { type Rendered, renderedBy } from './templates/render.ts'
import type { AlertNotification } from './transports/notification.ts'
import type { OutboxTemplate } from './write-outbox.ts'

/** What a notification may contain in addition to its texts. */
export interface Shown {
  /** Makes URLs of graphs for templates; null if that is not possible. */
  readonly graphUrl: GraphUrl | null
  /** URL of the alert's page; null if unknown. */
  readonly url: string | null
  /** URL that acknowledges without signing in; null: there is none. */
  readonly ackUrl: string | null
  /** URL of the device's page; null if unknown. */
  readonly deviceUrl: string | null
  /** URL of a path of the program, for templates; null if unknown. */
  readonly pageUrl: (path: string) => string | null
  readonly images: AlertNotification['images']
}

export const NOTHING_SHOWN: Shown = {
  graphUrl: null,
  url: null,
  ackUrl: null,
  deviceUrl: null,
  pageUrl: () => null,
  images: [],
}

/**
 * Builds what transports send from a stored context. `template`: user-defined texts; parts that cannot be rendered are
 * logged and replaced by the default.
 */
export function notificationOf(
  key: string,
  stored: AlertContext,
  template: OutboxTemplate | null,
  log: Log,
  shown: Shown = NOTHING_SHOWN,
): AlertNotification {
  const { url, ackUrl, deviceUrl, images } = shown
  const texts = template === null ? null : rendered(template, stored, log.child({ notification: key }), shown)
  // a template may produce an empty title, which many receivers refuse
  const context = { ...stored, title: texts?.title?.trim() || stored.title }
  const own = texts?.text ?? null
  const html =
    own === null
      ? defaultHtml(
          context,
          images.map(({ cid }) => cid),
          url,
          ackUrl,
        )
      : (texts?.html ?? null)
  return {
    key,
    kind: context.kind,
    severity: context.severity,
    state: context.state,
    title: context.title,
    text: own ?? defaultText(context, url, ackUrl),
    html,
    chat: own ?? defaultChat(context, ackUrl),
    device: {
      id: context.device_id,
      hostname: context.hostname,
      display: context.display,
      called: calledDevice(context),
      ip: context.ip,
      location: context.location,
      contact: context.sysContact ?? null,
      url: deviceUrl,
    },
    rule: { id: context.rule_id, name: context.name },
    alertId: context.alert_id,
    time: context.time,
    url,
    ackUrl,
    faults: context.faults,
    // mail clients show images that the HTML does not refer to as attachments
    images: images.filter(({ cid }) => html?.includes(`cid:${cid}`) === true),
  }
}

function rendered(
  template: OutboxTemplate,
  context: AlertContext,
  log: Log,
  { graphUrl, pageUrl, ackUrl }: Shown,
): Rendered {
  // a member that only templates see, because it is made when the notification is sent
  const members = { ...context, acknowledge_url: ackUrl ?? '' }
  const result = renderedBy(template, members, graphUrl, pageUrl)
  for (const { part, line, column, message: reason } of result.faults)
    log.warn(
      { template: template.id, part, line, column, reason },
      'a template cannot be rendered, sending the default text',
    )
  return result
}
