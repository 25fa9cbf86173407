import type { Store } from '../../store/client.ts'
import { countObjects, databaseFacts } from '../../store/system/counts.ts'
import { type Actor, scopeOf } from '../actor.ts'

/**
 * Version of the program. `revision` is the commit it was built from, '' when unknown; `builtAt` an ISO date, '' when
 * unknown.
 */
export interface Version {
  readonly name: string
  readonly version: string
  readonly revision: string
  readonly builtAt: string
}

/** Operations on the installation itself. All reject when the database is unavailable. */
export function createSystemService({ store, version }: { readonly store: Store; readonly version: Version }) {
  return {
    version,

    /** Product name and version of the database, and number of migrations. */
    async database(): Promise<{ version: string; migrations: number }> {
      return await databaseFacts(store)
    },

    /** Number of objects that the actor may see; users are always counted in full. */
    async counts(actor: Actor): Promise<{ devices: number; ports: number; users: number; sensors: number }> {
      return await countObjects(store, scopeOf(actor))
    },

    /** Resolves when the database answers. */
    async check(): Promise<void> {
      await databaseFacts(store)
    },
  }
}

export type SystemService = ReturnType<typeof createSystemService>
