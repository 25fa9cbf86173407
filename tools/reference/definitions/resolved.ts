import { Pattern } from '@portlight/pattern/pattern.ts'
import { DEFINITIONS } from '../../../src/definitions/catalogue.ts'
import { definitionFaults, faultText } from '../../../src/definitions/faults.ts'
import { HEALTH } from '../../../src/definitions/health-catalogue.ts'

/**
 * `bun run definitions` prints what is read from all definitions, one line of JSON for each OS and each health
 * definition, so that output from before and after a change that should have no effect, such as a new base, can be
 * compared. Files that cannot be read are named on stderr instead, with exit code 1.
 */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] }
  return value instanceof Pattern ? { pattern: value.source } : value
}

const faults = definitionFaults()
for (const fault of faults) console.error(faultText(fault))
if (faults.length > 0) process.exit(1)
for (const { os } of DEFINITIONS.detectable()) console.log(JSON.stringify(DEFINITIONS.definitionOf(os), plain))
for (const scope of HEALTH.scopes()) console.log(JSON.stringify(HEALTH.definition(scope), plain))
