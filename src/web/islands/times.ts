import { clockOf, offsetText, zoneClock } from '../../lib/zone-clock.ts'
import { all } from './dom.ts'

const RENEW_MS = 10_000

/** The zone of the page: the server's, in which times are also entered. */
const ZONE = document.documentElement.dataset['zone'] ?? 'UTC'
export const CLOCK = zoneClock(ZONE)

/** A time in the zone of the page: `2026-11-20 08:00:00`. */
export const clockText = (ms: number): string => clockOf(CLOCK, ms)
const dateText = (ms: number) => clockText(ms).slice(0, 10)

/** Same as `duration` in the server's components. */
function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  const minutes = Math.floor((s % 3600) / 60)
  if (s < 86_400) return `${Math.floor(s / 3600)} h${minutes === 0 ? '' : ` ${minutes} min`}`
  const [days, hours] = [Math.floor(s / 86_400), Math.floor((s % 86_400) / 3600)]
  return days >= 10 || hours === 0 ? `${days} d` : `${days} d ${hours} h`
}

function renew(): void {
  const nowMs = Date.now()
  for (const time of all<HTMLTimeElement>('time[data-t]')) {
    const at = new Date(time.dateTime)
    const age = (nowMs - at.getTime()) / 1000
    const form = time.dataset['t']
    const text =
      form === 'clock'
        ? clockText(at.getTime())
        : age > 172_800
          ? dateText(at.getTime())
          : `${duration(age)}${form === 'ago' ? ' ago' : ''}`
    if (time.textContent !== text) time.textContent = text
  }
}

/** Shows the times of new rows in the zone of the page. */
export function freshenTimes(): void {
  for (const time of all<HTMLTimeElement>('time[data-t]')) {
    const at = new Date(time.dateTime)
    time.title = `${clockText(at.getTime())} (${ZONE}, ${offsetText(CLOCK, at.getTime())})`
  }
  renew()
}

/** Shows times in the zone of the page and keeps ages up to date. */
export function startTimes(): void {
  freshenTimes()
  setInterval(renew, RENEW_MS)
}
