import { escapeHtml } from '@portlight/templates/escapes.ts'
import type { AlertContext } from './context.ts'

/** Maximum number of faults listed in mail, and in a chat. */
const MAX_LINES = 20
const MAX_CHAT_LINES = 3

interface Facts {
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** A sentence for each fault; what the title leaves out if there is one; none for a recovery. */
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
    proc,
    runbook,
  } = context
  const device = [display === '' ? hostname : display, ip === null || ip === hostname ? '' : `(${ip})`, location ?? '']
  const shown = context.state === 0 ? [] : faults.slice(0, most)
  const sentences = shown.flatMap((fault) => {
    // notifications stored by an earlier version have no sentence
    const said = fault['sentence'] ?? fault['string']
    return typeof said === 'string' && said !== '' ? [said] : []
  })
  const lines = sentences.map((sentence) => withoutTitle(sentence, context)).filter((line) => line !== '')
  const rows = [
    ['Device', device.filter((part) => part !== '').join(' ')],
    ['Rule', name],
    ['Severity', severity],
    ['Time', timestamp],
    ['Duration', elapsed],
    ['Behind it', behind === 0 ? '' : `${behind} ${behind === 1 ? 'device' : 'devices'}, unreachable`],
    ['What to do', proc],
    ['Runbook', runbook ?? ''],
    ['Notes', context.alert_notes],
    ['Faults', sentences.length === 0 ? '' : String(count)],
  ] as const
  const more = sentences.length === 0 ? 0 : count - sentences.length
  return { rows: rows.filter(([, value]) => value !== ''), lines, more }
}

/** What a sentence says beyond the title, beginning with a capital: `Since 14:02, alias: Uplink`. */
function withoutTitle(sentence: string, { problem, title }: AlertContext): string {
  if (problem == null || !title.includes(problem) || !sentence.startsWith(problem)) return sentence
  const rest = sentence.slice(problem.length).replace(/^[\s,]+/, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** The text of a notification if no template is mapped to the rule. `url`: page of the alert; null if unknown. */
export function defaultText(context: AlertContext, url: string | null): string {
  const { rows, lines, more } = factsOf(context, MAX_LINES)
  return [
    context.title,
    '',
    ...rows.map(([name, value]) => `${name}: ${value}`),
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(url === null ? [] : ['', url]),
  ].join('\n')
}

/** A shorter text for chats. */
export function defaultChat(context: AlertContext): string {
  const { lines, more } = factsOf(context, MAX_CHAT_LINES)
  const { title, elapsed, alert_notes: notes, runbook, state } = context
  const mark = lines.length > 1 || more > 0 ? '- ' : ''
  return [
    title,
    ...(state !== 0 || elapsed === '' ? [] : [`It lasted ${elapsed}`]),
    ...(notes === '' ? [] : [notes]),
    ...lines.map((line) => `${mark}${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(runbook == null || state === 0 ? [] : [`Runbook: ${runbook}`]),
  ].join('\n')
}

const COLOURS: Readonly<Record<string, string>> = { ok: '#2e7d32', warning: '#b26a00', critical: '#b71c1c' }

/** The text as HTML for mail. `cids`: Content-IDs of its inline images. */
export function defaultHtml(context: AlertContext, cids: readonly string[], url: string | null): string {
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
    ...cids.map((cid) => `<p><img src="cid:${cid}" alt="graph" style="max-width:100%"></p>`),
    '</div>',
  ].join('\n')
}
