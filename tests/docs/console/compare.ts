/** What differs each time, and the word that stands for it on both sides. Earlier ones come first. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d\b/g, 'DATE'],
  [/\b(password) \S+/g, '$1 PASSWORD'],
  [/:\/\/([\w-]+):[^@\s]+@/g, '://$1:PASSWORD@'],
  [/\bplk1_[\w-]{43}/g, 'KEY'],
  // of live events
  [/\b(id: )\d+-\d+|\b(retry: )\d+|("time":)[\d.]+/g, '$1$2$3N'],
  [/\b[0-9a-f]{12,64}\b/g, 'TOKEN'],
  [/\bcalendar\/\d+-[\w-]{24}\b/g, 'calendar/TOKEN'],
  [/\b(id|in about) \d+/g, '$1 N'],
  [/\b(bill) \d+(?= added)/g, '$1 N'],
  [/\b[\d,.]+ (?:ms|s|min|m|h|d)\b(?: [\d,.]+ (?:s|min|m|h)\b)?/g, 'DURATION'],
]
/** Figures that depend on what is monitored, on pages whose figures are an example. */
const FIGURES: readonly (readonly [RegExp, string])[] = [
  [/[-+]?\b[\d,]+(?:\.\d+)? ?(?:[kMGTP]i?)?(?:B|bps|rows\/s|B\/s)\b/g, 'SIZE'],
  [/[-+]?\b\d[\d,.]*\b/g, 'N'],
]

/** Left out within a line, or as a line of its own: any number of lines. */
const LEFT_OUT = /…|\.\.\./

function masked(line: string, figures: boolean): string {
  const masks = figures ? [...MASKS, ...FIGURES] : MASKS
  return masks.reduce((text, [pattern, word]) => text.replace(pattern, word), line.trim().replace(/ +/g, ' '))
}

/** A line of the page as a pattern: `…` and `...` stand for any text. */
function patternOf(line: string, figures: boolean): RegExp {
  const parts = line.split(LEFT_OUT).map((part) => {
    const [before = '', after = ''] = [/^ */.exec(part)?.[0] ?? '', / *$/.exec(part)?.[0] ?? '']
    const text = masked(part, figures).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return `${before === '' ? '' : ' *'}${text}${after === '' ? '' : ' *'}`
  })
  return new RegExp(`^ *${parts.join('.*')} *$`, 's')
}

/**
 * What a page shows against what came. Null: they agree, apart from times, ids, passwords and durations, and with
 * `figures` from any number. Otherwise what is wrong, in a sentence. Runs of blanks count as one, because columns are as
 * wide as what is in them; empty lines count for nothing.
 */
export function disagreement(printed: readonly string[], came: string, figures: boolean): string | null {
  const wanted = printed
    .filter((line) => line.trim() !== '')
    .map((line) => ({ line, match: /^(?:…|\.\.\.)$/.test(line.trim()) ? null : patternOf(line, figures) }))
  const lines = came.split('\n').filter((line) => line.trim() !== '')
  const got = lines.map((line) => masked(line, figures))
  let at = 0
  let skipping = false
  for (const { line, match } of wanted) {
    if (match === null) {
      skipping = true
      continue
    }
    const fits = (text: string, i: number) => match.test(text) || match.test((lines[i] ?? '').trim())
    const found = got.findIndex((text, i) => i >= at && fits(text, i))
    if (found < 0 || (!skipping && found !== at))
      return `the page shows «${line.trim()}», but this came: «${lines[at]?.trim() ?? 'nothing more'}»`
    at = found + 1
    skipping = false
  }
  if (!skipping && at < lines.length) return `this came as well, which the page does not show: «${lines[at]?.trim()}»`
  return null
}
