import type { PlacedPoller } from './read-network.ts'

/** Pollers that serve a poller group: those that name it; if none does, those that name no group. */
export function pollersOf(pollers: readonly PlacedPoller[], group: number): readonly PlacedPoller[] {
  const naming = pollers.filter(({ groups }) => groups?.includes(group) === true)
  return naming.length > 0 ? naming : pollers.filter(({ groups }) => groups === null)
}

/** Entries of setting `dependencies.attached`: `core-1`, or `core-1@2` for the pollers of poller group 2 only. */
export function attachedNames(entries: readonly string[]): { readonly name: string; readonly group: number | null }[] {
  return entries.slice(0, MAX_ENTRIES).map((entry) => {
    const [, name = entry, group] = /^(.+)@(\d{1,9})$/.exec(entry.trim()) ?? []
    return { name: name.trim(), group: group === undefined ? null : Number(group) }
  })
}

const MAX_ENTRIES = 1000
