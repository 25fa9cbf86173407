import type { Field } from '../../librenms/form.ts'
import { filtered } from './filters.ts'

/** Finds the text of a name for one row. */
export type Find = (name: string) => string | undefined

/** `{{ $name|filter }}`, with exactly one blank at each end. */
const PLACEHOLDER = /\{\{ \$?([\w.:-]+)((?:\|\w+(?:\((?:'[^']*'|"[^"]*"|[^()'"])*\))?)*) \}\}/g
/** Characters of a filled text. */
const MAX_TEXT = 4096

/** One row as fields see it. */
export interface RowFields {
  readonly index: string
  /** A name in the row, or anywhere. */
  readonly find: Find
  /** A column of the current row only. */
  readonly column: Find
  /** Number of the row; undefined where it is not known. */
  readonly count?: number
}

/** The text of a field: that of the whole as a name, else with its placeholders replaced. */
export function evaluate(field: Field, row: RowFields): string {
  if (typeof field === 'number') return String(field)
  return row.find(field) ?? filled(field, row)
}

/** The text with its placeholders replaced; those of unknown names are empty. */
export function filled(text: string, row: RowFields): string {
  if (!text.includes('{{')) return text
  const out = text.replace(PLACEHOLDER, (_whole, name: string, filters: string) => {
    const first = variable(name, row)
    if (first !== undefined) return filtered(first, filters)
    return second(name, row)
  })
  return out.slice(0, MAX_TEXT)
}

/** Variables of the index only, as OIDs to poll use them; others are empty. */
export function filledByIndex(text: string, index: string): string {
  const nothing: Find = () => undefined
  return filled(text, { index, find: nothing, column: nothing }).replace(/\s+/g, '')
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

/** A text in the index: `n` skips a sub-identifier, `s` is a length and so many octets; the last one is returned. */
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

/** An address that was printed, or in hex digits, or as its octets. */
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
