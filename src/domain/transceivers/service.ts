import type { Store } from '../../store/client.ts'
import { listTransceivers, type TransceiverRecord } from '../../store/transceivers/read.ts'
import { type Actor, scopeOf } from '../actor.ts'

export type { TransceiverRecord }

/** Operations on pluggable optics. */
export function createTransceiverService({ store }: { readonly store: Store }) {
  return {
    /** Transceivers of a device or port that the actor may see, by id. */
    async list(
      actor: Actor,
      of: { readonly deviceId: number } | { readonly portId: number },
    ): Promise<TransceiverRecord[]> {
      return await listTransceivers(store, scopeOf(actor), of)
    },
  }
}

export type TransceiverService = ReturnType<typeof createTransceiverService>
