import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { type AlertMaintenance, maintenanceOfAlerts, maintenanceOfPart, type OpenMaintenance } from './read.ts'
import { findPart, type MaintainedPart } from './read-parts.ts'

/** Operations on the maintenance of single ports and sensors, and of what alerts are about. */
export function partOperations(store: Store) {
  return {
    /** A port or sensor by id; null: there is none, or the actor may not see it. */
    async findPart(actor: Actor, kind: MaintainedPart['kind'], id: number): Promise<MaintainedPart | null> {
      return await findPart(store, scopeOf(actor), kind, String(id))
    },

    /**
     * A port or sensor that a window can be for, by id or as `HOSTNAME NAME`. Throws `invalid` if there is none, the
     * actor may not see it, or several have the name.
     */
    async requirePart(actor: Actor, kind: MaintainedPart['kind'], ref: string): Promise<MaintainedPart> {
      const found = await findPart(store, scopeOf(actor), kind, ref)
      if (found !== null) return found
      const how = `its id, or the hostname of its device and its name, such as sw1.example.net ${kind === 'port' ? 'Gi1/0/17' : 'Inlet'}`
      throw invalid(`There is no single ${kind} ${ref.slice(0, 100)}: give ${how}`)
    },

    /** Those of these alerts that are about something under maintenance. Callers check access. */
    async ofAlerts(alertIds: readonly number[], nowMs: number): Promise<ReadonlyMap<number, AlertMaintenance>> {
      const rows = await maintenanceOfAlerts(store, alertIds, nowMs)
      return new Map(rows.map((row) => [row.alert_id, row]))
    },

    /** The window that is open for a port or sensor by itself; null: none. Callers check access. */
    async ofPart(kind: MaintainedPart['kind'], id: number, nowMs: number): Promise<OpenMaintenance | null> {
      return await maintenanceOfPart(store, { kind, id }, nowMs)
    },
  }
}
