import { escapeHtml } from '@portlight/templates/escapes.ts'
import { BUTTON, headingOf } from '../defaults.ts'
import { instantText } from '../instant.ts'
import type { AlertNotification } from '../transports/notification.ts'
import { type Happened, type Summary, type SummaryLine, summaryOf } from './summary.ts'
import { HEALTH_DEVICE, HEALTH_RULE, type HealthContext } from './transport-health.ts'
import type { ClaimedMessage } from './write-messages.ts'

/** Maximum number of alerts listed in mail, and in a chat. */
const MAX_LINES = 50
const MAX_CHAT_LINES = 10
const MAX_RULES = 10

/** Makes the URL of a path of the program; null if that is not possible. */
type Url = (path: string) => string | null

/** What transports send for a message of several notifications. `ackUrl`: acknowledges its problems; null: there is none. */
export function messageNotification(
  { key, parts, held, formed }: Pick<ClaimedMessage, 'key' | 'parts' | 'held' | 'formed'>,
  url: Url,
  ackUrl: string | null,
): AlertNotification {
  const summary = summaryOf(parts, held)
  const { device, devices, rule, rules } = summary
  const page = url(parts.length === 0 || summary.alertId === 0 ? '/alerts' : listOf(summary))
  return {
    key,
    kind: summary.kind,
    severity: summary.severity,
    state: summary.state,
    title: summary.title,
    text: plainText(summary, page, ackUrl),
    html: html(summary, page, ackUrl),
    chat: chat(summary, ackUrl),
    device: {
      id: device?.id ?? 0,
      hostname: device?.name ?? `${devices} devices`,
      display: device?.name ?? `${devices} devices`,
      called: device?.name ?? `${devices} devices`,
      ip: null,
      location: device?.location ?? null,
      contact: null,
      url: isStored(device) ? url(`/device/${device.id}`) : null,
    },
    rule: { id: rule?.id ?? 0, name: rule?.name ?? `${rules.length} rules` },
    alertId: summary.alertId,
    time: formed,
    url: page,
    ackUrl,
    faults: summary.lines.slice(0, MAX_FAULTS).map(({ what, part }) => ({
      string: lineText({ what, part }),
      alert_id: part.alert_id,
      device_id: part.device_id,
      rule_id: part.rule_id,
      severity: part.severity,
      kind: part.kind,
    })),
    images: [],
  }
}

const MAX_FAULTS = 1000

/** The page of the device if there is one, otherwise the list. */
const listOf = ({ device }: Summary) => (isStored(device) ? `/device/${device.id}` : '/alerts')

/** It is one device, and not what stands for one. */
const isStored = (device: Summary['device']): device is NonNullable<Summary['device']> =>
  device !== null && device.id > 0

const SAYS: Readonly<Record<Happened, string>> = {
  began: '',
  continues: 'still active',
  changed: 'changed',
  acknowledged: 'acknowledged',
  ended: 'recovered',
  passed: 'began and recovered',
}

/** `sw-3: Port down: Gi1/0/17 is down, and 49 more`, `sw-3: Port down: recovered after 2h 5m`. */
function lineText({ what, part }: SummaryLine): string {
  if (part.alert_id === null) return part.title
  const { device, rule, elapsed, faults, lines, note, behind } = part
  const says = SAYS[what]
  const ended = what === 'ended' || what === 'passed'
  const shown = ended ? '' : (lines[0] ?? '')
  const more = faults - 1
  return [
    // a sentence names the device
    shown.startsWith(`${device} `) || shown.startsWith(`${device}:`) ? '' : `${device}: ${rule}`,
    `${says}${ended && elapsed !== '' ? ` after ${elapsed}` : ''}`,
    `${shown}${shown !== '' && more > 0 ? `, and ${more} more` : ''}`,
    behind > 0 && !ended ? `${behind} behind it` : '',
    what === 'acknowledged' ? note : '',
  ]
    .filter((text) => text !== '')
    .join(': ')
}

const moreText = (summary: Summary, shown: number): readonly string[] =>
  summary.lines.length > shown ? [`and ${(summary.lines.length - shown).toLocaleString('en')} more alerts`] : []

function plainText(summary: Summary, url: string | null, ackUrl: string | null): string {
  const { lines, rules, held, title } = summary
  return [
    title,
    '',
    ...(held === null ? [] : [held, '']),
    ...rules.slice(0, MAX_RULES).map(([rule, n]) => `${rule}: ${n}`),
    ...(rules.length > MAX_RULES ? [`and ${rules.length - MAX_RULES} more rules`] : []),
    ...(rules.length > 0 ? [''] : []),
    ...lines.slice(0, MAX_LINES).map((line) => `- ${lineText(line)}`),
    ...moreText(summary, MAX_LINES).map((text) => `- ${text}`),
    ...(url === null ? [] : ['', url]),
    ...(ackUrl === null ? [] : ['', `Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

function chat(summary: Summary, ackUrl: string | null): string {
  const { lines, held, title } = summary
  return [
    title,
    ...(held === null ? [] : [held]),
    ...lines.slice(0, MAX_CHAT_LINES).map((line) => `- ${lineText(line)}`),
    ...moreText(summary, MAX_CHAT_LINES).map((text) => `- ${text}`),
    ...(ackUrl === null ? [] : [`Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

function html(summary: Summary, url: string | null, ackUrl: string | null): string {
  const { lines, rules, held } = summary
  const items = [...lines.slice(0, MAX_LINES).map(lineText), ...moreText(summary, MAX_LINES)]
  return [
    '<div style="font-family:sans-serif;font-size:14px;color:#212121">',
    headingOf(summary),
    ...(held === null ? [] : [`<p>${escapeHtml(held)}</p>`]),
    ...(rules.length === 0
      ? []
      : [
          `<table style="border-collapse:collapse">${rules
            .slice(0, MAX_RULES)
            .map(
              ([rule, n]) =>
                `<tr><td style="padding:2px 12px 2px 0;color:#607d8b">${escapeHtml(rule)}</td><td>${n}</td></tr>`,
            )
            .join('')}</table>`,
        ]),
    `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`,
    ...(url === null ? [] : [`<p><a href="${escapeHtml(url)}">Open the alerts</a></p>`]),
    ...(ackUrl === null ? [] : [`<p><a href="${escapeHtml(ackUrl)}" style="${BUTTON}">Acknowledge</a></p>`]),
    '</div>',
  ].join('\n')
}

/** What transports send about a transport that fails, or works again. */
export function healthNotification(key: string, context: HealthContext, url: Url): AlertNotification {
  const { title, works, transport, type, transportId, since, error, waiting, dead, time } = context
  const page = url('/alerts/transports')
  const lines = [
    `Transport: ${transport}${type === '' ? '' : ` (${type})`}`,
    `${works ? 'Failed' : 'Failing'} since: ${instantText(since)}`,
    ...(error === '' ? [] : [`Last answer: ${error}`]),
    `Notifications that wait for it: ${waiting}`,
    ...(dead === 0 ? [] : [`Given up: ${dead}. To send them again: portlight transport resend --all`]),
    ...(works ? [] : ['To see what the receiver says: portlight transport test']),
  ]
  const text = [title, '', ...lines, ...(page === null ? [] : ['', page])].join('\n')
  return {
    key,
    kind: works ? 'recovery' : 'alert',
    severity: 'critical',
    state: works ? 0 : 1,
    title,
    text,
    html: null,
    chat: [title, ...lines.slice(0, 3).map((line) => `- ${line}`)].join('\n'),
    device: {
      id: 0,
      hostname: 'portlight',
      display: HEALTH_DEVICE,
      called: HEALTH_DEVICE,
      ip: null,
      location: null,
      contact: null,
      url: null,
    },
    rule: { id: 0, name: HEALTH_RULE },
    // of no alert: alerts have positive ids
    alertId: -transportId,
    time,
    url: page,
    ackUrl: null,
    faults: [],
    images: [],
  }
}

/** Whether a stored context is about a transport. */
export const isHealthContext = (context: unknown): context is HealthContext =>
  typeof context === 'object' && context !== null && 'about' in context && context.about === 'path'
