import type { Piece } from './rotation.ts'

/** A time in which a person is on call, for a calendar. */
export interface Shift extends Piece {
  readonly person: string
  /** Why: the layer's name, or `override`; '': nothing to say. */
  readonly why: string
}

/**
 * An iCalendar object (RFC 5545) of the shifts of a schedule. Times are in UTC, so that it needs no zones. UIDs follow
 * from the schedule and the beginning, so that a shift that is read again replaces the former one. `madeMs`: epoch ms.
 */
export function calendarOf(
  schedule: { readonly id: number; readonly name: string; readonly notes: string },
  shifts: readonly Shift[],
  host: string,
  madeMs: number,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Portlight//On call//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${textValue(`On call: ${schedule.name}`)}`,
    ...(schedule.notes === '' ? [] : [`X-WR-CALDESC:${textValue(schedule.notes)}`]),
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...shifts.flatMap(({ fromMs, toMs, person, why }) => [
      'BEGIN:VEVENT',
      `UID:on-call-${schedule.id}-${Math.floor(fromMs / 1000)}@${host.replaceAll(/[^\w.-]/g, '') || 'portlight'}`,
      `DTSTAMP:${utc(madeMs)}`,
      `DTSTART:${utc(fromMs)}`,
      `DTEND:${utc(toMs)}`,
      `SUMMARY:${textValue(`${person} on call: ${schedule.name}`)}`,
      ...(why === '' ? [] : [`DESCRIPTION:${textValue(why)}`]),
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20261126T080000Z` (RFC 5545, section 3.3.5). */
const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** A text value (RFC 5545, section 3.3.11), without control characters. */
function textValue(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
}

const MAX_OCTETS = 75

/** Lines of at most 75 octets, each continued with CRLF and a space (RFC 5545, section 3.1); characters stay whole. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n')
}
