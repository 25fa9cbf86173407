import { Lexer, MAX_MODULE_CHARS } from './lexer.ts'

/** One component of an OID's definition: `enterprises`, `9`, or `cisco(9)`. */
export interface OidPart {
  readonly name: string | null
  readonly id: number | null
}

/** A SYNTAX clause as written. */
export interface SyntaxText {
  /** Name of a type or base type; `OCTET STRING`, `OBJECT IDENTIFIER`, `SEQUENCE OF` and `SEQUENCE` in full. */
  readonly type: string
  /** Labels of INTEGER or BITS; null: none. */
  readonly labels: ReadonlyMap<number, string> | null
  /** Size in octets if it is fixed; null: variable or not given. */
  readonly size: number | null
}

/** A definition with an OID. */
export interface SmiNode {
  readonly name: string
  /** `OBJECT-TYPE`, `OBJECT IDENTIFIER`, `MODULE-IDENTITY`, `NOTIFICATION-TYPE` ... */
  readonly macro: string
  readonly oid: readonly OidPart[]
  readonly syntax: SyntaxText | null
  readonly index: readonly { readonly name: string; readonly implied: boolean }[] | null
  readonly augments: string | null
}

/** A type or textual convention. */
export interface SmiType {
  readonly syntax: SyntaxText
  readonly hint: string | null
}

/** A module as written, with nothing resolved. */
export interface SmiModule {
  readonly name: string
  /** The module from which each imported name comes. */
  readonly imports: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, SmiNode>
  readonly types: ReadonlyMap<string, SmiType>
  /** Descriptions of definitions that could not be read; at most 20. */
  readonly faults: readonly string[]
}

/** Limit of definitions kept per module; the largest published one has 30,000. */
const MAX_DEFINITIONS = 200_000
const MAX_FAULTS = 20
const MAX_LABELS = 20_000
const MAX_PARTS = 128

/** The name of the first module in a file's text; null: there is none. */
export function moduleName(text: string): string | null {
  const lexer = new Lexer(text)
  let last: string | null = null
  for (let i = 0; i < 4096 && lexer.next(); i++) {
    if (lexer.kind === 'name' && lexer.value === 'DEFINITIONS') return last
    // MODULE { oid } DEFINITIONS is allowed
    if (lexer.kind === 'name') last = lexer.value
    if (lexer.kind === 'mark' && lexer.value === '{') skipPast(lexer, '}')
  }
  return null
}

/** Skips to the next token with this value. */
function skipPast(lexer: Lexer, value: string): void {
  while (lexer.next()) if (lexer.value === value && lexer.kind !== 'text') return
}

/** Parses every module of a file. Never throws: what cannot be read is left out and described in `faults`. */
export function parseModules(text: string): readonly SmiModule[] {
  return new Parser(text.length > MAX_MODULE_CHARS ? text.slice(0, MAX_MODULE_CHARS) : text).modules()
}

/** Macros whose definitions end in an OID. */
const MACROS: ReadonlySet<string> = new Set([
  'OBJECT-TYPE',
  'OBJECT-IDENTITY',
  'MODULE-IDENTITY',
  'NOTIFICATION-TYPE',
  'OBJECT-GROUP',
  'NOTIFICATION-GROUP',
  'MODULE-COMPLIANCE',
  'AGENT-CAPABILITIES',
  'TRAP-TYPE',
])

class Parser {
  private readonly lexer: Lexer
  private nodes = new Map<string, SmiNode>()
  private types = new Map<string, SmiType>()
  private imports = new Map<string, string>()
  private faults: string[] = []

  constructor(text: string) {
    this.lexer = new Lexer(text)
  }

  modules(): readonly SmiModule[] {
    const { lexer } = this
    const found: SmiModule[] = []
    let name: string | null = null
    while (lexer.next() && found.length < 100) {
      if (lexer.kind === 'mark' && lexer.value === '{') this.skipBraces()
      else if (lexer.kind !== 'name') continue
      else if (lexer.value !== 'DEFINITIONS') name = lexer.value
      else if (name !== null) {
        skipPast(lexer, 'BEGIN')
        found.push(this.body(name))
        name = null
      }
    }
    return found
  }

  private is(value: string): boolean {
    return this.lexer.value === value && this.lexer.kind !== 'text'
  }

  private fault(text: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(text)
  }

  private body(name: string): SmiModule {
    this.nodes = new Map()
    this.types = new Map()
    this.imports = new Map()
    this.faults = []
    const { lexer } = this
    let more = lexer.next()
    let ended = false
    while (more && this.nodes.size + this.types.size < MAX_DEFINITIONS) {
      if (this.is('END')) {
        ended = true
        break
      }
      if (this.is('IMPORTS')) more = this.readImports()
      else if (this.is('EXPORTS')) more = this.skipTo(';') && lexer.next()
      else if (lexer.kind === 'name') more = this.definition(lexer.value)
      else more = lexer.next()
    }
    if (!ended) this.fault('END is missing')
    const { imports, nodes, types, faults } = this
    return { name, imports, nodes, types, faults }
  }

  private readImports(): boolean {
    const { lexer } = this
    let names: string[] = []
    while (lexer.next() && !this.is(';') && !this.is('END') && !this.is('::=')) {
      if (this.is('FROM')) {
        if (!lexer.next()) return false
        for (const name of names) this.imports.set(name, lexer.value)
        names = []
      } else if (lexer.kind === 'name') {
        if (names.length < MAX_DEFINITIONS) names.push(lexer.value)
      }
    }
    return this.is(';') ? lexer.next() : lexer.kind !== 'end'
  }

  /** Reads a definition that begins with this name; afterwards the lexer is at the token after it. */
  private definition(name: string): boolean {
    const { lexer } = this
    if (!lexer.next()) return false
    if (this.is('MACRO')) {
      while (lexer.next() && !this.is('END'));
      return lexer.next()
    }
    if (this.is('::=')) return this.type(name)
    if (this.is('OBJECT')) {
      if (!(lexer.next() && this.is('IDENTIFIER'))) return true
      if (!(lexer.next() && this.is('::='))) return true
      return this.close(name, 'OBJECT IDENTIFIER', null, null, null)
    }
    // anything else is not a definition, but a definition may follow
    if (lexer.kind === 'name' && MACROS.has(lexer.value)) return this.macro(name, lexer.value)
    return true
  }

  private macro(name: string, macro: string): boolean {
    const { lexer } = this
    let syntax: SyntaxText | null = null
    let index: SmiNode['index'] = null
    let augments: string | null = null
    let more = lexer.next()
    const object = macro === 'OBJECT-TYPE'
    while (more && !this.is('::=')) {
      if (object && syntax === null && this.is('SYNTAX')) {
        lexer.next()
        syntax = this.syntax()
        more = lexer.kind !== 'end'
        continue
      }
      if (object && this.is('INDEX')) index = this.indexList()
      else if (object && this.is('AUGMENTS')) augments = this.indexList()[0]?.name ?? null
      else if (this.is('{')) this.skipBraces()
      else if (this.is('END')) {
        this.fault(`${name}: the definition has no end`)
        return true
      }
      more = lexer.next()
    }
    if (!more) {
      this.fault(`${name}: the definition has no end`)
      return false
    }
    return this.close(name, macro, syntax, index, augments)
  }

  /** At `::=`: reads the OID in braces. */
  private close(
    name: string,
    macro: string,
    syntax: SyntaxText | null,
    index: SmiNode['index'],
    augments: string | null,
  ): boolean {
    const { lexer } = this
    if (!lexer.next()) {
      this.fault(`${name}: the OID is missing`)
      return false
    }
    // a TRAP-TYPE has a number instead
    if (!this.is('{')) return lexer.kind === 'number' ? lexer.next() : true
    const oid: OidPart[] = []
    while (lexer.next() && !this.is('}') && oid.length < MAX_PARTS) {
      if (lexer.kind === 'number') oid.push({ name: null, id: Number(lexer.value) })
      else if (lexer.kind === 'name') oid.push({ name: lexer.value, id: null })
      else if (this.is('(')) {
        const last = oid.pop()
        lexer.next()
        if (last !== undefined) oid.push({ name: last.name, id: Number(lexer.value) })
      } else if (!this.is(')') && !this.is(',') && !this.is('.')) {
        this.fault(`${name}: the OID cannot be read`)
        return lexer.kind !== 'end'
      }
    }
    const valid =
      oid.length > 0 && oid.every(({ id }) => id === null || (Number.isInteger(id) && id >= 0 && id < 2 ** 32))
    if (valid && this.is('}')) this.nodes.set(name, { name, macro, oid, syntax, index, augments })
    else this.fault(`${name}: the OID cannot be read`)
    return lexer.next()
  }

  private type(name: string): boolean {
    const { lexer } = this
    if (!lexer.next()) return false
    let hint: string | null = null
    if (this.is('TEXTUAL-CONVENTION')) {
      while (lexer.next() && !this.is('SYNTAX')) {
        if (this.is('DISPLAY-HINT')) {
          lexer.next()
          hint = lexer.value
        } else if (this.is('::=') || this.is('END')) {
          this.fault(`${name}: SYNTAX is missing`)
          return true
        }
      }
      if (!lexer.next()) return false
    }
    const syntax = this.syntax()
    if (syntax !== null) this.types.set(name, { syntax, hint })
    return lexer.kind !== 'end'
  }

  /** At the first token of a type: reads the type; afterwards the lexer is at the token after it. */
  private syntax(): SyntaxText | null {
    const { lexer } = this
    // tags such as [APPLICATION 1] IMPLICIT
    if (this.is('[')) {
      this.skipTo(']')
      lexer.next()
    }
    while (this.is('IMPLICIT') || this.is('EXPLICIT')) lexer.next()
    if (lexer.kind !== 'name') return null
    let type = lexer.value
    lexer.next()
    if (type === 'OCTET' && this.is('STRING')) type = this.and('OCTET STRING')
    else if (type === 'OBJECT' && this.is('IDENTIFIER')) type = this.and('OBJECT IDENTIFIER')
    else if (type === 'SEQUENCE' && this.is('OF')) {
      lexer.next()
      return { type: this.and('SEQUENCE OF'), labels: null, size: null }
    } else if (type === 'SEQUENCE' || type === 'CHOICE') {
      if (this.is('{')) this.skipBraces()
      lexer.next()
      return { type, labels: null, size: null }
    }
    let labels: ReadonlyMap<number, string> | null = null
    let size: number | null = null
    // labels and size may occur in either order, and some modules have both
    for (let i = 0; i < 4; i++) {
      if (this.is('{')) labels = this.labels()
      else if (this.is('(')) size = this.range() ?? size
      else break
    }
    return { type, labels, size }
  }

  private and(type: string): string {
    this.lexer.next()
    return type
  }

  private labels(): ReadonlyMap<number, string> {
    const { lexer } = this
    const labels = new Map<number, string>()
    let name: string | null = null
    while (lexer.next() && !this.is('}') && !this.is('::=')) {
      if (lexer.kind === 'name') name = lexer.value
      else if (lexer.kind === 'number' && name !== null) {
        const value = Number(lexer.value)
        if (Number.isFinite(value) && labels.size < MAX_LABELS && !labels.has(value)) labels.set(value, name)
        name = null
      }
    }
    if (this.is('}')) lexer.next()
    return labels
  }

  /** At `(`: returns the size if it is a single number, else null. */
  private range(): number | null {
    const { lexer } = this
    const seen: string[] = []
    let depth = 1
    while (depth > 0 && lexer.next() && !this.is('::=')) {
      if (this.is('(')) depth++
      else if (this.is(')')) depth--
      if (seen.length < 8) seen.push(lexer.value)
    }
    lexer.next()
    const [word, open, number, close] = seen
    if (word !== 'SIZE' || open !== '(' || close !== ')') return null
    return /^\d+$/.test(number ?? '') ? Number(number) : null
  }

  /** At INDEX or AUGMENTS: returns the names in braces. */
  private indexList(): { readonly name: string; readonly implied: boolean }[] {
    const { lexer } = this
    const names: { readonly name: string; readonly implied: boolean }[] = []
    if (!lexer.next() || !this.is('{')) return names
    let implied = false
    while (lexer.next() && !this.is('}') && names.length < MAX_PARTS) {
      if (this.is('IMPLIED')) implied = true
      else if (lexer.kind === 'name') {
        names.push({ name: lexer.value, implied })
        implied = false
      }
    }
    return names
  }

  /** At `{`: moves to the matching `}`. */
  private skipBraces(): void {
    let depth = 1
    while (depth > 0 && this.lexer.next()) {
      if (this.is('{')) depth++
      else if (this.is('}')) depth--
      else if (this.is('::=')) return
    }
  }

  private skipTo(mark: string): boolean {
    while (this.lexer.next()) if (this.is(mark)) return true
    return false
  }
}
