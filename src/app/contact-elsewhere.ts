import type { ContactElsewhere } from '../core/base/gateway.ts'
import type { Store } from '../core/database/client.ts'
import type { Log } from '../observe/log.ts'
import { requestContact } from './requests.ts'

/** Longer than a site is allowed to take. */
const ANSWER_MS = 40_000

/** Asks the process that polls the device, or serves its remote poller, to contact it. Never throws. */
export async function contactElsewhere(
  { store, log }: { readonly store: Store; readonly log: Log },
  by: string,
  deviceId: number,
): Promise<ContactElsewhere> {
  try {
    return (await requestContact(store, log, deviceId, ANSWER_MS)) ?? { by, result: 'it does not have the device' }
  } catch (error) {
    return { by, result: error instanceof Error ? error.message : String(error) }
  }
}
