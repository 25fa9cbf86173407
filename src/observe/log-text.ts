import { oneLine } from '../lib/one-line.ts'
import { twoDigits } from '../lib/two-digits.ts'

const LEVELS: Readonly<Record<number, { readonly name: string; readonly colour: string }>> = {
  10: { name: 'TRACE', colour: '\u001b[2m' },
  20: { name: 'DEBUG', colour: '\u001b[2m' },
  30: { name: 'INFO', colour: '\u001b[32m' },
  40: { name: 'WARN', colour: '\u001b[33m' },
  50: { name: 'ERROR', colour: '\u001b[31m' },
  60: { name: 'FATAL', colour: '\u001b[31m' },
}
const DIM = '\u001b[2m'
const PLAIN = '\u001b[0m'

/**
 * Formats a JSON line from pino as `14:03:12 WARN  poller: device is down device=core-1`, in local time, with an
 * error's stack on separate lines. Any other line is returned unchanged.
 */
export function logText(line: string, colour: boolean): string {
  const record = recordOf(line)
  if (record === null) return line
  const { time, level, msg, component, err, ...rest } = record
  const { name, colour: tint } = LEVELS[Number(level)] ?? { name: String(level), colour: '' }
  const paint = (text: string, code: string) => (colour && code !== '' ? code + text + PLAIN : text)
  const { message, stack } = errorOf(err)
  const parts = [
    paint(clock(time), DIM),
    paint(name.padEnd(5), tint),
    component === undefined ? '' : `${oneLine(String(component))}:`,
    oneLine(String(msg ?? '')),
    ...Object.entries(rest).map(([key, value]) => paint(`${key}=${valueText(value)}`, DIM)),
    message === null ? '' : `error=${valueText(message)}`,
  ]
  const stackText = stack === null ? '' : `${stack.split('\n').map(oneLine).join('\n')}\n`
  return `${parts.filter((part) => part !== '').join(' ')}\n${stackText}`
}

function recordOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/** An error's stack, which includes its message, or the message if there is no stack. */
function errorOf(err: unknown): { message: string | null; stack: string | null } {
  if (err === undefined) return { message: null, stack: null }
  if (typeof err !== 'object' || err === null) return { message: String(err), stack: null }
  const { message, stack }: { message?: unknown; stack?: unknown } = err
  const text = typeof message === 'string' ? message : JSON.stringify(err)
  return typeof stack === 'string' && stack !== '' ? { message: null, stack } : { message: text, stack: null }
}

function clock(time: unknown): string {
  const at = new Date(String(time))
  if (Number.isNaN(at.getTime())) return String(time)
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[\s"=]/.test(text) && typeof value === 'string' ? JSON.stringify(oneLine(text)) : oneLine(text)
}
