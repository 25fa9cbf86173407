import { RE2JS } from 're2js'

/**
 * Only this many characters of a text are matched. A DisplayString has at most 255 octets (RFC 2579), as has sysDescr.
 */
export const MAX_MATCHED = 4096
/** Maximum instructions of a compiled expression; each may cost a step per character. Our largest definition has 85. */
const MAX_PROGRAM = 1000

export interface PatternMatch {
  readonly text: string
  /** Named groups; undefined for a group that did not match. */
  readonly groups: Readonly<Record<string, string | undefined>>
}

/**
 * A regular expression over untrusted text. For every expression, matching takes time proportional to the length of the
 * text: it runs on RE2's automata, which do not backtrack, and reads only the first 4,096 characters. The syntax is
 * JavaScript's, with the flags `i` (the default), `m` and `s`, without look-around and backreferences; nested
 * repetitions may multiply to at most 1,000. An expression that RE2 does not accept matches nothing, so check `error`
 * when accepting one from a user.
 */
export class Pattern {
  private compiled: RE2JS | null = null
  private reason: string | null = null
  private names: readonly string[] = []

  constructor(
    readonly source: string,
    private readonly flags = 'i',
  ) {}

  /** The reason the expression does not compile; null when it does. */
  error(): string | null {
    this.program()
    return this.reason
  }

  test(text: string): boolean {
    return this.program()?.test(cut(text)) ?? false
  }

  /** The first match, or null. */
  exec(text: string): PatternMatch | null {
    const matcher = this.program()?.matcher(cut(text))
    if (matcher?.find() !== true) return null
    const groups = this.names.map((name) => [name, matcher.group(name) ?? undefined])
    return { text: matcher.group() ?? '', groups: Object.fromEntries(groups) }
  }

  /** The text with every match replaced; `$1` inserts a group; a number without a group stays as it is. */
  replace(text: string, by: string): string {
    const matcher = this.program()?.matcher(cut(text))
    try {
      return matcher?.replaceAll(by) ?? text
    } catch {
      return text
    }
  }

  /** Compiled on first use, because a worker uses few of the hundreds of expressions in the definitions. */
  private program(): RE2JS | null {
    if (this.compiled !== null || this.reason !== null) return this.compiled
    try {
      const compiled = compile(this.source, this.flags)
      this.names = Object.keys(compiled.namedGroups())
      this.compiled = compiled
    } catch (error) {
      this.reason = error instanceof Error ? error.message : String(error)
    }
    return this.compiled
  }
}

function compile(source: string, flags: string): RE2JS {
  let options = RE2JS.LOOKBEHINDS
  if (flags.includes('i')) options |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) options |= RE2JS.MULTILINE
  if (flags.includes('s')) options |= RE2JS.DOTALL
  const compiled = RE2JS.compile(flags.includes('s') ? source : likeJavaScript(source), options)
  if (compiled.programSize() > MAX_PROGRAM) throw new Error('expression too large')
  return compiled
}

function cut(text: string): string {
  return text.length > MAX_MATCHED ? text.slice(0, MAX_MATCHED) : text
}

/** Makes `.` exclude the carriage return as in JavaScript, because agents end the lines of sysDescr with CR LF. */
function likeJavaScript(source: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i++) {
    const c = source[i] as string
    if (c === '\\') {
      i++
      out += c + (source[i] ?? '')
      continue
    }
    if (c === '[') inClass = true
    else if (c === ']') inClass = false
    out += c === '.' && !inClass ? '[^\\r\\n]' : c
  }
  return out
}
