import type { Actor } from '../base/actor.ts'
import { absent } from '../base/errors.ts'
import { isWithinGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { type ComponentFilter, type ComponentRow, listComponents } from './read.ts'
import { type ComponentChange, deleteComponent, insertComponent, updateComponents } from './write.ts'

export type { ComponentChange, ComponentFilter, ComponentRow }

/** Column lengths of components (contract SCHEMA.md); longer texts are truncated. */
const MAX_TYPE = 50
const MAX_TEXT = 255

/** Operations on components, which are parts of devices described by other programs. Callers check access. */
export function createComponentService({ store }: { readonly store: Store }) {
  return {
    /** Components of a device in order of id. */
    async list(deviceId: number, filter: ComponentFilter): Promise<ComponentRow[]> {
      return await listComponents(store, deviceId, filter)
    },

    /** Creates an empty component of the type. */
    async add(actor: Actor, deviceId: number, type: string): Promise<ComponentRow> {
      const cut = type.slice(0, MAX_TYPE)
      const id = await insertComponent(store, deviceId, cut, actor.username)
      return { id, type: cut, label: null, status: 0, ignore: 0, disabled: 0, error: null, attributes: {} }
    },

    /** Changes components of a device; attributes that are not listed are removed. */
    async update(actor: Actor, deviceId: number, changes: readonly ComponentChange[]): Promise<void> {
      const cut = changes.map((change) => ({
        ...change,
        ...(change.label !== undefined && { label: change.label.slice(0, MAX_TEXT) }),
        ...(change.error !== undefined && { error: change.error.slice(0, MAX_TEXT) }),
        attributes: Object.fromEntries(
          Object.entries(change.attributes).map(([name, value]) => [name.slice(0, MAX_TEXT), value]),
        ),
      }))
      await updateComponents(store, deviceId, cut, actor.username)
    },

    /**
     * Throws `absent` if there is no such component on a granted device. `componentId` null: the text was not an id.
     */
    async delete(actor: Actor, componentId: number | null): Promise<void> {
      const mayDelete = componentId !== null && (await isWithinGrants(store, actor, { components: [componentId] }))
      if (!mayDelete || !(await deleteComponent(store, componentId, actor.username))) {
        throw absent('Components could not be deleted.')
      }
    },
  }
}

export type ComponentService = ReturnType<typeof createComponentService>
