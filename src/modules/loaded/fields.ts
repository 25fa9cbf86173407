import type { Field } from '../../librenms/form.ts'
import { filtered } from './filters.ts'

/** Looks up the text for a name in one row. */
export type Find = (name: string) => string | undefined

/** `{{ $name|filter }}`, with exactly one space at each end. */
const PLACEHOLDER = /\{\{ \$?([\w.:-]+)((?:\|\w+(?:\((?:'[^']*'|"[^"]*"|[^()'"])*\))?)*) \}\}/g
/** Limit of a filled text, in characters. */
const MAX_TEXT = 4096

/** What a field can refer to in one row. */
export interface RowFields {
  readonly index: string
  /** Looks a name up in the row, then in everything that was read. */
  readonly find: Find
  /** Looks up a column of the current row only. */
  readonly column: Find
  /** Number of the row, from 1; undefined if unknown. */
  readonly count?: number
}

/** The text of a field: looked up if the whole field is a name, else with its placeholders replaced. */
export function evaluate(field: Field, row: RowFields): string {
  if (typeof field === 'number') return String(field)
  return row.find(field) ?? filled(field, row)
}

/** The text with its placeholders replaced; unknown names become empty. */
export function filled(text: string, row: RowFields): string {
  if (!text.includes('{{')) return text
  const out = text.replace(PLACEHOLDER, (_whole, name: string, filters: string) => {
    const first = variable(name, row)
    if (first !== undefined) return filtered(first, filters)
    return second(name, row)
  })
  return out.slice(0, MAX_TEXT)
}

/**
 * The OID to poll, without a leading dot: only the variables of the index are replaced, all others become empty. A part
 * in double quotes is a text in an index: its length and its octets. An empty index leaves no dot behind.
 */
export function filledByIndex(text: string, index: string): string {
  const nothing: Find = () => undefined
  return filled(text, { index, find: nothing, column: nothing })
    .replace(/"([^"]*)"/g, (_whole, part: string) => {
      const octets = new TextEncoder().encode(part)
      return [octets.length, ...octets].join('.')
    })
    .replace(/\s+/g, '')
    .replace(/^\.+|\.+$/g, '')
}

function variable(name: string, row: RowFields): string | undefined {
  if (name === 'index') return row.index
  if (name === 'count') return row.count === undefined ? '' : String(row.count)
  const part = /^subindex(\d+)$/.exec(name)?.[1]
  if (part !== undefined) return row.index.split('.')[Number(part)]
  return row.column(name)
}

function second(name: string, row: RowFields): string {
  if (name === 'index_string' || name.startsWith('index_string:'))
    return indexText(row.index, name.slice('index_string:'.length) || 's')
  if (name.startsWith('InetAddress_')) return addressText(row.find(name.slice('InetAddress_'.length)) ?? '')
  return row.find(name) ?? ''
}

/**
 * A text in the index. In `format`, `n` skips a sub-identifier and `s` is a length followed by that many octets; the
 * last `s` is returned.
 */
function indexText(index: string, format: string): string {
  const ids = index.split('.').map(Number)
  let at = 0
  let text = ''
  for (const letter of format) {
    if (letter === 'n') at++
    else {
      const length = ids[at] ?? 0
      if (at + 1 + length > ids.length) return ''
      text = String.fromCharCode(...ids.slice(at + 1, at + 1 + length))
      at += 1 + length
    }
  }
  return format.endsWith('s') ? text : ''
}

/** An address given as text, as hex digits or as its octets. */
function addressText(text: string): string {
  const bare = text.replace(/[\s"]/g, '')
  if (/^[\da-fA-F]{8}$/.test(bare)) return [...Uint8Array.fromHex(bare)].join('.')
  if (/^[\da-fA-F]{32}$/.test(bare)) {
    const groups = bare.toLowerCase().match(/.{4}/g) ?? []
    try {
      return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
    } catch {
      return bare
    }
  }
  if (text.length === 4 && !/^[\d.:]+$/.test(text)) return [...text].map((c) => c.charCodeAt(0)).join('.')
  return bare
}
