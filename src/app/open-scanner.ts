import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import { remoteGroups } from '../core/pollers/remote/read.ts'
import type { Log } from '../observe/log.ts'
import { createScanner, type Scanner } from '../scanner/scanner.ts'

/** Opens a scanner that leaves the sites of remote pollers alone. The caller must close it. */
export function openScanner({
  store,
  settings,
  log,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}): Scanner {
  return createScanner({ settings, log, elsewhere: () => remoteGroups(store) })
}
