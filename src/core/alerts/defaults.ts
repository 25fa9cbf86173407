import { escapeHtml } from '@portlight/templates/escapes.ts'
import type { AlertContext } from './context.ts'

/** Maximum number of faults listed in mail, and in a chat. */
const MAX_LINES = 20
const MAX_CHAT_LINES = 3

interface Facts {
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** Summaries of faults; none for a recovery. */
  readonly lines: readonly string[]
  /** How many more faults there are. */
  readonly more: number
}

function factsOf(context: AlertContext, most: number): Facts {
  const {
    display,
    hostname,
    ip,
    location,
    name,
    severity,
    elapsed,
    timestamp,
    faults,
    fault_count: count,
    behind,
  } = context
  const device = [display === '' ? hostname : display, ip === null || ip === hostname ? '' : `(${ip})`, location ?? '']
  const shown = context.state === 0 ? [] : faults.slice(0, most)
  const lines = shown.flatMap(({ string }) => (typeof string === 'string' ? [string] : []))
  const rows = [
    ['Device', device.filter((part) => part !== '').join(' ')],
    ['Rule', name],
    ['Severity', severity],
    ['Time', timestamp],
    ['Duration', elapsed],
    ['Behind it', behind === 0 ? '' : `${behind} ${behind === 1 ? 'device' : 'devices'}, unreachable`],
    ['Notes', context.alert_notes],
    ['Faults', lines.length === 0 ? '' : String(count)],
  ] as const
  return { rows: rows.filter(([, value]) => value !== ''), lines, more: lines.length === 0 ? 0 : count - lines.length }
}

/**
 * The text of a notification if no template is mapped to the rule. `url`: page of the alert; null if unknown. `ackUrl`:
 * acknowledges without signing in; null: there is none.
 */
export function defaultText(context: AlertContext, url: string | null, ackUrl: string | null): string {
  const { rows, lines, more } = factsOf(context, MAX_LINES)
  return [
    context.title,
    '',
    ...rows.map(([name, value]) => `${name}: ${value}`),
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(url === null ? [] : ['', url]),
    ...(ackUrl === null ? [] : ['', `Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

/** A shorter text for chats. */
export function defaultChat(context: AlertContext, ackUrl: string | null): string {
  const { lines, more } = factsOf(context, MAX_CHAT_LINES)
  const head = context.elapsed === '' ? context.title : `${context.title} (${context.elapsed})`
  const notes = context.alert_notes === '' ? [] : [context.alert_notes]
  return [
    head,
    ...notes,
    ...lines.map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(ackUrl === null ? [] : [`Acknowledge: ${ackUrl}`]),
  ].join('\n')
}

/** Large enough for a thumb. */
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:bold'

const COLOURS: Readonly<Record<string, string>> = { ok: '#2e7d32', warning: '#b26a00', critical: '#b71c1c' }

/** The text as HTML for mail. `cids`: Content-IDs of its inline images. */
export function defaultHtml(
  context: AlertContext,
  cids: readonly string[],
  url: string | null,
  ackUrl: string | null,
): string {
  const { rows, lines, more } = factsOf(context, MAX_LINES)
  const colour = context.state === 0 ? COLOURS['ok'] : (COLOURS[context.severity] ?? '#37474f')
  const row = ([name, value]: readonly [string, string]) =>
    `<tr><td style="padding:2px 12px 2px 0;color:#607d8b">${name}</td><td>${escapeHtml(value)}</td></tr>`
  return [
    '<div style="font-family:sans-serif;font-size:14px;color:#212121">',
    `<h2 style="font-size:18px;margin:0 0 8px;padding-left:8px;border-left:6px solid ${colour}">${escapeHtml(context.title)}</h2>`,
    `<table style="border-collapse:collapse">${rows.map(row).join('')}</table>`,
    ...(lines.length === 0
      ? []
      : [
          `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}${more > 0 ? `<li>and ${more} more</li>` : ''}</ul>`,
        ]),
    ...(url === null ? [] : [`<p><a href="${escapeHtml(url)}">Open the alert</a></p>`]),
    ...(ackUrl === null ? [] : [`<p><a href="${escapeHtml(ackUrl)}" style="${BUTTON}">Acknowledge</a></p>`]),
    ...cids.map((cid) => `<p><img src="cid:${cid}" alt="graph" style="max-width:100%"></p>`),
    '</div>',
  ].join('\n')
}
