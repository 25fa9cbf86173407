import { Pattern } from '@portlight/pattern/pattern.ts'
import type { OsDefinition } from './definition.ts'
import { DefinitionError } from './error.ts'
import type { HealthDefinition } from './health.ts'

/** Every expression in a definition that is matched against text from agents, by its path in the file. */
export function patternsOf(definition: OsDefinition | HealthDefinition): ReadonlyMap<string, Pattern> {
  const found = new Map<string, Pattern>()
  if ('ports' in definition) {
    for (const [i, source] of (definition.ports.badIfRegexp ?? []).entries()) {
      found.set(`ports.badIfRegexp[${i}]`, new Pattern(source))
    }
  }
  collect(definition, '', found)
  return found
}

/**
 * Throws DefinitionError for an expression that cannot be matched in linear time. Compiles all expressions, for the
 * build and for external files.
 */
export function checkPatterns(name: string, definition: OsDefinition | HealthDefinition): void {
  for (const [path, pattern] of patternsOf(definition)) {
    const reason = pattern.error()
    if (reason !== null) throw new DefinitionError(`${name}.${path}`, `${pattern.source}: ${reason}`)
  }
}

function collect(value: unknown, path: string, found: Map<string, Pattern>): void {
  if (value instanceof Pattern) found.set(path, value)
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) collect(item, `${path}[${i}]`, found)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
      collect(item, path === '' ? String(key) : `${path}.${String(key)}`, found)
    }
  }
}
