/** Limit of a definition file, in characters; the largest published one has 60,000. */
const MAX_FILE = 2_000_000

/** A map of a definition file. */
export type YamlMap = Readonly<Record<string, unknown>>

/**
 * Parses a definition file. Two published files are not quite valid YAML and are read as LibreNMS reads them: of
 * several scalars on separate lines below a key the first one counts, and an empty entry between two commas of a flow
 * map is ignored. Throws an Error with the parser's message.
 */
export function parseYaml(text: string): YamlMap {
  if (text.length > MAX_FILE) throw new Error(`larger than ${MAX_FILE} characters`)
  let value: unknown
  try {
    value = Bun.YAML.parse(quotedZeros(text))
  } catch (error) {
    const mended = mend(text)
    if (mended === text) throw error
    value = Bun.YAML.parse(quotedZeros(mended))
  }
  if (!isMap(value)) throw new Error('not a map')
  return value
}

/** The text with digits after a leading zero between quotes: they are text, which the parser takes for a number. */
function quotedZeros(text: string): string {
  return text
    .replace(/^(\s*(?:- +)*(?:[\w.-]+: +)?)(0\d+)(?=\s*$)/gm, "$1'$2'")
    .replace(/([{,]\s*[\w.-]+: +)(0\d+)(?=\s*[,}])/g, "$1'$2'")
}

function mend(text: string): string {
  const lines = text.split('\n')
  const kept = lines.filter((line, i) => !(isLoneScalar(line) && isLoneScalar(lines[i - 1] ?? '')))
  return kept.join('\n').replace(/,(\s*,)+/g, ',')
}

/** True for a line with a quoted text and nothing else. */
function isLoneScalar(line: string): boolean {
  return /^\s+('[^']*'|"[^"]*")\s*$/.test(line)
}

export function isMap(value: unknown): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list: a list unchanged, no value as an empty list, anything else as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The text of a scalar; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return null
}

/** A scalar as a field; null for anything else. */
export function fieldOf(value: unknown): string | number | null {
  return typeof value === 'number' ? value : textOf(value)
}
