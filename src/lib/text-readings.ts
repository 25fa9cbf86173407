import { printerErrors } from './printer-errors.ts'

/** Name of the reading for whether the agent has the object: 1 or 0, whatever its value is. */
export const PRESENT = 'present'

/**
 * Functions that turn a text reported by an agent into a value, by the name in column `sensors.user_func`, where the
 * value is not just a number in the text. `text` has one character for each octet; `now`: epoch milliseconds. NaN: the
 * text has no value.
 */
export const TEXT_READINGS: Readonly<Record<string, (text: string, now: number) => number>> = {
  dateToRuntime: (text, now) => {
    const date = dateOf(text)
    return date === null ? Number.NaN : Math.round((date - now) / 60_000)
  },
  hhmmssToMinutes: (text) => {
    const [, hours, minutes, seconds] = /^\s*(\d{1,6}):(\d{1,2})(?::(\d{1,2}))?\s*$/.exec(text) ?? []
    if (hours === undefined) return Number.NaN
    return Math.trunc(Number(hours) * 60 + Number(minutes) + Number(seconds ?? 0) / 60)
  },
  printer_errors: printerErrors,
}

/** Name of the reading for a state reported as text; the texts and values of the states follow it as JSON. */
export const STATE_TEXT = 'state_text'

/** The reading named in column `sensors.user_func`; null: the number in the text is the value. */
export function textReading(userFunc: string | null | undefined): ((text: string, now: number) => number) | null {
  if (!userFunc) return null
  if (userFunc.startsWith(`${STATE_TEXT} `)) {
    const states = statesIn(userFunc.slice(STATE_TEXT.length + 1))
    return (text) => stateNumber(text, states)
  }
  return Object.hasOwn(TEXT_READINGS, userFunc) ? (TEXT_READINGS[userFunc] ?? null) : null
}

/**
 * The text as a number, the value of the state with this text (regardless of case), or the first number in the text.
 */
function stateNumber(text: string, states: ReadonlyMap<string, number>): number {
  const bare = text.trim()
  if (/^[+-]?\d+(\.\d+)?$/.test(bare)) return Number(bare)
  const first = /-?\d+(\.\d+)?/.exec(bare)?.[0]
  return stateOfText(bare, states) ?? (first === undefined ? Number.NaN : Number(first))
}

/** Value of the state with this name, regardless of case; null: none. `states`: values by names in lower case. */
export function stateOfText(text: string, states: ReadonlyMap<string, number>): number | null {
  return states.get(text.trim().toLowerCase()) ?? null
}

function statesIn(json: string): ReadonlyMap<string, number> {
  try {
    const states: unknown = JSON.parse(json)
    if (typeof states !== 'object' || states === null) return new Map()
    return new Map(Object.entries(states).map(([descr, value]) => [descr.toLowerCase(), Number(value)]))
  } catch {
    return new Map()
  }
}

/** The months, by the first three letters of their names. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * The start of a day, epoch milliseconds, in this machine's time zone because agents do not report theirs:
 * `06/30/2027`, `06/30/27`, `2027-06-30`, `30.06.2027`, `30-Jun-2027`, `Jun 30, 2027`. Null: no such day.
 */
function dateOf(text: string): number | null {
  const bare = text.trim()
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\b/.exec(bare)
  if (american !== null) return day(american[3], american[1], american[2])
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(bare)
  if (iso !== null) return day(iso[1], iso[2], iso[3])
  const european = /^(\d{1,2})[.-](\d{1,2})[.-](\d{4}|\d{2})\b/.exec(bare)
  if (european !== null) return day(european[3], european[2], european[1])
  const dayFirst = /^(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4})\b/.exec(bare)
  if (dayFirst !== null) return day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = /^([A-Za-z]{3})[a-z]* (\d{1,2}),? (\d{4})\b/.exec(bare)
  return monthFirst === null ? null : day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
}

function monthOf(name: string | undefined): string {
  return String(MONTHS.indexOf((name ?? '').toLowerCase()) + 1)
}

/** A two-digit year below 70 is in this century (below 69 in POSIX strptime). */
function day(year: string | undefined, month: string | undefined, date: string | undefined): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  const full = y >= 100 ? y : y < 70 ? 2000 + y : 1900 + y
  const made = new Date(full, m - 1, d)
  return made.getMonth() === m - 1 && made.getDate() === d ? made.getTime() : null
}
