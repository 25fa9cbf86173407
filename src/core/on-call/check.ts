import { twoDigits } from '../../lib/two-digits.ts'
import { isZone } from '../../lib/zone-clock.ts'
import { invalid } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import { LETS, type Lets, type QuietHours } from './contact-methods.ts'
import { UNITS, type Unit, wallMinutes } from './rotation.ts'

/** Most layers of a schedule, and people of a layer. */
export const MAX_LAYERS = 10
export const MAX_PEOPLE = 50
/** Most schedules, overrides of a schedule that are not over, and contact methods of a person. */
export const MAX_SCHEDULES = 200
export const MAX_OVERRIDES = 500
export const MAX_CONTACT_METHODS = 20
/** Most quiet hours of a contact method. */
export const MAX_QUIET = 10
/** Longest override: a year. */
export const MAX_OVERRIDE_MS = 366 * 86_400_000

const MAX_NAME = 100
const MAX_NOTES = 2000
const MAX_ATTEMPT = 9
/** A turn is at most a year long. */
const MAX_LENGTH: Readonly<Record<Unit, number>> = { hour: 8760, day: 366, week: 53 }

/** A layer as a person enters it, see `Layer`. */
export interface LayerDraft {
  readonly name: string
  readonly unit: string
  readonly length: number
  readonly begins: string
  readonly ends: string | null
  readonly days: readonly number[] | null
  /** `HH:MM`; equal ones mean the whole day. */
  readonly from: string
  readonly to: string
  /** User ids in the order of their turns. */
  readonly people: readonly number[]
}

/** A schedule as a person enters it. */
export interface ScheduleDraft {
  readonly name: string
  /** IANA name. */
  readonly zone: string
  readonly notes: string
  /** The lowest first. */
  readonly layers: readonly LayerDraft[]
}

/** A layer to store. */
export interface CheckedLayer extends Omit<LayerDraft, 'unit' | 'from' | 'to'> {
  readonly unit: Unit
  readonly fromMinute: number
  readonly toMinute: number
}

export interface CheckedSchedule extends Omit<ScheduleDraft, 'layers'> {
  readonly layers: readonly CheckedLayer[]
}

/** Quiet hours as entered, see `QuietHours`; `HH:MM`. `days`: numbers, or a text such as `1-5,7`; null or '': every day. */
export interface QuietDraft {
  readonly days: readonly number[] | string | null
  readonly from: string
  readonly to: string
  readonly lets: string
}

/** A contact method of a person, as entered. */
export interface ContactMethodDraft {
  readonly transportId: number
  readonly attempt: number
  readonly quiet: readonly QuietDraft[]
}

/** A contact method to store. */
export interface CheckedContactMethod extends Omit<ContactMethodDraft, 'quiet'> {
  readonly quiet: readonly QuietHours[]
}

/** The minute of the day of `HH:MM`. Throws `invalid`. */
export function minuteOf(text: string): number {
  const [, hour, minute] = (/^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? []).map(Number)
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59)
    throw invalid(`${shown(text)} is not a time of day: enter it as HH:MM, for example 08:00`)
  return hour * 60 + minute
}

/** `HH:MM` of a minute of the day. */
export const timeOfDay = (minute: number): string => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`

/** `1-5 22:00-07:00` of quiet hours; without days if they are every day. */
export const quietWords = ({ days, fromMinute, toMinute }: QuietHours): string =>
  `${quietDays({ days })} ${timeOfDay(fromMinute)}-${timeOfDay(toMinute)}`.trim()

/** The weekdays on which quiet hours begin as they are entered, `1-5,7`; '': every day. */
export function quietDays({ days }: Pick<QuietHours, 'days'>): string {
  const runs: number[][] = []
  for (const day of days ?? []) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}-${run.at(-1)}`] : run.map(String))).join(',')
}

/** Throws `invalid` for what this program does not know as a time zone. */
export function requireZone(zone: string): void {
  if (!isZone(zone))
    throw invalid(
      `There is no time zone ${shown(zone)}: enter its name in the IANA database, for example Europe/Berlin`,
    )
}

/** The schedule to store. Throws `invalid` with what is wrong. */
export function checkedSchedule(draft: ScheduleDraft): CheckedSchedule {
  const { layers, zone } = draft
  const name = draft.name.trim()
  requireText('The name of a schedule', name, MAX_NAME)
  if (name === '') throw invalid('A schedule needs a name')
  if (/^\d+$/.test(name)) throw invalid('The name of a schedule must not be a number, which would be taken for an id')
  requireText('The notes of a schedule', draft.notes.replaceAll(/\s/g, ' '), MAX_NOTES)
  requireZone(zone)
  if (layers.length > MAX_LAYERS) throw invalid(`A schedule has at most ${MAX_LAYERS} layers, not ${layers.length}`)
  return { name, zone, notes: draft.notes, layers: layers.map((layer, i) => checkedLayer(layer, i + 1)) }
}

function checkedLayer(draft: LayerDraft, number: number): CheckedLayer {
  const of = `Layer ${number}`
  const { name, length, begins, ends, days, people, from, to } = draft
  requireText(`${of}: the name`, name, MAX_NAME)
  const unit = UNITS.find((one) => one === draft.unit)
  if (unit === undefined) throw invalid(`${of}: turns are counted in ${UNITS.join(', ')}, not ${shown(draft.unit)}`)
  if (!Number.isInteger(length) || length < 1 || length > MAX_LENGTH[unit])
    throw invalid(`${of}: a turn lasts a whole number of ${unit}s from 1 to ${MAX_LENGTH[unit]}`)
  const first = wallMinutes(begins)
  if (first === null)
    throw invalid(`${of}: ${shown(begins)} is not a time: enter the first hand-over as YYYY-MM-DD HH:MM`)
  const last = ends === null ? null : wallMinutes(ends)
  if (ends !== null && last === null)
    throw invalid(`${of}: ${shown(ends)} is not a time: enter the end as YYYY-MM-DD HH:MM`)
  if (last !== null && last <= first) throw invalid(`${of}: it ends before its first hand-over`)
  if (
    days !== null &&
    (days.length === 0 || days.length > 7 || !days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7))
  )
    throw invalid(`${of}: days are numbers from 1 (Monday) to 7 (Sunday)`)
  if (people.length === 0) throw invalid(`${of} has nobody: choose at least one person`)
  if (people.length > MAX_PEOPLE) throw invalid(`${of} has at most ${MAX_PEOPLE} people, not ${people.length}`)
  if (!people.every(isId)) throw invalid(`${of}: people are given by the ids of users`)
  const all = days === null ? null : [...new Set(days)].toSorted((a, b) => a - b)
  return {
    ...{ name, unit, length, begins, ends, people },
    days: all === null || all.length === 7 ? null : all,
    fromMinute: minuteOf(from),
    toMinute: minuteOf(to),
  }
}

/** The contact methods to store. Throws `invalid` with what is wrong. */
export function checkedContactMethods(methods: readonly ContactMethodDraft[]): CheckedContactMethod[] {
  if (methods.length > MAX_CONTACT_METHODS)
    throw invalid(`A person is reached by at most ${MAX_CONTACT_METHODS} transports, not ${methods.length}`)
  if (new Set(methods.map(({ transportId }) => transportId)).size < methods.length)
    throw invalid('A transport is named twice')
  return methods.map(({ transportId, attempt, quiet }) => {
    if (!isId(transportId)) throw invalid('Transports are given by their ids')
    if (!Number.isInteger(attempt) || attempt < 1 || attempt > MAX_ATTEMPT)
      throw invalid(`The order of a transport is a whole number from 1 to ${MAX_ATTEMPT}`)
    return { transportId, attempt, quiet: allQuiet(quiet) }
  })
}

function allQuiet(quiet: readonly QuietDraft[]): QuietHours[] {
  if (quiet.length > MAX_QUIET) throw invalid(`A transport has at most ${MAX_QUIET} quiet hours, not ${quiet.length}`)
  const checked = quiet.map(checkedQuiet)
  if (new Set(checked.map((one) => JSON.stringify({ ...one, lets: '' }))).size < checked.length)
    throw invalid('Quiet hours are given twice: they may overlap, but not be the same')
  return checked
}

/** Weekdays of a text such as `1-5,7`. Throws `invalid`. */
function daysOf(text: string): number[] {
  if (text.length > 40) throw invalid(`${shown(text)} are not weekdays: enter numbers from 1 (Monday) to 7 (Sunday)`)
  return text.split(',').flatMap((part) => {
    const [, first, last] = /^\s*([1-7])(?:\s*-\s*([1-7]))?\s*$/.exec(part) ?? []
    if (first === undefined)
      throw invalid(`${shown(text)} are not weekdays: enter numbers from 1 (Monday) to 7 (Sunday), for example 1-5`)
    const [from, to] = [Number(first), Number(last ?? first)]
    // 6-1 is Saturday to Monday
    return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => ((from - 1 + i) % 7) + 1)
  })
}

/** Weekdays in order, each once; null: every day. Throws `invalid`. */
function checkedDays(days: QuietDraft['days']): readonly number[] | null {
  const given = typeof days === 'string' ? (days.trim() === '' ? null : daysOf(days)) : days
  if (given === null) return null
  if (given.length === 0 || given.length > 50 || !given.every((day) => Number.isInteger(day) && day >= 1 && day <= 7))
    throw invalid('Weekdays are numbers from 1 (Monday) to 7 (Sunday)')
  const all = [...new Set(given)].toSorted((a, b) => a - b)
  return all.length === 7 ? null : all
}

function checkedQuiet({ days, from, to, lets }: QuietDraft): QuietHours {
  const known = LETS.find((one): one is Lets => one === lets)
  if (known === undefined) throw invalid(`Quiet hours let through ${LETS.join(', ')}, not ${shown(lets)}`)
  return { days: checkedDays(days), fromMinute: minuteOf(from), toMinute: minuteOf(to), lets: known }
}

/** Throws `invalid` for times between which nobody can be on call, or for too long. Epoch ms. */
export function requireOverride(fromMs: number, toMs: number, note: string, nowMs: number): void {
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) throw invalid('An override needs a beginning and an end')
  if (toMs <= fromMs) throw invalid('The override ends before it begins')
  if (toMs <= nowMs) throw invalid('The override is over already')
  if (toMs - fromMs > MAX_OVERRIDE_MS) throw invalid('An override lasts a year at most: change the schedule instead')
  if (Math.abs(fromMs - nowMs) > 5 * MAX_OVERRIDE_MS) throw invalid('The override begins more than five years from now')
  requireText('The note', note, MAX_NOTES)
}

function requireText(what: string, text: string, most: number): void {
  if (text.length > most) throw invalid(`${what} has at most ${most} characters`)
  if (/\p{Cc}/u.test(text)) throw invalid(`${what} has a control character`)
}

const shown = (text: string) => `"${text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 60)}"`
