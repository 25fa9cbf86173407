import type { SettingsHolder } from '../../config/settings.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import type { Store } from '../../core/database/client.ts'
import { hasOwnDevices } from '../../core/demo/read.ts'
import { DEMO_ATTACHED, DEMO_RULE, networkSettings, UNKNOWN_NETWORK, withNetwork } from '../../core/demo/settings.ts'
import type { Services } from '../../core/services.ts'
import type { DemoFleet } from '../../demo/demo.ts'
import type { Log } from '../../observe/log.ts'

interface UnknownDeps {
  readonly services: Pick<Services, 'settings' | 'candidates'>
  readonly settings: SettingsHolder
  readonly store: Store
  readonly log: Log
}

/**
 * Says where the pollers are in the simulated network, so that parents of its devices are computed. The setting counts for
 * all devices, so nothing is done where it is set, or where there are devices of the user's own.
 */
export async function attachPollers({ services, settings, store }: Omit<UnknownDeps, 'log'>): Promise<void> {
  if (settings.origin('dependencies.attached') !== 'default' || (await hasOwnDevices(store))) return
  await services.settings.set('dependencies.attached', [DEMO_ATTACHED])
}

/**
 * Lets the demo's devices that nobody has added be found: their network becomes one of the user's own, with its port and
 * a schedule, and a rule, added only the first time, shows how to ignore phones. Nothing is done if they cannot be found.
 */
export async function letBeFound(
  { unknown }: DemoFleet,
  { services, settings, log }: Omit<UnknownDeps, 'store'>,
): Promise<void> {
  const [first] = unknown
  if (first === undefined) return
  for (const name of ['nets', 'autodiscovery.networks'] as const) {
    const origin = settings.origin(name)
    if (origin === 'default' || origin === 'stored') continue
    log.warn({ setting: name, origin }, `demo devices are not offered: set ${name} in the database, or leave it out`)
    return
  }
  const stored = await services.settings.stored()
  const before = networkSettings(stored.get('nets'), stored.get('autodiscovery.networks'))
  const after = withNetwork(before, first.port)
  await services.settings.set('nets', after.nets)
  await services.settings.set('autodiscovery.networks', after.networks)
  if (before.nets.includes(UNKNOWN_NETWORK) || (await services.candidates.rules(SYSTEM)).length > 0) return
  await services.candidates.addRule(SYSTEM, DEMO_RULE)
}
