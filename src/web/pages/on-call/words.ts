import { type StoredLayer, timeOfDay } from '../../../core/on-call/service.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `turns of 1 week from 2026-03-16 08:00; Mon, Tue, 08:00 to 17:00`. */
export function layerWords({ unit, length, begins, ends, days, fromMinute, toMinute }: StoredLayer): string {
  const turns = `turns of ${length} ${unit}${length === 1 ? '' : 's'} from ${begins}`
  const until = ends === null ? '' : ` until ${ends}`
  const named = days === null ? 'every day' : days.map((day) => WEEKDAYS[day - 1] ?? '').join(', ')
  const hours = fromMinute === toMinute ? '' : `${timeOfDay(fromMinute)} to ${timeOfDay(toMinute)}`
  const when = days === null && hours === '' ? '' : `; ${[named, hours].filter((part) => part !== '').join(', ')}`
  return `${turns}${until}${when}`
}
