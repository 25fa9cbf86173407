import type { HealthDefinition } from './health.ts'
import { embeddedHealth } from './health-embed.ts' with { type: 'macro' }
import { parseHealth } from './health-parse.ts'

/** Every health definition, in the order of their names. */
export const HEALTH: readonly HealthDefinition[] = embeddedHealth().map(({ name, value }) => parseHealth(name, value))

/** The health definitions that are for a device: by its OS, by its sysObjectID, or for all. */
export function healthFor(
  definitions: readonly HealthDefinition[],
  device: { readonly os: string | null; readonly sysObjectID: string | null },
): readonly HealthDefinition[] {
  const { os, sysObjectID } = device
  return definitions.filter((definition) => {
    if (os !== null && definition.notOs.includes(os)) return false
    if (definition.os.length === 0 && definition.sysObjectID.length === 0) return true
    if (os !== null && definition.os.includes(os)) return true
    return sysObjectID !== null && definition.sysObjectID.some((prefix) => `${sysObjectID}.`.startsWith(`${prefix}.`))
  })
}
