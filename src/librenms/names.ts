import type { IndexPart, ResolvedObject, SmiLibrary } from '@portlight/mib-reader/library.ts'
import type { FormObject } from './form.ts'

/** The name of an object with its module. */
const NAME = /^([A-Za-z][\w-]*)::([A-Za-z0-9][\w-]*)$/

/** Limit of labels kept per enumeration. */
const MAX_LABELS = 2000

/** Resolves the names used by one definition and keeps them. */
export class Names {
  readonly objects: Record<string, FormObject> = {}
  readonly instances: Record<string, string> = {}
  /** Names that could not be resolved. */
  readonly unknown = new Set<string>()
  private readonly known = new Map<string, ResolvedObject | null>()

  constructor(private readonly library: SmiLibrary) {}

  /** Number of names that were looked up. */
  get count(): number {
    return this.known.size
  }

  /** `MIB::object`, without instance; null: unknown. */
  object(name: string): FormObject | null {
    const kept = this.objects[name]
    if (kept !== undefined) return kept
    const found = this.find(name)
    if (found === null) return null
    const made = formObject(found)
    this.objects[name] = made
    return made
  }

  /** Makes an object of a module known by its label alone, if the module has it. */
  alias(label: string, module: string): void {
    const found = this.objects[label] === undefined ? this.library.object(module, label) : null
    if (found !== null) this.objects[label] = formObject(found)
  }

  /** OID with instance of `MIB::object.instance`, of a bare `MIB::object`, or of a numeric OID; null: unknown. */
  instance(text: string): string | null {
    const kept = this.instances[text]
    if (kept !== undefined) return kept
    const oid = numericOid(text) ?? this.named(text)
    if (oid !== null) this.instances[text] = oid
    return oid
  }

  private named(text: string): string | null {
    const { name, instance } = splitInstance(text)
    const object = this.object(name)
    if (object === null || instance === null) return object?.oid ?? null
    const index = instanceOid(instance, this.known.get(name)?.index ?? [])
    return index === null ? null : `${object.oid}.${index}`
  }

  private find(name: string): ResolvedObject | null {
    const known = this.known.get(name)
    if (known !== undefined) return known
    const [, module = '', label = ''] = NAME.exec(name) ?? []
    const found = module === '' ? null : this.library.object(module, label)
    this.known.set(name, found)
    if (found === null && /^[A-Za-z]/.test(name)) this.unknown.add(name)
    return found
  }
}

/** `MIB::object.1.2` as name and instance; instance null: none. */
export function splitInstance(text: string): { readonly name: string; readonly instance: string | null } {
  const colons = text.indexOf('::')
  const dot = text.indexOf('.', Math.max(0, colons))
  if (colons < 0 || dot < 0) return { name: text, instance: null }
  return { name: text.slice(0, dot), instance: text.slice(dot + 1) }
}

/** A numeric OID without a leading dot; null for anything else. */
export function numericOid(text: string): string | null {
  const oid = text.trim().replace(/^\./, '')
  return /^\d+(\.\d+){1,127}$/.test(oid) ? oid : null
}

/** The sub-identifiers of an instance; quoted texts become their length and octets, labels become their numbers. */
function instanceOid(instance: string, parts: readonly IndexPart[]): string | null {
  const ids: (string | number)[] = []
  for (const [, text, raw, number] of instance.matchAll(/"([^"]*)"|'([^']*)'|([^."']+)/g)) {
    if (text !== undefined) ids.push(...[text.length, ...Buffer.from(text, 'utf8')])
    else if (raw !== undefined) ids.push(...Buffer.from(raw, 'utf8'))
    else if (number !== undefined && /^\d+$/.test(number)) ids.push(number)
    else {
      const label = parts.flatMap(({ labels }) => [...(labels ?? [])]).find(([, name]) => name === number)
      if (label === undefined) return null
      ids.push(label[0])
    }
  }
  return ids.length === 0 || ids.length > 128 ? null : ids.join('.')
}

function formObject({ oid, kind, type }: ResolvedObject): FormObject {
  const labels =
    type?.labels == null || type.labels.size === 0 || type.base === 'bits'
      ? undefined
      : Object.fromEntries([...type.labels].slice(0, MAX_LABELS))
  return {
    oid,
    kind,
    base: type?.base ?? 'unknown',
    ...(labels !== undefined && { labels }),
    ...(type?.hint != null && { hint: type.hint }),
  }
}
