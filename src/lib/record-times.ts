/** A time as local time, `YYYY-MM-DD hh:mm:ss`. */
export function localTime(at: Date): string {
  const two = (value: number) => (value < 10 ? `0${value}` : value)
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Epoch seconds as ISO 8601 in UTC with microseconds: `2026-01-31T08:00:00.123456Z`. */
export function isoTime(epochS: number): string {
  const micros = Math.round(epochS * 1_000_000)
  const seconds = Math.floor(micros / 1_000_000)
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}
