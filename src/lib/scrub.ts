/** Removes known secrets from texts. */
export type Scrub = (text: string) => string

const MASK = '********'
/** Forms of at least this many characters are replaced wherever they occur, shorter ones only as whole words. */
const LONG = 5
const PREFIX = 4

/**
 * Returns a function that replaces the secrets, also as encoded in JSON, URLs, hexadecimal and Base64, including
 * anywhere within a longer Base64 text. The time depends on the text, not on the number of secrets. Empty secrets are
 * ignored.
 */
export function createScrub(secrets: Iterable<string>): Scrub {
  const long = new Map<string, Set<string>>()
  const words = new Set<string>()
  for (const secret of new Set(secrets)) {
    if (secret === '') continue
    for (const form of formsOf(secret)) {
      if (form.length < LONG) {
        words.add(form)
        continue
      }
      const prefix = form.slice(0, PREFIX)
      const known = long.get(prefix)
      if (known === undefined) long.set(prefix, new Set([form]))
      else known.add(form)
    }
  }
  const found = new Map([...long].map(([prefix, forms]) => [prefix, { forms, lengths: lengthsOf(forms) }]))
  return (text) => withoutWords(withoutLong(text, found), words)
}

/** Forms with the same prefix, and their lengths, longest first. */
interface Forms {
  readonly forms: ReadonlySet<string>
  readonly lengths: readonly number[]
}

function lengthsOf(forms: ReadonlySet<string>): number[] {
  return [...new Set([...forms].map(({ length }) => length))].sort((a, b) => b - a)
}

/** The forms in which a secret may occur in a file. */
export function formsOf(secret: string): string[] {
  const octets = Buffer.from(secret, 'utf8')
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret.toWellFormed())
  const strict = url.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const form = new URLSearchParams({ x: secret.toWellFormed() }).toString().slice(2)
  const long = octets.length >= LONG
  return [
    ...new Set([
      secret,
      json,
      JSON.stringify(json).slice(1, -1),
      ...[url, strict, form].flatMap((text) => [text, lower(text)]),
      ...(long ? [octets.toString('hex'), octets.toString('hex').toUpperCase(), ...base64Forms(octets)] : []),
    ]),
  ]
}

/** Base64 of the octets after 0, 1 and 2 other octets, without the characters that depend on their neighbours. */
function base64Forms(octets: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), octets])
      .toString('base64')
      .replace(/=+$/, '')
    const whole = Math.floor(((before + octets.length) * 8) / 6)
    const inner = text.slice(before === 0 ? 0 : before + 1, whole)
    const found = inner.length < LONG ? [] : [inner]
    return [...found, ...found.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
  })
}

function withoutLong(text: string, long: ReadonlyMap<string, Forms>): string {
  if (long.size === 0) return text
  const parts: string[] = []
  let from = 0
  for (let at = 0; at + PREFIX <= text.length; ) {
    const known = long.get(text.slice(at, at + PREFIX))
    const length = known?.lengths.find((n) => known.forms.has(text.slice(at, at + n)))
    if (length === undefined) {
      at++
      continue
    }
    parts.push(text.slice(from, at), MASK)
    at += length
    from = at
  }
  parts.push(text.slice(from))
  return parts.join('')
}

function withoutWords(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text
  const either = [...words].map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_])`, 'gu'), MASK)
}
