import type { OidPart, SmiModule, SmiNode, SyntaxText } from './module.ts'

/** The encoding of an object's values. */
export type BaseType =
  | 'integer'
  | 'octets'
  | 'oid'
  | 'ip'
  | 'ticks'
  | 'counter'
  | 'counter64'
  | 'gauge'
  | 'bits'
  | 'opaque'
  | 'unknown'

/** A type with everything that its chain of textual conventions adds. */
export interface ResolvedType {
  readonly base: BaseType
  readonly labels: ReadonlyMap<number, string> | null
  /** DISPLAY-HINT (RFC 2579 section 3.1). */
  readonly hint: string | null
  /** Size in octets of a type with a fixed size. */
  readonly size: number | null
}

/** One component of a row's index. */
export interface IndexPart {
  readonly base: BaseType
  readonly labels: ReadonlyMap<number, string> | null
  /** Not preceded by its length, because it is IMPLIED or of this fixed size. */
  readonly implied: boolean
  readonly size: number | null
}

export interface ResolvedObject {
  readonly module: string
  readonly name: string
  /** Dotted decimal without a leading dot. */
  readonly oid: string
  /** `node`: not an object, such as a group. */
  readonly kind: 'table' | 'entry' | 'column' | 'scalar' | 'node'
  readonly type: ResolvedType | null
  /** For columns and entries; null for others, or if unknown. */
  readonly index: readonly IndexPart[] | null
}

/** Returns the module with a name; undefined: there is none. */
export type ModuleSource = (name: string) => SmiModule | undefined

const UNKNOWN: ResolvedType = { base: 'unknown', labels: null, hint: null, size: null }

const BASES: Readonly<Record<string, BaseType>> = {
  INTEGER: 'integer',
  Integer32: 'integer',
  Unsigned32: 'gauge',
  UInteger32: 'gauge',
  Gauge: 'gauge',
  Gauge32: 'gauge',
  Counter: 'counter',
  Counter32: 'counter',
  Counter64: 'counter64',
  TimeTicks: 'ticks',
  IpAddress: 'ip',
  NetworkAddress: 'ip',
  Opaque: 'opaque',
  BITS: 'bits',
  'OCTET STRING': 'octets',
  NsapAddress: 'octets',
  DisplayString: 'octets',
  PhysAddress: 'octets',
  'OBJECT IDENTIFIER': 'oid',
}

/** The successors of modules from RFC 1065 to 1271; net-snmp knows the same ones. */
const SUCCESSORS: Readonly<Record<string, readonly string[]>> = {
  'RFC1065-SMI': ['RFC1155-SMI', 'SNMPv2-SMI'],
  'RFC1066-MIB': ['IF-MIB', 'IP-MIB', 'SNMPv2-MIB', 'TCP-MIB', 'UDP-MIB'],
  'RFC1155-SMI': ['SNMPv2-SMI'],
  'RFC1156-MIB': ['IF-MIB', 'IP-MIB', 'SNMPv2-MIB', 'TCP-MIB', 'UDP-MIB'],
  'RFC1158-MIB': ['IF-MIB', 'IP-MIB', 'SNMPv2-MIB', 'TCP-MIB', 'UDP-MIB', 'SNMPv2-SMI'],
  'RFC1213-MIB': ['IF-MIB', 'IP-MIB', 'SNMPv2-MIB', 'TCP-MIB', 'UDP-MIB', 'SNMPv2-SMI', 'SNMPv2-TC'],
  'RFC-1212': ['SNMPv2-SMI'],
  RFC1212: ['SNMPv2-SMI'],
  RFC1271: ['RMON-MIB'],
  'RFC1271-MIB': ['RMON-MIB'],
  RFC1286: ['BRIDGE-MIB', 'SOURCE-ROUTING-MIB'],
  'RFC1286-MIB': ['BRIDGE-MIB', 'SOURCE-ROUTING-MIB'],
  RFC1315: ['FRAME-RELAY-DTE-MIB'],
  'RFC1315-MIB': ['FRAME-RELAY-DTE-MIB'],
  RFC1316: ['CHARACTER-MIB', 'RS-232-MIB', 'PARALLEL-MIB'],
  'RFC1406-MIB': ['DS1-MIB'],
  'RFC1407-MIB': ['DS3-MIB'],
  'RFC1595-MIB': ['SONET-MIB'],
  'RFC1628-MIB': ['UPS-MIB'],
}

const ROOTS: Readonly<Record<string, string>> = { ccitt: '0', iso: '1', 'joint-iso-ccitt': '2', zeroDotZero: '0.0' }

const MAX_DEPTH = 64

/**
 * Resolves the names of a search path to OIDs and types. Everything is resolved on demand and cached, so a module costs
 * little if only one of its objects is used. A name whose parent cannot be resolved does not exist (RFC 2578 section
 * 3.1).
 */
export class SmiLibrary {
  private readonly oids = new Map<string, string | null>()
  private readonly successors: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(SUCCESSORS))

  constructor(private readonly source: ModuleSource) {}

  /** The object with this name in a module; null: unknown. */
  object(module: string, name: string): ResolvedObject | null {
    const node = this.source(module)?.nodes.get(name)
    if (node === undefined) return null
    const oid = this.oid(module, name, 0)
    if (oid === null) return null
    const kind = this.kind(module, node)
    const entry = kind === 'entry' ? { module, node } : kind === 'column' ? this.parent(module, node) : null
    return {
      module,
      name,
      oid,
      kind,
      type: node.syntax === null || kind === 'table' || kind === 'entry' ? null : this.type(module, node.syntax, 0),
      index: entry === null ? null : this.index(entry.module, entry.node, 0),
    }
  }

  /** The names of a module's nodes with their OIDs; nodes without an OID are left out. */
  *names(module: string): Generator<readonly [name: string, oid: string]> {
    for (const name of this.source(module)?.nodes.keys() ?? []) {
      const oid = this.oid(module, name, 0)
      if (oid !== null) yield [name, oid]
    }
  }

  private kind(module: string, node: SmiNode): ResolvedObject['kind'] {
    if (node.macro !== 'OBJECT-TYPE') return 'node'
    if (node.syntax?.type === 'SEQUENCE OF') return 'table'
    if (node.index !== null || node.augments !== null) return 'entry'
    const parent = this.parent(module, node)
    if (parent === null || parent.node.macro !== 'OBJECT-TYPE') return 'scalar'
    if (parent.node.syntax?.type === 'SEQUENCE OF') return 'entry'
    return 'column'
  }

  /** The node with which a definition's OID begins, if exactly one number follows. */
  private parent(module: string, node: SmiNode): { readonly module: string; readonly node: SmiNode } | null {
    const [first, second, ...more] = node.oid
    if (first?.name == null || second === undefined || more.length > 0) return null
    const at = this.find(module, first.name, 0)
    const found = at === null ? undefined : this.source(at)?.nodes.get(first.name)
    return at === null || found === undefined ? null : { module: at, node: found }
  }

  /** The module that defines a name used in this one; null: unknown. */
  private find(module: string, name: string, depth: number): string | null {
    const parsed = this.source(module)
    if (parsed === undefined || depth > MAX_DEPTH) return null
    if (parsed.nodes.has(name) || parsed.types.has(name)) return module
    const from = parsed.imports.get(name)
    if (from === undefined) return null
    for (const candidate of [from, ...(this.successors.get(from) ?? [])]) {
      const other = this.source(candidate)
      if (other?.nodes.has(name) || other?.types.has(name)) return candidate
    }
    // some modules re-export what they import
    return from === module ? null : this.find(from, name, depth + 1)
  }

  private oid(module: string, name: string, depth: number): string | null {
    const key = `${module}::${name}`
    const known = this.oids.get(key)
    if (known !== undefined) return known
    if (depth > MAX_DEPTH) return null
    // guards against definitions that refer to themselves
    this.oids.set(key, null)
    const node = this.source(module)?.nodes.get(name)
    let resolved = node === undefined ? null : this.resolve(module, node.oid, depth)
    // some modules redefine what they import, below a name that they do not import
    const from = this.source(module)?.imports.get(name)
    if (resolved === null && from !== undefined && from !== module) resolved = this.oid(from, name, depth + 1)
    this.oids.set(key, resolved)
    return resolved
  }

  private resolve(module: string, parts: readonly OidPart[], depth: number): string | null {
    const ids: (string | number)[] = []
    for (const [i, { name, id }] of parts.entries()) {
      if (id !== null && (i > 0 || name === null)) ids.push(id)
      else if (i > 0 || name === null) return null
      else {
        const at = this.find(module, name, 0)
        const found =
          (at === null ? null : this.oid(at, name, depth + 1)) ?? ROOTS[name] ?? (id === null ? null : `${id}`)
        if (found === null) return null
        ids.push(found)
      }
    }
    return ids.join('.')
  }

  private type(module: string, syntax: SyntaxText, depth: number): ResolvedType {
    const { type, labels, size } = syntax
    const at = depth > MAX_DEPTH ? null : this.find(module, type, 0)
    const named = at === null ? undefined : this.source(at)?.types.get(type)
    if (at === null || named === undefined || (at === module && named.syntax === syntax)) {
      const base = BASES[type] ?? 'unknown'
      return { ...UNKNOWN, base: base === 'integer' && labels !== null ? 'integer' : base, labels, size }
    }
    // SNMPv2-SMI also defines the base types, in terms of their encoding
    const fixed = DEFINED_IN_SMI.has(type) ? BASES[type] : undefined
    const inner = this.type(at, named.syntax, depth + 1)
    return {
      base: fixed ?? inner.base,
      labels: labels ?? inner.labels,
      hint: named.hint ?? inner.hint,
      size: size ?? inner.size,
    }
  }

  private index(module: string, entry: SmiNode, depth: number): readonly IndexPart[] | null {
    if (depth > MAX_DEPTH) return null
    if (entry.augments !== null) {
      const at = this.find(module, entry.augments, 0)
      const other = at === null ? undefined : this.source(at)?.nodes.get(entry.augments)
      return at === null || other === undefined ? null : this.index(at, other, depth + 1)
    }
    if (entry.index === null) return null
    const parts: IndexPart[] = []
    for (const { name, implied } of entry.index) {
      const at = this.find(module, name, 0)
      const node = at === null ? undefined : this.source(at)?.nodes.get(name)
      const syntax = node?.syntax
      // SMIv1 allows a type in place of a name
      const type =
        syntax && at !== null
          ? this.type(at, syntax, 0)
          : this.type(module, { type: name, labels: null, size: null }, 0)
      if (type.base === 'unknown') return null
      parts.push({ base: type.base, labels: type.labels, implied, size: type.base === 'octets' ? type.size : null })
    }
    return parts
  }
}

const DEFINED_IN_SMI: ReadonlySet<string> = new Set([
  'IpAddress',
  'NetworkAddress',
  'Counter',
  'Counter32',
  'Gauge',
  'Gauge32',
  'Unsigned32',
  'UInteger32',
  'TimeTicks',
  'Opaque',
  'Counter64',
  'Integer32',
])
