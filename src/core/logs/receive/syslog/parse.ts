import { isIP } from 'node:net'
import { SYSLOG_FACILITIES, SYSLOG_SEVERITIES } from '../../../../lib/syslog-names.ts'
import { readClock } from '../../syslog/clock.ts'
import { readCisco } from '../../syslog/forms/cisco.ts'
import type { MessageText } from '../../syslog/forms/form.ts'
import { readTag } from '../../syslog/forms/hosts.ts'
import { readByForm } from '../../syslog/forms.ts'
import { decodeMessage } from './decode.ts'
import type { Body, ParsedSyslog } from './message.ts'
import { readModern } from './modern.ts'

type Head = Pick<ParsedSyslog, 'facility' | 'level' | 'tag'>

/** A relay may put a message, with its PRI, into another. */
const MAX_NESTED = 2
const BOM = /^[\s\ufeff]+/

/**
 * Parses a message in the format of RFC 5424, RFC 3164, a vendor's own or none of them: what is not recognised remains
 * in `msg`. Null: the message is empty.
 */
export function parseSyslog(octets: Uint8Array): ParsedSyslog | null {
  const { head, body } = read(decodeMessage(octets), 0)
  const msg = body.msg.replace(BOM, '').trimEnd()
  return msg === '' && body.program === null ? null : { ...head, ...body, msg }
}

function read(text: string, depth: number): { head: Head; body: Body } {
  const { head, rest } = priority(text)
  const body = readModern(rest) ?? cisco(rest, true) ?? classic(rest)
  if (depth >= MAX_NESTED || body.isCertain || !/^<\d{1,3}>/.test(body.content)) return { head, body }
  const inner = read(body.content, depth + 1)
  return inner.head.facility === null
    ? { head, body }
    : { head: inner.head, body: { ...inner.body, hostname: inner.body.hostname ?? body.hostname } }
}

function priority(text: string): { head: Head; rest: string } {
  const [pri = '', number = ''] = /^\s{0,8}<(\d{1,3})>/.exec(text) ?? []
  const value = Number(number)
  if (pri === '' || value >= 192) return { head: { facility: null, level: null, tag: null }, rest: text.trimStart() }
  return {
    head: {
      facility: SYSLOG_FACILITIES[value >> 3] ?? null,
      level: SYSLOG_SEVERITIES[value & 7] ?? null,
      tag: value.toString(16).padStart(2, '0'),
    },
    rest: text.slice(pri.length).replace(BOM, ''),
  }
}

function cisco(text: string, isTop: boolean): Body | null {
  const said = readCisco(text, isTop)
  if (said === null) return null
  const { program, msg, host = null, clock = null } = said
  return {
    hostname: host === null ? null : hostOf(host),
    devname: null,
    program,
    clock,
    content: text,
    msg,
    isCertain: true,
  }
}

/** A word at the place of HOSTNAME. BIG-IP puts its blade before it, syslog-ng can put the source; a comma may follow. */
const HOST = /^(?:(?:slot|blade)\d{1,2}\/|\w{1,32}@)?((?:::)?[A-Za-z\d][\w.:-]{0,254}|\[[\da-f:.]{2,45}\]),? (?=\s*\S)/
/** AIX: `Message forwarded from host: `; Kiwi: `Original Address=host `. */
const FORWARDED = /^(?:Message forwarded from ([\w.:-]{1,255}): |Original Address=([\w.:-]{1,255}) +)/
/** Words that look like a host name but begin the text. */
const NO_HOST = /^(?:last message repeated |message repeated \d|\d+-PPE-\d|\d{3,5} [a-z])/

/** Parses RFC 3164 §4.1 after PRI: time, host and content, each of which may be missing. */
function classic(text: string): Body {
  const numbered = /^\d{1,10}: (?=[*.]?[A-Z][a-z]{2} [ \d]\d )/.exec(text.slice(0, 40))
  let rest = numbered === null ? text : text.slice(numbered[0].length)
  const time = readClock(rest, 0)
  if (time !== null) rest = rest.slice(time.end)
  const forwarded = FORWARDED.exec(rest.slice(0, 300))
  if (forwarded !== null) rest = rest.slice(forwarded[0].length)
  let hostname = forwarded?.[1] ?? forwarded?.[2] ?? null
  // With a colon after the time, as Cisco sends it, no host follows.
  if (hostname === null && time !== null && !time.colon && numbered === null && !NO_HOST.test(rest)) {
    const word = HOST.exec(rest.slice(0, 320))
    const isHost =
      word !== null && !/^\d+$/.test(word[1] ?? '') && (!word[1]?.includes(':') || hostOf(word[1]) !== null)
    if (word !== null && isHost) {
      hostname = word[1] ?? null
      rest = rest.slice(word[0].length).trimStart()
      if (rest.startsWith(': ')) rest = rest.slice(2)
    }
  }
  const found = (time === null && forwarded === null ? null : readCisco(rest, false)) ?? readByForm(rest)
  const said: MessageText = found ?? readTag(rest) ?? { program: null, msg: rest }
  return {
    hostname: hostname === null ? null : hostOf(hostname),
    devname: said.host ?? null,
    program: said.program || null,
    clock: said.clock ?? time?.clock ?? null,
    content: rest,
    msg: said.msg,
    isCertain: found !== null,
  }
}

/** The name without brackets and a final dot or colon; null: it has colons and is no address. */
function hostOf(word: string): string | null {
  const name = word.replace(/^\[|\]$/g, '').replace(/[.:]$/, '')
  return name === '' || (name.includes(':') && isIP(name) === 0) ? null : name
}
