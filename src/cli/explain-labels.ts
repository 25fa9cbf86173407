import type { DeviceExplanation } from '../core/devices/explain.ts'
import { eventWords } from '../core/logs/event-words.ts'
import { ago } from '../lib/ago.ts'
import { counted } from '../lib/counted.ts'

/** `every 5 minutes`, `every 90 seconds`, `every minute`. */
export function everyText(seconds: number): string {
  for (const [unit, size] of [['hour', 3600] as const, ['minute', 60] as const]) {
    if (seconds % size === 0) return `every ${seconds === size ? unit : `${seconds / size} ${unit}s`}`
  }
  return `every ${seconds} seconds`
}

/** Time and duration of the last run: `last 2 minutes ago, took 1.2 s`. `at` is ISO 8601; null: never. */
export function lastText(at: string | null, tookS: number, now: number): string {
  if (at === null) return 'not yet'
  const past = (now - new Date(at).getTime()) / 1000
  return `last ${Number.isFinite(past) ? ago(past) : at}${tookS > 0 ? `, took ${secondsText(tookS)}` : ''}`
}

/** `0.04 s`, `1.2 s`, `95 s`. */
function secondsText(seconds: number): string {
  return `${seconds < 0.1 ? seconds.toFixed(2) : seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
}

const ABSENT = 'not there: '

/** Names the first of several missing tables; other notes are unchanged. */
function noteText(note: string): string {
  return note
    .split('; ')
    .map((part) => {
      if (!part.startsWith(ABSENT)) return part
      const [first = '', ...others] = part.slice(ABSENT.length).split(', ')
      return `the agent lacks ${first}${others.length === 0 ? '' : ` and ${counted(others.length, 'other table')}`}`
    })
    .join('; ')
}

/** Whether a module found nothing simply because the agent does not support it. */
function isAbsent({ rows, note }: DeviceExplanation['modules'][number]): boolean {
  return rows === 0 && note.split('; ').every((part) => part === '' || part.startsWith(ABSENT))
}

/** One line for each module that found rows or failed, with aligned numbers; one line for all others. */
export function moduleLines(modules: DeviceExplanation['modules']): string[] {
  const rows = modules
    .filter((m) => !isAbsent(m))
    .map((m) => [
      m.module,
      counted(m.rows, 'row').padEnd(String(m.rows).length + 5),
      counted(m.requests, 'request').padEnd(String(m.requests).length + 9),
      m.tookMs < 1000 ? `${Math.round(m.tookMs)} ms` : secondsText(m.tookMs / 1000),
      noteText(m.note),
    ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([name = '', ...cells]) =>
    [
      name.padEnd(widths[0] ?? 0),
      ...cells.slice(0, 3).map((cell, i) => cell.padStart(widths[i + 1] ?? 0)),
      cells[3] ?? '',
    ]
      .join('  ')
      .trimEnd(),
  )
  const absent = modules.filter(isAbsent).map(({ module }) => module)
  return absent.length === 0 ? lines : [...lines, `not supported by this device: ${absent.join(', ')}`]
}

/** `3 minutes ago: device is down`. Times are local, `Y-m-d H:i:s`. */
export function eventText({ datetime, message }: DeviceExplanation['events'][number], now: number): string {
  const past = (now - new Date(datetime.replace(' ', 'T')).getTime()) / 1000
  return `${Number.isFinite(past) ? ago(past) : datetime}: ${eventWords(message ?? '')}`
}
