import type { Store } from '../../store/client.ts'
import { type ComponentFilter, type ComponentRecord, listComponents } from '../../store/readers/device-components.ts'
import {
  type ComponentChange,
  deleteComponent,
  insertComponent,
  updateComponents,
} from '../../store/writers/device-components.ts'
import type { Actor } from '../actor.ts'
import { failed } from '../errors.ts'

export type { ComponentChange, ComponentFilter, ComponentRecord }

/** Letters that the columns of components hold (contract SCHEMA.md); longer texts are cut. */
const MOST_TYPE = 50
const MOST_TEXT = 255

/** The verbs on components: parts of devices that programs beside this one describe. Callers have checked access. */
export function createComponentService({ store }: { readonly store: Store }) {
  return {
    /** Components of a device by id. */
    async list(deviceId: number, filter: ComponentFilter): Promise<ComponentRecord[]> {
      return await listComponents(store, deviceId, filter)
    },

    /** An empty component of the type. */
    async add(actor: Actor, deviceId: number, type: string): Promise<ComponentRecord> {
      const cut = type.slice(0, MOST_TYPE)
      const id = await insertComponent(store, deviceId, cut, actor.username)
      return { id, type: cut, label: '', status: 0, ignore: 0, disabled: 0, error: '', attributes: {} }
    },

    /** Changes components of a device; attributes that are not named are removed. */
    async update(actor: Actor, deviceId: number, changes: readonly ComponentChange[]): Promise<void> {
      const cut = changes.map((change) => ({
        ...change,
        ...(change.label !== undefined && { label: change.label.slice(0, MOST_TEXT) }),
        ...(change.error !== undefined && { error: change.error.slice(0, MOST_TEXT) }),
        attributes: Object.fromEntries(
          Object.entries(change.attributes).map(([name, value]) => [name.slice(0, MOST_TEXT), value]),
        ),
      }))
      await updateComponents(store, deviceId, cut, actor.username)
    },

    /** Throws `failed` when there is none. `componentId` null: text that is no id. */
    async delete(actor: Actor, componentId: number | null): Promise<void> {
      if (componentId === null || !(await deleteComponent(store, componentId, actor.username))) {
        throw failed('Components could not be deleted.')
      }
    },
  }
}

export type ComponentService = ReturnType<typeof createComponentService>
