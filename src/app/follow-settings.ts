import type { SettingName } from '../config/schema.ts'
import type { SettingsHolder } from '../config/settings.ts'
import { ACCESS_CHANNEL } from '../core/access/write.ts'
import type { Store } from '../core/database/client.ts'
import { listen } from '../core/database/listen.ts'
import type { Services } from '../core/services.ts'
import { SETTINGS_CHANNEL, storedSettings } from '../core/settings/write.ts'
import type { Log } from '../observe/log.ts'

export interface FollowSettingsDeps {
  readonly store: Store
  readonly settings: SettingsHolder
  readonly services: Pick<Services, 'auth' | 'sessions' | 'live'>
  readonly log: Log
}

/**
 * Applies the settings that are stored. Returns those that changed although they are read only at the start. Throws
 * StoreError.
 */
export async function applyStored(settings: SettingsHolder, store: Store, log: Log): Promise<readonly SettingName[]> {
  const { problems, needRestart } = settings.applyStored(await storedSettings(store))
  for (const problem of problems) log.warn({ setting: problem.name, reason: problem.message }, 'stored setting ignored')
  return needRestart
}

/**
 * Applies stored settings now and whenever they change, and drops cached permissions when access changes. Throws
 * StoreError when the settings cannot be read.
 */
export async function followSettings({
  store,
  settings,
  services,
  log,
}: FollowSettingsDeps): Promise<{ stop(): Promise<void> }> {
  const apply = async (): Promise<void> => {
    const needRestart = await applyStored(settings, store, log)
    if (needRestart.length > 0) log.warn({ settings: needRestart }, 'changed settings take effect at the next start')
  }
  const again = (): void => {
    apply().catch((error: unknown) => log.error({ err: error }, 'stored settings could not be read'))
  }
  // notifications are lost while disconnected, so settings are read again after each reconnect
  const changes = listen(store, SETTINGS_CHANNEL, again, again, log)
  const forget = (): void => {
    services.auth.forget()
    services.live.accessChanged()
    services.sessions.forget()
  }
  const access = listen(store, ACCESS_CHANNEL, forget, forget, log)
  await apply()
  return {
    async stop() {
      await Promise.all([changes.stop(), access.stop()])
    },
  }
}
