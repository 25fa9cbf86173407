import { all } from './dom.ts'

const RENEW_MS = 10_000
const two = (value: number) => String(value).padStart(2, '0')
const dateOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
const clockOf = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

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
        ? `${dateOf(at)} ${clockOf(at)}`
        : age > 172_800
          ? dateOf(at)
          : `${duration(age)}${form === 'ago' ? ' ago' : ''}`
    if (time.textContent !== text) time.textContent = text
  }
}

/** Shows the times of new rows in the viewer's time zone. */
export function freshenTimes(): void {
  for (const time of all<HTMLTimeElement>('time[data-t]')) {
    const at = new Date(time.dateTime)
    time.title = `${dateOf(at)} ${clockOf(at)} (${ZONE})`
  }
  renew()
}

/** Shows times in the viewer's time zone and keeps ages up to date. */
export function startTimes(): void {
  freshenTimes()
  for (const zone of all('[data-zone]')) zone.textContent = ZONE
  setInterval(renew, RENEW_MS)
}
