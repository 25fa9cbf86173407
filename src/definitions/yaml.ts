import { Pattern } from '@portlight/pattern/pattern.ts'
import { meantOf } from '../lib/nearest.ts'
import { DefinitionError } from './error.ts'

/** A map in a definition file, as parsed from YAML. */
export type YamlMap = Readonly<Record<string, unknown>>

/** Checks that the value is a map with only these keys; null: any keys. Throws DefinitionError. */
export function mapOf(path: string, value: unknown, keys: readonly string[] | null): YamlMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DefinitionError(path, 'must be a map')
  }
  if (keys !== null) {
    for (const key of Object.keys(value)) {
      if (!keys.includes(key))
        throw new DefinitionError(
          path,
          `unknown key ${key}${meantOf(key, keys) || `; known keys are ${keys.join(', ')}`}`,
        )
    }
  }
  // A YAML map has text keys, and each value is checked before use.
  return value as YamlMap
}

/** Items of a list with their paths; empty for an absent list. Throws DefinitionError. */
export function itemsOf(path: string, value: unknown): readonly { readonly path: string; readonly value: unknown }[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new DefinitionError(path, 'must be a list')
  return value.map((item: unknown, i) => ({ path: `${path}[${i}]`, value: item }))
}

/** Members of a map with their paths; empty for an absent map. Throws DefinitionError. */
export function membersOf<T>(path: string, value: unknown, read: (path: string, value: unknown) => T) {
  if (value === undefined) return {}
  const members = Object.entries(mapOf(path, value, null))
  return Object.fromEntries(members.map(([key, member]) => [key, read(`${path}.${key}`, member)]))
}

/** A non-empty text; numbers are converted. Throws DefinitionError. */
export function textOf(path: string, value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') throw new DefinitionError(path, 'must be a non-empty text')
  return value
}

/** A text or a list of texts. Throws DefinitionError. */
export function textsOf(path: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [textOf(path, value)]
  return itemsOf(path, value).map((item) => (item.value === '' ? '' : textOf(item.path, item.value)))
}

export function numberOf(path: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new DefinitionError(path, 'must be a number')
  return value
}

export function flagOf(path: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new DefinitionError(path, 'must be true or false')
  return value
}

export function choiceOf<const T extends string>(path: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw new DefinitionError(path, `must be one of ${allowed.join(', ')}`)
  return found
}

export function oidOf(path: string, value: unknown): string {
  if (typeof value !== 'string' || !/^\d+(\.\d+)+$/.test(value)) {
    throw new DefinitionError(path, `${String(value)} is not a dotted decimal OID`)
  }
  return value
}

export function expressionOf(path: string, value: unknown): Pattern {
  const source = textOf(path, value)
  try {
    // `checkPatterns` compiles it with RE2, which takes longer
    new RegExp(source)
  } catch (cause) {
    throw new DefinitionError(path, `${source} is not a valid regular expression: ${String(cause)}`)
  }
  return new Pattern(source)
}
