/** A time as the clock of a device wrote it. */
export interface DeviceClock {
  /** null: not written, as in RFC 3164 §4.1.2. */
  readonly year: number | null
  /** 0 to 11. */
  readonly month: number
  readonly day: number
  /** Time of day, ms. */
  readonly ofDayMs: number
  /** Minutes east of UTC; null: not written, or an abbreviation that several zones use. */
  readonly zone: number | null
}

/** A clock and where the text after it begins. */
export interface ReadClock {
  readonly clock: DeviceClock
  readonly end: number
  /** Whether a colon follows, as Cisco writes it; then no host name comes after it. */
  readonly colon: boolean
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MON = '(?<mon>[A-Za-z]{3})'
const DAY = ' {1,2}(?<day>\\d{1,2})'
const CLOCK = '(?<h>\\d{1,2}):(?<m>\\d\\d):(?<s>\\d\\d)(?:[.,:](?<f>\\d{1,9}))?'
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?'

/** Forms of a date and a time, the most frequent first. Each is anchored and has no nested repetition. */
const FORMS: readonly RegExp[] = [
  // RFC 3164: `Oct  5 22:14:15`; with a year after the day (ASA, IOS) or after the time (Comware, ArubaOS)
  new RegExp(`${WEEKDAY}${MON}${DAY} (?:(?<y>\\d{4}) )?${CLOCK}(?: (?<y2>(?:19|20)\\d\\d)(?= |: ))?`, 'y'),
  // ISO 8601, RFC 3339
  new RegExp(`(?<y>\\d{4})-(?<mo>\\d\\d)-(?<day>\\d\\d)[T ]${CLOCK}`, 'y'),
  // NX-OS, UCS, AlliedWare Plus: `2026 Oct  5 22:14:15`
  new RegExp(`(?<y>\\d{4}) ${MON}${DAY} ${CLOCK}`, 'y'),
  // Sophos UTM, Fabric OS
  new RegExp(`(?<y>\\d{4})[/:](?<mo>\\d\\d)[/:](?<day>\\d\\d)[ -]${CLOCK}`, 'y'),
  // NetScaler: `10/05/2026:22:14:15`
  new RegExp(`(?<mo>\\d\\d)/(?<day>\\d\\d)/(?<y>\\d{4})[: ]${CLOCK}`, 'y'),
  new RegExp(`${WEEKDAY}(?<day>\\d{1,2}) ${MON} (?<y>\\d{4}) ${CLOCK}`, 'y'),
]

const OFFSET = /(?:Z|GMT|UTC)? ?([+-])(\d\d):?(\d\d)(?= |:|$)/y
const NAME = / ?([A-Z]{1,5})(?=[ :]|$)/y
/** IOS writes any name that was configured. */
const OWN_NAME = / [A-Z][A-Za-z]{0,6}(?=: {0,2}[*.]?%)/y
/** Abbreviations that stand for a zone also where a host name could follow. Only those of UTC have one meaning. */
const UTC_NAMES = new Set(['Z', 'UTC', 'GMT'])
const ZONE_NAMES = new Set(
  (
    'Z UTC GMT DST WET WEST BST IST CET CEST MET MEST EET EEST MSK EST EDT CST CDT MST MDT PST PDT AKST AKDT HST AST ADT ' +
    'NST NDT JST KST HKT SGT AEST AEDT ACST ACDT AWST NZST NZDT SAST BRT ART CLT PKT WIB GST'
  ).split(' '),
)

/**
 * Reads a time at this position, with the mark of IOS for a clock that is not synchronised (`*`, `.`) and a zone. Null:
 * there is none.
 */
export function readClock(text: string, from: number): ReadClock | null {
  const at = text[from] === '*' || text[from] === '.' ? from + 1 : from
  const first = text.charCodeAt(at)
  // a digit or a letter
  if (!((first >= 48 && first <= 57) || ((first | 32) >= 97 && (first | 32) <= 122))) return null
  for (const form of FORMS) {
    form.lastIndex = at
    const groups = form.exec(text)?.groups
    if (groups === undefined) continue
    const found = dateOf(groups)
    if (found === null) continue
    const { zone, end } = readZone(text, form.lastIndex)
    const colon = /\s{0,4}:(?=[^\d:]|$)/y
    colon.lastIndex = end
    const isColon = colon.test(text)
    let after = isColon ? colon.lastIndex : end
    while (text[after] === ' ') after++
    return { clock: { ...found, zone }, end: after, colon: isColon }
  }
  return null
}

function dateOf({
  y,
  y2,
  mon,
  mo,
  day,
  h,
  m,
  s,
  f,
}: Readonly<Record<string, string | undefined>>): Omit<DeviceClock, 'zone'> | null {
  let month = mon === undefined ? Number(mo) - 1 : MONTHS.indexOf(mon.toLowerCase())
  let date = Number(day)
  // some write the day first
  if (month > 11 && date >= 1 && date <= 12) [month, date] = [date - 1, month + 1]
  const [hour, minute, second] = [Number(h), Number(m), Number(s)]
  // 60: a leap second
  if (month < 0 || month > 11 || date < 1 || date > 31 || hour > 23 || minute > 59 || second > 60) return null
  const year = y ?? y2
  return {
    year: year === undefined ? null : Number(year),
    month,
    day: date,
    ofDayMs: ((hour * 60 + minute) * 60 + second) * 1000 + (f === undefined ? 0 : Math.trunc(Number(`0.${f}`) * 1000)),
  }
}

/** The zone at this position, and where the text goes on. Where a host name may follow, only known names are zones. */
function readZone(text: string, from: number): { zone: number | null; end: number } {
  OFFSET.lastIndex = from
  const offset = OFFSET.exec(text)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return { zone: offset[1] === '-' ? -minutes : minutes, end: OFFSET.lastIndex }
  }
  OWN_NAME.lastIndex = from
  if (OWN_NAME.test(text) && !text.startsWith('UTC', from + 1) && !text.startsWith('GMT', from + 1))
    return { zone: null, end: OWN_NAME.lastIndex }
  NAME.lastIndex = from
  const name = NAME.exec(text)?.[1]
  if (name === undefined) return { zone: null, end: from }
  if (UTC_NAMES.has(name)) return { zone: 0, end: NAME.lastIndex }
  return ZONE_NAMES.has(name) ? { zone: null, end: NAME.lastIndex } : { zone: null, end: from }
}

const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
/** Zones reach from UTC-12 to UTC+14. */
const ZONES_MS = 14 * HOUR_MS
/** More than any clock is off that is worth a figure: ten years. */
const MAX_DRIFT_S = 10 * 366 * 86_400

/**
 * How far the clock of a device is ahead of ours (negative: behind), whole seconds, at most ten years; null: it cannot
 * be known. A clock without a year is in the year that fits best. A clock without a zone is in UTC or in our zone
 * (`ownZone`, minutes east of UTC) if it is within an hour of either, otherwise in the nearest zone of whole quarters
 * of an hour; a drift beyond seven minutes can then be taken for a zone.
 */
export function driftOf(clock: DeviceClock, receivedMs: number, ownZone: number): number | null {
  const wall = wallMs(clock, receivedMs)
  const drift = clock.zone === null ? withoutZone(wall - receivedMs, ownZone) : wall - clock.zone * 60_000 - receivedMs
  const seconds = Math.round(drift / 1000)
  return Number.isFinite(seconds) && Math.abs(seconds) <= MAX_DRIFT_S ? seconds + 0 : null
}

function wallMs({ year, month, day, ofDayMs }: DeviceClock, nearMs: number): number {
  if (year !== null) return Date.UTC(year, month, day) + ofDayMs
  const now = new Date(nearMs).getUTCFullYear()
  const nearest = [now, now - 1, now + 1]
    .map((candidate) => Date.UTC(candidate, month, day) + ofDayMs)
    .sort((a, b) => Math.abs(a - nearMs) - Math.abs(b - nearMs))[0]
  return nearest ?? Number.NaN
}

function withoutZone(offMs: number, ownZone: number): number {
  const own = offMs - ownZone * 60_000
  const closer = Math.abs(own) < Math.abs(offMs) ? own : offMs
  if (Math.abs(closer) <= HOUR_MS) return closer
  const zone = Math.round(offMs / QUARTER_MS) * QUARTER_MS
  return Math.abs(zone) <= ZONES_MS ? offMs - zone : closer
}
