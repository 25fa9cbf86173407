import { escapeHtml } from '@portlight/templates/escapes.ts'
import { calledDevice } from '../base/device-name.ts'
import type { AlertContext } from './context.ts'

/** Maximum number of faults listed in mail, and in a chat. */
const MAX_LINES = 20
const MAX_CHAT_LINES = 3

interface Facts {
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** A sentence for each fault that the notification is about; what the title leaves out if there is one. */
  readonly lines: readonly string[]
  /** How many more faults there are. */
  readonly more: number
}

function factsOf(context: AlertContext, most: number): Facts {
  const {
    display,
    hostname,
    sysName,
    ip,
    location,
    name,
    severity,
    elapsed,
    timestamp,
    fault_count: count,
    // notifications stored by an earlier version know neither
    behind = 0,
    proc = '',
    runbook,
    state,
  } = context
  const device = [
    calledDevice({ display, hostname, sysName: sysName ?? null }),
    ip === null || ip === hostname ? '' : `(${ip})`,
    location ?? '',
  ]
  const { sentences, all } = saidBy(context)
  const lines = sentences.slice(0, most).map((sentence) => withoutTitle(sentence, context))
  const rows = [
    ['Device', device.filter((part) => part !== '').join(' ')],
    ['Rule', name],
    ['Severity', severity],
    ['Time', timestamp],
    ['Duration', elapsed === '0s' ? '' : elapsed],
    ['Behind it', behind === 0 ? '' : `${behind} ${behind === 1 ? 'device' : 'devices'}, unreachable`],
    ['What to do', proc],
    ['Runbook', runbook ?? ''],
    ['Notes', context.alert_notes],
    ['Faults', state === 0 || count === 0 ? '' : String(count)],
  ] as const
  return {
    rows: rows.filter(([, value]) => value !== ''),
    lines: lines.filter((line) => line !== ''),
    more: Math.max(0, all - lines.length),
  }
}

/** Sentences about the faults that began or are over; if there are none, about all. `all`: how many there are. */
function saidBy(context: AlertContext): { readonly sentences: readonly string[]; readonly all: number } {
  const { faults, fault_count: count, state } = context
  // notifications stored by an earlier version know neither
  const told = [...(context.began ?? []), ...(context.ended ?? [])]
  if (told.length > 0)
    return { sentences: told.map(({ sentence }) => sentence), all: context.began_count + context.ended_count }
  if (state === 0) return { sentences: [], all: 0 }
  const sentences = faults.flatMap((fault) => {
    const said = fault['sentence'] ?? fault['string']
    return typeof said === 'string' && said !== '' ? [said] : []
  })
  return { sentences, all: sentences.length === 0 ? 0 : count }
}

/** What a sentence says beyond the title, beginning with a capital: `Since 14:02, alias: Uplink`. */
function withoutTitle(sentence: string, { problem, title }: AlertContext): string {
  if (problem == null || !title.includes(problem) || !sentence.startsWith(problem)) return sentence
  const rest = sentence
    .slice(problem.length)
    .replace(/^[\s,]+/, '')
    .replace(/^\(([^()]*)\)$/, '$1')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/**
 * The text of a notification if no template is mapped to the rule. `url`: page of the alert; null if unknown. `ackUrl`:
 * acknowledges without signing in; null: there is none.
 */
export function defaultText(context: AlertContext, url: string | null, ackUrl: string | null): string {
  const { rows, lines, more } = factsOf(context, MAX_LINES)
  return [
    context.title,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    ...rows.map(([name, value]) => `${name}: ${value}`),
    ...(url === null ? [] : ['', url]),
    ...(ackUrl === null ? [] : ['', `Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

/** A shorter text for chats. */
export function defaultChat(context: AlertContext, ackUrl: string | null): string {
  const { lines, more } = factsOf(context, MAX_CHAT_LINES)
  const { title, elapsed, alert_notes: notes, runbook, state } = context
  const mark = lines.length > 1 || more > 0 ? '- ' : ''
  return [
    title,
    ...(state !== 0 || elapsed === '' || lines.length > 0 ? [] : [`It lasted ${elapsed}`]),
    ...(notes === '' ? [] : [notes]),
    ...lines.map((line) => `${mark}${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(runbook == null || state === 0 ? [] : [`Runbook: ${runbook}`]),
    ...(ackUrl === null ? [] : [`Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

/** Large enough for a thumb. */
export const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:bold'

const COLOURS: Readonly<Record<string, string>> = { ok: '#2e7d32', warning: '#b26a00', critical: '#b71c1c' }

/** The heading of mail in HTML. */
export function headingOf({ title, severity, state }: Pick<AlertContext, 'title' | 'severity' | 'state'>): string {
  const colour = state === 0 ? COLOURS['ok'] : (COLOURS[severity] ?? '#37474f')
  return `<h2 style="font-size:18px;margin:0 0 8px;padding-left:8px;border-left:6px solid ${colour}">${escapeHtml(title)}</h2>`
}

const LINK = 'display:inline-block;margin:0 8px 8px 0;padding:6px 12px;border:1px solid #90a4ae;border-radius:4px'

/** The text as HTML for mail. `cids`: Content-IDs of its inline images. */
export function defaultHtml(
  context: AlertContext,
  cids: readonly string[],
  url: string | null,
  ackUrl: string | null,
): string {
  const { rows, lines, more } = factsOf(context, MAX_LINES)
  const row = ([name, value]: readonly [string, string]) =>
    `<tr><td style="padding:2px 12px 2px 0;color:#546e7a;vertical-align:top">${name}</td><td>${escapeHtml(value)}</td></tr>`
  const items = [...lines, ...(more > 0 ? [`and ${more} more`] : [])]
  const [only] = items
  const link = (href: string | null, text: string) =>
    href === null ? [] : [`<a href="${escapeHtml(href)}" style="${LINK}">${text}</a>`]
  const links = [...link(url, 'Open the alert'), ...link(context.runbook ?? null, 'Runbook')]
  return [
    '<div style="font-family:sans-serif;font-size:14px;line-height:1.4;color:#212121;max-width:720px">',
    headingOf(context),
    ...(only === undefined
      ? []
      : items.length === 1
        ? [`<p style="margin:0 0 8px">${escapeHtml(only)}</p>`]
        : [
            `<ul style="margin:0 0 8px;padding-left:20px">${items.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
          ]),
    `<table style="border-collapse:collapse;margin-bottom:12px;font-size:14px">${rows
      .filter(([name]) => name !== 'Runbook')
      .map(row)
      .join('')}</table>`,
    ...(links.length === 0 ? [] : [`<p style="margin:0">${links.join('')}</p>`]),
    ...(ackUrl === null ? [] : [`<p><a href="${escapeHtml(ackUrl)}" style="${BUTTON}">Acknowledge</a></p>`]),
    ...cids.map((cid) => `<p><img src="cid:${cid}" alt="graph" style="max-width:100%"></p>`),
    '</div>',
  ].join('\n')
}
