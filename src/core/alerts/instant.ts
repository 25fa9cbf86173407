import { twoDigits } from '../../lib/two-digits.ts'

/** Epoch ms as `Y-m-d H:i:s` in the server's time zone. */
export function instantText(ms: number): string {
  const at = new Date(ms)
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`
}
