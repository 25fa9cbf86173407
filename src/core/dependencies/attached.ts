import { parseSetting } from '../../config/parse.ts'
import { invalid } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { attachedNames } from './groups.ts'
import { readNamed } from './read-network.ts'

/**
 * Checks a value for setting `dependencies.attached`, given as text or in its own type, before it is stored. Throws
 * `invalid` for devices that do not exist: with them no parents would be computed. What is no list is left to the
 * settings.
 */
export async function checkAttached(store: Store, raw: unknown): Promise<void> {
  const parsed = parseSetting('dependencies.attached', raw)
  if (parsed.kind === 'invalid' || !Array.isArray(parsed.value)) return
  const names = attachedNames(parsed.value.map(String)).map(({ name }) => name)
  const known = await readNamed(store, names)
  const absent = [...new Set(names.filter((name) => !known.has(name)))]
  if (absent.length > 0)
    throw invalid(`dependencies.attached: there is no device ${absent.join(', ')}; give hostnames or ids`)
}
