/** A message to store, without its device. */
export interface SyslogMessage {
  /** Name or address of the sender, lower case; empty: not given. */
  readonly host: string
  readonly facility: string | null
  readonly priority: string | null
  readonly level: string | null
  readonly tag: string | null
  readonly at: Date
  readonly program: string | null
  readonly msg: string
}

const MAX_MSG = 65_535
const MAX_SHORT = 10
/** Maximum length of a name (RFC 1035). */
const MAX_HOST = 255
/** Clocks of devices may start in 1970 or run ahead; times more than this ahead are not used. */
const YEAR_MS = 365 * 86_400_000

/**
 * A message in the body of syslogsink; null: it has no text or no sender. `timestamp` takes precedence over
 * `@timestamp`; a time that cannot be parsed, is before 2000 or is more than a year ahead is replaced by `now`. `level`
 * defaults to `severity`.
 */
export function syslogMessage(given: unknown, now: Date): SyslogMessage | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  const members: Readonly<Record<string, unknown>> = { ...given }
  const host = (text(members['host']) ?? '').trim().replace(/^::ffff:/i, '')
  const msg = text(members['msg'])
  if (host === '' || host.length > MAX_HOST || msg === null) return null
  const short = (name: string) => cut(text(members[name]), MAX_SHORT)
  return {
    host: host.toLowerCase(),
    facility: short('facility'),
    priority: short('priority'),
    level: short('level') ?? short('severity'),
    tag: short('tag'),
    at: instant(members['timestamp'] ?? members['@timestamp'], now),
    program: text(members['program']),
    msg: cut(msg, MAX_MSG) ?? msg,
  }
}

/** Text, or a number as text. Empty: null. */
function text(value: unknown): string | null {
  const shown = typeof value === 'number' ? String(value) : value
  return typeof shown === 'string' && shown !== '' ? shown.toWellFormed() : null
}

/** At most `length` characters; a surrogate pair split at the end, which the database would refuse, becomes U+FFFD. */
const cut = (value: string | null, length: number): string | null => value?.slice(0, length).toWellFormed() ?? null

/** Parses ISO 8601, local `Y-m-d H:i:s`, or seconds or milliseconds since 1970. */
function instant(value: unknown, now: Date): Date {
  const number = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  const at = number
    ? new Date(Number(value) < 1e11 ? Number(value) * 1000 : Number(value))
    : new Date(typeof value === 'string' ? value.trim().replace(' ', 'T') : Number.NaN)
  const ms = at.getTime()
  return Number.isNaN(ms) || ms < Date.UTC(2000) || ms > now.getTime() + YEAR_MS ? now : at
}
