import type { Store } from '../../store/client.ts'
import { countObjects, databaseFacts } from '../../store/readers/counts.ts'
import { type Actor, scopeOf } from '../actor.ts'

/** What the program is. `revision` is the commit it was built from, '' when unknown; `builtAt` an ISO date, '' when unknown. */
export interface Version {
  readonly name: string
  readonly version: string
  readonly revision: string
  readonly builtAt: string
}

/** Questions about the installation itself. All reject when the database is away. */
export function createSystemService({ store, version }: { readonly store: Store; readonly version: Version }) {
  return {
    version,

    /** Product name and version of the database, and how many migrations it has. */
    async database(): Promise<{ version: string; migrations: number }> {
      return await databaseFacts(store)
    },

    /** How many objects the actor may see; users are counted whole. */
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
