import { definitionFiles } from './files.ts'
import type { HealthDefinition, HealthScope } from './health.ts'
import { parseHealth, parseHealthScope } from './health-parse.ts'

/** Health definitions, sorted by name. */
export interface HealthCatalogue {
  scopes(): readonly HealthScope[]
  /** The definition of a scope. */
  definition(scope: HealthScope): HealthDefinition
}

/**
 * The definitions in `src/vendors/VENDOR/NAME.health.yaml`. A file is parsed when a device first needs it, then kept.
 */
export const HEALTH: HealthCatalogue = createHealthCatalogue()

function createHealthCatalogue(): HealthCatalogue {
  const files = definitionFiles()
  const parsed = new Map<string, HealthDefinition>()
  let scopes: readonly HealthScope[] | null = null
  return {
    scopes() {
      scopes ??= files.names('health').map((name) => parseHealthScope(name, files.value('health', name)))
      return scopes
    },
    definition({ name }) {
      const known = parsed.get(name) ?? parseHealth(name, files.value('health', name))
      parsed.set(name, known)
      return known
    },
  }
}

/** Whether a definition names other systems than the device's, and applies to it only by a branch of sysObjectID. */
export function isByBranch({ os }: HealthScope, device: { readonly os: string | null }): boolean {
  return os.length > 0 && (device.os === null || !os.includes(device.os))
}

/** The definitions for a device: those for its OS, for its sysObjectID, or for all devices. */
export function healthFor<T extends HealthScope>(
  scopes: readonly T[],
  device: { readonly os: string | null; readonly sysObjectID: string | null },
): readonly T[] {
  const { os, sysObjectID } = device
  return scopes.filter((scope) => {
    if (os !== null && scope.notOs.includes(os)) return false
    if (scope.os.length === 0 && scope.sysObjectID.length === 0) return true
    if (os !== null && scope.os.includes(os)) return true
    return sysObjectID !== null && scope.sysObjectID.some((prefix) => `${sysObjectID}.`.startsWith(`${prefix}.`))
  })
}
