import { type Actor, scopeOf } from '../base/actor.ts'
import type { Store } from '../database/client.ts'
import { type PickedPort, pickPorts } from './read-picked.ts'

export type { PickedPort }

const MAX_TEXT = 100

/** Ports for forms in which users select some, limited to those that the actor may see. */
export const createPortPicker = ({ store }: { readonly store: Store }) => ({
  named: (actor: Actor, ids: readonly number[]): Promise<PickedPort[]> =>
    ids.length === 0 ? Promise.resolve([]) : pickPorts(store, scopeOf(actor), { ids }),

  /** Ports whose device, name and alias together contain every word; none if there is no word. */
  find(actor: Actor, text: string, limit: number): Promise<PickedPort[]> {
    const words = text.slice(0, MAX_TEXT).split(/\s+/).filter(Boolean)
    return words.length === 0 ? Promise.resolve([]) : pickPorts(store, scopeOf(actor), { words, limit })
  },
})

export type PortPicker = ReturnType<typeof createPortPicker>
