import type { AlertContext } from '../domain/alerts/context.ts'
import type { Notification } from '../notify/notification.ts'
import type { Log } from '../observe/log.ts'
import type { OutboxTemplate } from '../store/alerts/outbox.ts'
import { isHtml, textOfHtml } from '../templates/html.ts'
import { parseTemplate } from '../templates/parse.ts'
import { renderTemplate } from '../templates/render.ts'

/** Faults named in a text. */
const MAX_LINES = 20

/** The text of a notification where no template is mapped to the rule. */
export function defaultText(context: AlertContext): string {
  const { display, hostname, ip, location, name, severity, elapsed, timestamp, faults, fault_count: count } = context
  const device = [display === '' ? hostname : display, ip === null || ip === hostname ? '' : `(${ip})`, location ?? '']
  const shown = faults.slice(0, MAX_LINES).flatMap(({ string }) => (typeof string === 'string' ? [string] : []))
  const rest = count - shown.length
  return [
    context.title,
    '',
    `Device: ${device.filter((part) => part !== '').join(' ')}`,
    `Rule: ${name}`,
    `Severity: ${severity}`,
    `Time: ${timestamp}`,
    ...(elapsed === '' ? [] : [`Duration: ${elapsed}`]),
    ...(context.alert_notes === '' ? [] : [`Notes: ${context.alert_notes}`]),
    ...(shown.length === 0 || context.state === 0 ? [] : [`Faults: ${count}`, ...shown.map((line) => `  ${line}`)]),
    ...(shown.length > 0 && rest > 0 && context.state !== 0 ? [`  and ${rest} more`] : []),
  ].join('\n')
}

/**
 * Builds what transports send from a stored context. `template`: texts of people; what cannot be rendered of them is
 * replaced by the default and logged.
 */
export function notificationOf(
  key: string,
  stored: AlertContext,
  template: OutboxTemplate | null,
  log: Log,
): Notification {
  const rendered = template === null ? null : renderedBy(template, stored, log.child({ notification: key }))
  const context = { ...stored, title: rendered?.title ?? stored.title }
  const text = rendered?.text ?? defaultText(context)
  return {
    key,
    kind: context.kind,
    severity: context.severity,
    state: context.state,
    title: context.title,
    text,
    html: rendered?.html ?? null,
    chat: text,
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
    images: [],
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

function renderedBy({ id, template, title, title_rec }: OutboxTemplate, context: AlertContext, log: Log): Rendered {
  // In templates, faults are counted from 1.
  const faults = Object.fromEntries(context.faults.map((fault, i) => [String(i + 1), fault]))
  const render = (part: string, text: string, output: 'text' | 'html', members: object): string | null => {
    const read = parseTemplate(text)
    const alert = { ...context, faults, ...members }
    const result = read.kind === 'fault' ? read : renderTemplate(read, { alert }, { output, now: context.time })
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
