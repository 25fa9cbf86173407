import type { CommandPoller } from '../cli/app.ts'
import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import { definitionsFolder } from '../librenms/store.ts'
import type { Log } from '../observe/log.ts'
import { databaseUpstream } from '../poller/database-upstream.ts'
import { createPoller } from '../poller/poller.ts'

/** Opens a poller without a schedule, for a command that finds no running one. The caller must stop it. */
export async function openPoller({
  store,
  settings,
  dataDir,
  log,
}: {
  store: Store
  settings: Settings
  dataDir: string
  log: Log
}): Promise<CommandPoller> {
  const upstream = databaseUpstream(store)
  const poller = createPoller({ upstream, settings, log, definitions: definitionsFolder(dataDir) })
  await poller.open()
  return poller
}
