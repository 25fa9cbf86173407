import { twoDigits } from '../../lib/two-digits.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A time in RFC 2822 §3.3 format, in the server's time zone: `Sat, 01 Aug 2026 12:00:00 +0200`. */
export function rfc2822(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  const zone = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(minutes) / 60))}${twoDigits(Math.abs(minutes) % 60)}`
  const day = `${DAYS[at.getDay()]}, ${twoDigits(at.getDate())} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())} ${zone}`
}
