import { type Measured, oneLine } from './result.ts'

/** Maximum number of values kept from one output. */
const MAX_VALUES = 64
const MAX_LABEL = 128
const VALUE = /^([-+]?(?:\d{1,60}(?:\.\d{0,60})?|\.\d{1,60})(?:[eE][-+]?\d{1,3})?|U)([^\d;]{0,16})$/

export interface PluginOutput {
  /** The first line, without performance data. */
  readonly text: string
  readonly measured: readonly Measured[]
}

/**
 * Splits the output of a plugin into its first line and its performance data, which follows a `|` in the first line and
 * a `|` in the other lines, there to the end. Source: Monitoring Plugins Development Guidelines, "Plugin Output for
 * Nagios".
 */
export function parseOutput(output: string): PluginOutput {
  const end = output.indexOf('\n')
  const first = end < 0 ? output : output.slice(0, end)
  const rest = end < 0 ? '' : output.slice(end + 1)
  const bar = first.indexOf('|')
  const more = rest.indexOf('|')
  const data = `${bar < 0 ? '' : first.slice(bar + 1)} ${more < 0 ? '' : rest.slice(more + 1)}`
  return { text: oneLine(bar < 0 ? first : first.slice(0, bar)), measured: parsePerfdata(data) }
}

/**
 * Values in performance data, `'label'=value[unit];[warn];[crit];[min];[max]` separated by blanks. A label in quotes
 * may contain blanks, `=` and doubled quotes. Malformed values are skipped, the first of several with one label counts,
 * and at most 64 are returned.
 */
export function parsePerfdata(text: string): Measured[] {
  const found = new Map<string, Measured>()
  let at = 0
  while (at < text.length && found.size < MAX_VALUES) {
    if (isBlank(text.charAt(at))) {
      at++
      continue
    }
    const label = text.charAt(at) === "'" ? quotedLabel(text, at) : plainLabel(text, at)
    let end = label?.end ?? at
    while (end < text.length && !isBlank(text.charAt(end))) end++
    const name = label === null || label.name.length > MAX_LABEL ? '' : oneLine(label.name)
    if (label !== null && name !== '' && !found.has(name)) {
      const value = VALUE.exec(text.slice(label.end, end).split(';', 1)[0] ?? '')
      if (value !== null) {
        const number = value[1] === 'U' ? Number.NaN : Number(value[1])
        const known = Number.isFinite(number) ? number : Number.NaN
        found.set(name, { label: name, value: known, unit: oneLine(value[2] ?? '') })
      }
    }
    at = end
  }
  return [...found.values()]
}

interface Label {
  readonly name: string
  /** Index after the `=`. */
  readonly end: number
}

function quotedLabel(text: string, from: number): Label | null {
  let name = ''
  for (let at = from + 1; at < text.length; at++) {
    const c = text.charAt(at)
    if (c !== "'") name += c
    else if (text.charAt(at + 1) === "'") {
      name += "'"
      at++
    } else return { name: text.charAt(at + 1) === '=' ? name : '', end: at + 2 }
  }
  // without a closing quote, where the next value begins is unknown
  return { name: '', end: text.length }
}

function plainLabel(text: string, from: number): Label | null {
  for (let at = from; at < text.length && !isBlank(text.charAt(at)); at++) {
    if (text.charAt(at) === '=') return { name: text.slice(from, at), end: at + 1 }
  }
  return null
}

function isBlank(c: string): boolean {
  return c === ' ' || c === '\t' || c === '\n' || c === '\r'
}
