import { DefinitionError } from './error.ts'
import { itemsOf, mapOf, textOf, type YamlMap } from './yaml.ts'

/**
 * Returns a parsed base, `NAME.base.yaml` in the same folder as the definitions that extend it. `undefined`: no such
 * file.
 */
export type Bases = (name: string) => unknown

/** A base may extend another, and so on; beyond this depth they form a cycle. */
const MAX_DEPTH = 4

/**
 * The definition merged with what it extends. `extends: BASE` takes over all of a base, in whose texts and keys
 * `<PARAMETER>` is replaced by its value from `set`, and `<PARAMETER|lower>` by the same in lower case. The
 * definition's own map members and list items come before those of the base, and its own texts and numbers replace
 * those of the base. Throws DefinitionError if the base or a parameter is unknown.
 */
export function extended(path: string, value: unknown, bases: Bases, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || !('extends' in value)) return value
  const { extends: name, set, ...own } = mapOf(path, value, null)
  const at = `${path}.extends`
  if (depth >= MAX_DEPTH) throw new DefinitionError(at, 'bases extend each other in a cycle')
  const base = bases(textOf(at, name))
  if (base === undefined) throw new DefinitionError(at, `${String(name)}.base.yaml is not in this folder`)
  const { parameters, ...rest } = mapOf(at, base, null)
  const names = itemsOf(`${at}.parameters`, parameters).map((item) => textOf(item.path, item.value))
  const given = mapOf(`${path}.set`, set ?? {}, names)
  for (const missing of names.filter((one) => given[one] === undefined)) {
    throw new DefinitionError(`${path}.set`, `lacks ${missing}, a parameter of ${String(name)}`)
  }
  return joined(own, extended(path, filled(rest, given, `${path}.set`), bases, depth + 1))
}

const PARAMETER = /<(\w+)(\|lower)?>/g

/**
 * The value with parameters replaced in its texts and keys; a text that consists of a parameter alone becomes the
 * parameter's value.
 */
function filled(value: unknown, given: YamlMap, path: string): unknown {
  if (typeof value === 'string') {
    const alone = /^<(\w+)>$/.exec(value)?.[1]
    if (alone !== undefined && Object.hasOwn(given, alone)) return given[alone]
    return value.replace(PARAMETER, (whole, name: string, lower?: string) => {
      if (!Object.hasOwn(given, name)) return whole
      const own = given[name]
      // YAML reads 89.90 as 89.9
      if (typeof own === 'number' && !Number.isInteger(own))
        throw new DefinitionError(`${path}.${name}`, 'is used within text: put the number in quotes')
      const text = String(own)
      return lower === undefined ? text : text.toLowerCase()
    })
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, given, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(filled(key, given, path)), filled(member, given, path)]),
  )
}

function joined(own: unknown, inherited: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(inherited)) return [...own, ...inherited]
  if (!isMap(own) || !isMap(inherited)) return own
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(own))
    result[key] = key in inherited ? joined(member, inherited[key]) : member
  for (const [key, member] of Object.entries(inherited)) if (!(key in own)) result[key] = member
  return result
}

function isMap(value: unknown): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
