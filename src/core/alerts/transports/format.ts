import type { AlertNotification } from './notification.ts'

/** Shortens a text to at most `units` UTF-16 units, ending in an ellipsis. Never splits a surrogate pair. */
export function cut(text: string, units: number): string {
  const whole = text.toWellFormed()
  if (whole.length <= units) return whole
  const end = units - 1
  const code = whole.charCodeAt(end - 1)
  return `${whole.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`
}

const encoder = new TextEncoder()

/** Shortens a text to at most `octets` bytes of UTF-8, ending in an ellipsis (3 bytes). */
export function cutOctets(text: string, octets: number): string {
  const whole = text.toWellFormed()
  // a UTF-16 unit takes at most 3 bytes
  if (whole.length * 3 <= octets || encoder.encode(whole).length <= octets) return whole
  const { read } = encoder.encodeInto(whole, new Uint8Array(Math.max(0, octets - 3)))
  return `${whole.slice(0, read)}…`
}

/** The level that receivers show for a notification; a recovery is `ok`. */
export function level({ kind, state, severity }: AlertNotification): 'ok' | 'warning' | 'critical' {
  if (kind === 'recovery' || (kind !== 'test' && state === 0)) return 'ok'
  return severity === 'ok' || severity === 'warning' ? severity : 'critical'
}

/** Colours of chat messages by level, as numbers. */
export const COLOUR = { ok: 0x2e_a0_43, warning: 0xd2_99_22, critical: 0xcf_22_2e } as const
export const hexColour = (notification: AlertNotification): string =>
  `#${COLOUR[level(notification)].toString(16).padStart(6, '0')}`

/** The text for chats without its first line if that is the title, which chats show separately. */
export function bodyOf({ title, chat }: AlertNotification): string {
  return chat.startsWith(`${title}\n`) ? chat.slice(title.length).trim() : chat
}

/** Title and body for receivers that show one text; a dash if both are empty, which they refuse. */
export function titledText(title: string, body: string): string {
  return title === '' || body === '' ? title || body || '-' : `${title}\n${body}`
}

/** Escapes the characters that begin elements and entities, for HTML and what is like it. */
export const escapedText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The same for attributes too. */
export const escapedHtml = (text: string): string => escapedText(text).replaceAll('"', '&quot;')

/** Identifies the alert at receivers that track its state; the same in all its notifications. */
export const alertKey = (prefix: string, { alertId, key, kind }: AlertNotification): string =>
  kind === 'test' ? `${prefix}-test-${key}` : `${prefix}-alert-${alertId}`

/** An instant as RFC 3339, UTC. */
export const instant = (ms: number): string => new Date(ms).toISOString()

/** The name by which programs that receive a notification know a device; people read `device.called`. */
export const deviceName = ({ device }: AlertNotification): string =>
  device.display === '' ? device.hostname : device.display

export const basicAuth = (username: string, password: string): Readonly<Record<string, string>> =>
  username === '' ? {} : { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }

/** Appends a path to a base URL, with or without trailing slashes. */
export const under = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`

/** Escapes a text and shortens it so that the escaped text has at most `units` UTF-16 units. */
export function cutEscaped(text: string, units: number, escaped: (text: string) => string): string {
  let room = units
  for (;;) {
    const result = escaped(cut(text, room))
    if (result.length <= units || room <= 1) return result.slice(0, units)
    room = Math.max(1, Math.min(room - 1, Math.floor((room * units) / result.length)))
  }
}

/** A JSON body of at most `octets` bytes. `build` gets the maximum length of the text in it, beginning with `units`. */
export function cutBody(units: number, octets: number, build: (units: number) => unknown): string {
  let room = Math.max(1, units)
  for (;;) {
    const body = JSON.stringify(build(room))
    const size = encoder.encode(body).length
    if (size <= octets || room <= 1) return body
    room = Math.max(1, Math.min(room - 1, Math.floor((room * octets) / size)))
  }
}
