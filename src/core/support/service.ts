import type { Settings } from '../../config/schema.ts'
import { secretTexts } from '../../config/secrets.ts'
import type { Store } from '../database/client.ts'
import { storedSecretTexts } from '../secrets/texts.ts'
import { type DatabaseReport, databaseReport } from './read.ts'
import { listTroubled } from './read-devices.ts'

/** Data for a support bundle. */
export function createSupportService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  return {
    /** All secrets of this installation, in its settings and its database. */
    async secrets(): Promise<ReadonlySet<string>> {
      return new Set([...secretTexts(settings), ...(await storedSecretTexts(store))])
    },

    async database(): Promise<DatabaseReport> {
      return await databaseReport(store)
    },

    /** Ids of devices: those with a failure first, then those that are down, then the slowest. */
    async devices(count: number): Promise<readonly number[]> {
      return await listTroubled(store, count)
    },
  }
}

export type SupportService = ReturnType<typeof createSupportService>
