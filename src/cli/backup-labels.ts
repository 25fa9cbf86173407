import type { Progress, Watch } from '../core/backup/progress.ts'
import { say } from './output.ts'

/** Prints progress to stderr every `everyS` seconds. */
export function sayProgress(everyS = 5): Watch {
  let printedAt = performance.now()
  return (progress) => {
    if (performance.now() - printedAt < everyS * 1000) return
    printedAt = performance.now()
    say(progressText(progress))
  }
}

/** For example `reading: 1,200,000 of about 4,000,000 rows, 310,000 rows/s, 28 MB/s, about 9 s left`. */
export function progressText({ step, rows, ofRows, octets, seconds }: Progress): string {
  const rate = rows / Math.max(seconds, 0.001)
  // a rate of the first few rows says nothing
  const left = ofRows > rows && rows * 20 >= ofRows ? `, about ${durationText((ofRows - rows) / rate)} left` : ''
  const of = ofRows > rows ? ` of about ${count(ofRows)}` : ''
  return `${step}: ${count(rows)}${of} rows, ${ratesText(rows, octets, seconds)}${left}`
}

/** For example `310,000 rows/s, 28 MB/s`. */
export function ratesText(rows: number, octets: number, seconds: number): string {
  const s = Math.max(seconds, 0.001)
  return `${count(rows / s)} rows/s, ${(octets / 1e6 / s).toFixed(1)} MB/s`
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function megabytes(octets: number): string {
  return `${(octets / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

/** For example `45 s`, `12 min` or `3 h 10 min`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A database's address without its password. */
export function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ''
  if (url.searchParams.has('password')) url.searchParams.delete('password')
  return url.href
}
