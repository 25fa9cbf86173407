import { octetsText } from '../../lib/measure.ts'
import { daysText, type PackingState, type StorageFacts } from './storage.ts'

/** How the database grows. */
export function growthText({ growth }: Pick<StorageFacts, 'growth'>): string {
  if (growth === null)
    return 'not known yet: it takes the size of the database on two days on which samples were packed'
  if (Math.abs(growth) < 1) return 'none'
  return growth < 0 ? `shrinks by ${octetsText(-growth)} a day` : `${octetsText(growth)} a day`
}

/** How much room the disk has, and until when. */
export function diskText({ disk, forecast }: Pick<StorageFacts, 'disk' | 'forecast'>): string {
  if (disk === null) return 'not known: the database is on a server of its own'
  const free = `${octetsText(disk.free)} of ${octetsText(disk.size)} free`
  if (forecast.kind === 'unknown') return `${free}; when it is full is not known yet`
  if (forecast.kind === 'never') return `${free}; not full within ten years at this rate`
  return `${free}; full in ${daysText(forecast.inS)} at this rate`
}

/** How far closed chunks are packed. */
export function packingText({ form, done, waiting, oldest, run, leftS, overdue }: PackingState): string {
  if (form === null) return 'not on this server: all is kept as rows'
  const where = form === 'packed' ? 'packed' : 'in the columnstore'
  const parts = [`${chunks(done)} ${where}`]
  if (waiting === 0) parts.push('none waits')
  else {
    const since = oldest === null ? '' : `, the oldest of ${dayText(oldest)}`
    parts.push(`${chunks(waiting)} to be done${since}`)
  }
  if (run !== null)
    parts.push(`older data: ${Math.max(0, run.total - waiting)} of ${run.total} done since ${dayText(run.began)}`)
  if (overdue > 0) parts.push(leftS === null ? 'time left not known' : `about ${spanText(leftS)} left`)
  return parts.join('; ')
}

/** What to do about a step of packing that fails. */
export const PACKING_ADVICE =
  'its samples stay as rows, which can be read and take more space, and it is tried again every minute; make room on the disk if the reason says so, otherwise report it with the bundle of portlight doctor --bundle'

/** A table or chunk as people name it: `port samples`; what is not a table of ours is named as it is. */
export function tableText(rel: string): string {
  const [, kind, level] = /^ts\.(\w+)_(samples|1h|1d)$/.exec(rel) ?? []
  return kind === undefined || level === undefined ? rel : `${kind} ${LEVELS[level as keyof typeof LEVELS]}`
}

/** The levels of detail in words. */
export const LEVELS = { samples: 'samples', '1h': 'hours', '1d': 'days' } as const

/** `2026-11-26` in UTC. */
export const dayText = (at: Date): string => at.toISOString().slice(0, 10)

const chunks = (count: number): string => (count === 1 ? '1 chunk' : `${count} chunks`)

function spanText(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** A size; null, which is shown as a dash, if it is not known. */
export function sizeText(octets: number | null): string | null {
  return octets === null ? null : octetsText(octets)
}

/** A difference of sizes, with its sign. */
export function moreText(octets: number | null): string | null {
  return octets === null ? null : `${octets < 0 ? '-' : '+'}${octetsText(Math.abs(octets))}`
}
