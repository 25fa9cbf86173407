import type { AlertContext } from '../domain/alerts/context.ts'
import type { Notification } from '../notify/notification.ts'

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

/** Builds what transports send from a stored context. */
export function notificationOf(key: string, context: AlertContext): Notification {
  const text = defaultText(context)
  return {
    key,
    kind: context.kind,
    severity: context.severity,
    state: context.state,
    title: context.title,
    text,
    html: null,
    chat: text,
    device: {
      id: context.device_id,
      hostname: context.hostname,
      display: context.display,
      ip: context.ip,
      location: context.location,
    },
    rule: { id: context.rule_id, name: context.name },
    alertId: context.alert_id,
    time: context.time,
    url: null,
    faults: context.faults,
    images: [],
  }
}
