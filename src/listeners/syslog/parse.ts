import { SYSLOG_FACILITIES, SYSLOG_SEVERITIES } from '../../lib/syslog-names.ts'

/** A syslog message as it was sent. */
export interface ParsedSyslog {
  /** Names for the values in RFC 5424 §6.2.1 as in syslog-ng: `local7`, `notice`. Null: the message has no PRI. */
  readonly facility: string | null
  readonly level: string | null
  /** PRI in hexadecimal. */
  readonly tag: string | null
  /** HOSTNAME; null: none. */
  readonly hostname: string | null
  /** APP-NAME or the TAG of RFC 3164; null: none. */
  readonly program: string | null
  /** Time of an RFC 5424 message with a time zone, epoch ms; null: none. */
  readonly at: number | null
  readonly msg: string
}

/** Maximum size of a message in octets; longer ones are shortened. RFC 5424 §6.1 asks for at least 2048. */
export const MAX_MESSAGE = 8192

const decoder = new TextDecoder('utf-8')
const CONTROLS = /\p{Cc}/gu

/**
 * Parses a message in the format of RFC 5424, RFC 3164 or neither: what is not recognised remains in `msg`. Octets that
 * are not UTF-8 become U+FFFD, control characters become spaces. Null: the message is empty.
 */
export function parseSyslog(octets: Uint8Array): ParsedSyslog | null {
  const cut = octets.length > MAX_MESSAGE ? octets.subarray(0, MAX_MESSAGE) : octets
  const text = decoder.decode(cut).replace(CONTROLS, ' ').trimEnd()
  const [pri = '', number = ''] = /^<(\d{1,3})>/.exec(text) ?? []
  const value = Number(number)
  const known = pri !== '' && value < 192
  const head = {
    facility: known ? (SYSLOG_FACILITIES[value >> 3] ?? null) : null,
    level: known ? (SYSLOG_SEVERITIES[value & 7] ?? null) : null,
    tag: known ? value.toString(16).padStart(2, '0') : null,
  }
  const rest = known ? text.slice(pri.length) : text
  const parsed = (rest.startsWith('1 ') ? modern(rest.slice(2)) : null) ?? classic(rest)
  const msg = parsed.msg.trim()
  return msg === '' && parsed.program === null ? null : { ...head, ...parsed, msg }
}

type Rest = Pick<ParsedSyslog, 'hostname' | 'program' | 'at' | 'msg'>

const HEADER_5424 = /^(\S{1,64}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) /
const TIME_5424 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Parses RFC 5424 §6 after PRI and VERSION; null if the text does not follow it. */
function modern(text: string): Rest | null {
  // A message may end with its structured data.
  const header = HEADER_5424.exec(`${text.slice(0, 600)} `)
  if (header === null) return null
  const [whole, time = '', host = '', app = ''] = header
  if (time !== '-' && !TIME_5424.test(time)) return null
  const data = structured(text, whole.length)
  if (data === null) return null
  const said = text
    .slice(data.end)
    .replace(/^ /, '')
    .replace(/^\ufeff/, '')
  const at = Date.parse(time)
  return {
    hostname: given(host),
    program: given(app),
    at: Number.isNaN(at) ? null : at,
    msg: [...data.elements, said].join(' '),
  }
}

const given = (field: string): string | null => (field === '-' ? null : field)

/**
 * Parses STRUCTURED-DATA beginning at `from`. Elements are kept as they were sent, except those registered with IANA
 * (timeQuality, origin, meta), which are about the transport. Null: malformed.
 */
function structured(text: string, from: number): { elements: string[]; end: number } | null {
  if (text[from] === '-') return { elements: [], end: from + 1 }
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
    if (at >= text.length) return null
    at++
    const element = text.slice(begin, at)
    if (/^\[[^ \]="]{0,32}@/.test(element)) elements.push(element)
  }
  return at === from ? null : { elements, end: at }
}

/** `Oct 11 22:14:15 `, also with a year, a fraction or a zone, as Cisco and others write it. */
const TIME_3164 =
  /^[*.]?(?:[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,6})?(?: [A-Z]{1,5}(?=[: ]))?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)(:)? */
const HOST_3164 = /^([\w.:-]{1,255})(?<!:) (?=\S)/
const TAG_3164 = /^([A-Za-z_][\w./@-]{0,47})(?:\[[^\]]{0,64}\])?: ?/

/** Parses RFC 3164 §4.1 after PRI: time, host, tag and content, each of which may be missing. */
function classic(text: string): Rest {
  // Cisco: `123: host: Oct 11 ...` has a sequence number, and a host that cannot be distinguished from a tag
  const numbered = /^\d{1,10}: (?=[*.]?[A-Z][a-z]{2} [ \d]\d )/.exec(text.slice(0, 40))
  const rest = numbered === null ? text : text.slice(numbered[0].length)
  const time = TIME_3164.exec(rest.slice(0, 64))
  const after = time === null ? rest : rest.slice(time[0].length)
  // With a colon after the time, as Cisco sends it, no host follows.
  const host = time === null || time[1] === ':' || numbered !== null ? null : HOST_3164.exec(after.slice(0, 300))
  const content = host === null ? after : after.slice(host[0].length)
  const tag = TAG_3164.exec(content.slice(0, 128))
  return {
    hostname: host?.[1] ?? null,
    program: tag?.[1] ?? null,
    at: null,
    msg: tag === null ? content : content.slice(tag[0].length),
  }
}
