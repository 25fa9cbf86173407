import type { SettingName } from '../../../config/schema.ts'
import type { PageRequest } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'

/** How long a stored setting may take to reach this process, and how often that is looked at. */
const APPLIED_MS = 5000
const LOOK_MS = 25

/** Whether a setting can be stored: it is not set by a file, the environment or a flag. */
export const isFree = ({ services: { config } }: PageRequest, name: SettingName): boolean =>
  ['default', 'stored'].includes(config.origin(name))

/**
 * Stores a list, and waits until this process follows it, so that the next step finds it. Throws `invalid`, and
 * `forbidden` for all but administrators.
 */
export async function storeList(visit: PageRequest, name: SettingName, value: readonly unknown[]): Promise<void> {
  const { admin, config } = visit.services
  // the database orders the members of objects in its own way
  const isThere = () => Bun.deepEquals(config.get(name), value)
  if (isThere()) return
  await refusalsAsFormErrors(() => admin.setSetting(visit.actor, name, JSON.stringify(value)))
  for (let waited = 0; waited < APPLIED_MS && !isThere(); waited += LOOK_MS) await Bun.sleep(LOOK_MS)
}
