import type { AlertContext } from '../domain/alerts/context.ts'
import type { GraphMembers, GraphUrl } from '../domain/alerts/signed-graphs.ts'
import type { Notification } from '../notify/notification.ts'
import type { Log } from '../observe/log.ts'
import type { OutboxTemplate } from '../store/alerts/outbox.ts'
import { isHtml, textOfHtml } from '../templates/html.ts'
import { parseTemplate } from '../templates/parse.ts'
import { renderTemplate } from '../templates/render.ts'
import { defaultChat, defaultHtml, defaultText } from './defaults.ts'

/** What a notification may show beside its texts. */
export interface Shown {
  /** URLs of graphs in templates; null: none can be made. */
  readonly graphUrl: GraphUrl | null
  readonly images: Notification['images']
}

const NOTHING: Shown = { graphUrl: null, images: [] }

/**
 * Builds what transports send from a stored context. `template`: texts of people; what cannot be rendered of them is
 * replaced by the default and logged.
 */
export function notificationOf(
  key: string,
  stored: AlertContext,
  template: OutboxTemplate | null,
  log: Log,
  { graphUrl, images }: Shown = NOTHING,
): Notification {
  const rendered = template === null ? null : renderedBy(template, stored, log.child({ notification: key }), graphUrl)
  const context = { ...stored, title: rendered?.title ?? stored.title }
  const own = rendered?.text ?? null
  const html =
    own === null
      ? defaultHtml(
          context,
          images.map(({ cid }) => cid),
        )
      : (rendered?.html ?? null)
  return {
    key,
    kind: context.kind,
    severity: context.severity,
    state: context.state,
    title: context.title,
    text: own ?? defaultText(context),
    html,
    chat: own ?? defaultChat(context),
    device: {
      id: context.device_id,
      hostname: context.hostname,
      display: context.display,
      ip: context.ip,
      location: context.location,
      contact: context.sysContact ?? null,
    },
    rule: { id: context.rule_id, name: context.name },
    alertId: context.alert_id,
    time: context.time,
    url: null,
    faults: context.faults,
    // mail programs show images that no text names as attachments
    images: images.filter(({ cid }) => html?.includes(`cid:${cid}`) === true),
  }
}

/** Longer titles are cut. */
const MAX_TITLE = 500

/** Members are null where the default is to be used. */
interface Rendered {
  readonly title: string | null
  readonly text: string | null
  readonly html: string | null
}

function renderedBy(
  { id, template, title, title_rec }: OutboxTemplate,
  context: AlertContext,
  log: Log,
  graphUrl: GraphUrl | null,
): Rendered {
  const urlOf = (members: GraphMembers) => graphUrl?.(members, context.device_id) ?? null
  // In templates, faults are counted from 1.
  const faults = Object.fromEntries(context.faults.map((fault, i) => [String(i + 1), fault]))
  const render = (part: string, text: string, output: 'text' | 'html', members: object): string | null => {
    const read = parseTemplate(text)
    const alert = { ...context, faults, ...members }
    const result =
      read.kind === 'fault' ? read : renderTemplate(read, { alert }, { output, now: context.time, graphUrl: urlOf })
    if (result.kind === 'rendered') return result.text.trim() === '' ? null : result.text
    const { line, column, message: reason } = result
    log.warn({ template: id, part, line, column, reason }, 'a template cannot be rendered, the default text is sent')
    return null
  }
  const heading = (context.state === 0 ? title_rec : title) ?? ''
  const newTitle = render('title', heading, 'text', {})?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE) ?? null
  const members = { title: newTitle ?? context.title }
  if (!isHtml(template)) return { title: newTitle, text: render('template', template, 'text', members), html: null }
  const html = render('template', template, 'html', members)
  return { title: newTitle, text: html === null ? null : textOfHtml(html), html }
}
