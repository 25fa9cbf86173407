import { type DeviceClock, readClock } from '../../syslog/clock.ts'
import { readCisco } from '../../syslog/forms/cisco.ts'
import { readTag } from '../../syslog/forms/hosts.ts'
import { readByForm } from '../../syslog/forms.ts'
import type { Body } from './message.ts'

const HEADER = /^1 (\S{1,64}) {1,2}(\S{1,255}) {1,2}(\S{1,64}) {1,2}(\S{1,128}) {1,2}(\S{1,64}) /
/** Meraki: seconds since 1970 for the time, then device and kind of message. */
const MERAKI = /^1 (\d{9,11})(?:\.(\d{1,9}))? ([\w.-]{1,255}) ([a-z][\w-]{0,40}) (?=\S)/
/** Elements registered with IANA (RFC 5424 §7), which are about the transport. */
const TRANSPORT = /^\[(?:timeQuality|origin|meta)(?= |\])/
const ELEMENT = /^\[[^\s\]="]{1,32}(?= |\])/

/** Parses RFC 5424 §6 after PRI, or what begins like it; null: the text begins in another way. */
export function readModern(text: string): Body | null {
  if (!text.startsWith('1 ')) return null
  // A message may end with its header.
  const head = `${text.slice(0, 800)} `
  const header = HEADER.exec(head)
  const time = header?.[1] === undefined || header[1] === '-' ? null : readClock(header[1], 0)
  if (header === null || (header[1] !== '-' && time?.end !== header[1]?.length)) return meraki(text)
  const [whole, , host = '', app = '', , msgid = ''] = header
  const data = structured(text, whole.length)
  const content = text
    .slice(data.end)
    .trimStart()
    .replace(/^\ufeff/, '')
  const found = app === '-' ? (readCisco(content, false) ?? readByForm(content)) : null
  // The form of a vendor that leaves APP-NAME empty, or else the kind of message
  const said = found ?? (app === '-' ? readTag(content) : null) ?? { program: given(app) ?? given(msgid), msg: content }
  return {
    hostname: given(host),
    devname: said.host ?? null,
    program: said.program,
    clock: time?.clock ?? null,
    content,
    msg: [...data.elements, said.msg].join(' '),
    isCertain: found !== null || app !== '-',
  }
}

const given = (field: string): string | null => (field === '-' ? null : field)

/**
 * Reads STRUCTURED-DATA beginning at `from`. Elements are kept as they were sent, except those about the transport. What
 * does not follow RFC 5424 §6.3 is the message.
 */
function structured(text: string, from: number): { elements: string[]; end: number } {
  if (text[from] === '-' && (text[from + 1] === ' ' || text.length === from + 1)) return { elements: [], end: from + 1 }
  const elements: string[] = []
  let at = from
  while (text[at] === '[') {
    const begin = at
    let quoted = false
    for (at++; at < text.length; at++) {
      const c = text[at]
      if (quoted && c === '\\') at++
      else if (c === '"') quoted = !quoted
      else if (c === ']' && !quoted) break
    }
    const element = text.slice(begin, at + 1)
    if (at >= text.length || !ELEMENT.test(element)) return { elements, end: begin }
    at++
    if (!TRANSPORT.test(element)) elements.push(element)
  }
  return { elements, end: at }
}

function meraki(text: string): Body | null {
  const match = MERAKI.exec(text.slice(0, 400))
  if (match === null) return null
  const [whole, seconds = '', fraction = '', hostname = '', program = ''] = match
  const rest = text.slice(whole.length)
  const clock = clockOf(Number(`${seconds}.${fraction.slice(0, 3)}`) * 1000)
  return { hostname, devname: null, program, clock, content: rest, msg: rest, isCertain: true }
}

function clockOf(ms: number): DeviceClock {
  const at = new Date(ms)
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth(),
    day: at.getUTCDate(),
    ofDayMs: Math.trunc(ms % 86_400_000),
    zone: 0,
  }
}
