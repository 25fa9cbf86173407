import type { Settings } from '../../config/schema.ts'
import { createYielder } from '../../lib/yield-thread.ts'
import type { Store } from '../database/client.ts'
import { attachedNames, pollersOf } from './groups.ts'
import { type Rest, type Way, waysOf } from './reach.ts'
import { readAttached, readGroups, readLinks, readNamed, readPollers, readStations } from './read-network.ts'
import { withStations } from './stations.ts'
import { type ComputedRow, storeComputed } from './write-computed.ts'

export interface Computed {
  /** Devices that are reached through others. */
  readonly devices: number
  /** Parents that were added or removed, or whose reason changed. */
  readonly changed: number
  /** Poller groups of which it is not known where their pollers are attached, so that their devices have no parents. */
  readonly unknown: readonly number[]
  /** Of what was computed. */
  readonly digest: string
}

/**
 * Computes the parents of all devices from what is stored of the network, each as seen from the pollers of its own group,
 * and stores them, unless they are the same as those with the digest `stored`. With setting `dependencies.compute` off,
 * removes the computed ones. Throws StoreError.
 */
export async function computeParents(store: Store, settings: Settings, stored = ''): Promise<Computed> {
  const rest = createYielder()
  if (!settings.get('dependencies.compute'))
    return { devices: 0, changed: await storeComputed(store, [], rest), unknown: [], digest: '' }
  const groups = await readGroups(store)
  const attached = await attachedByGroup(store, settings, [...groups.keys()])
  const unknown = [...groups.keys()].filter((group) => attached.get(group)?.size === 0)
  const isAnyKnown = unknown.length < groups.size
  const links = isAnyKnown ? await readLinks(store, rest) : []
  const stations = isAnyKnown ? await readStations(store, rest) : []
  const known = new Map<string, ReadonlyMap<number, readonly Way[]>>()
  const rows: ComputedRow[] = []
  for (const [group, devices] of groups) {
    const from = attached.get(group) ?? new Set()
    if (from.size === 0) continue
    const key = [...from].toSorted((a, b) => a - b).join()
    const ways = known.get(key) ?? withStations(await waysOf(links, from, rest), stations)
    known.set(key, ways)
    for (const child of devices) {
      for (const way of ways.get(child) ?? []) rows.push({ child, ...way })
      const resting = rest()
      if (resting !== null) await resting
    }
  }
  const digest = await digestOf(rows, rest)
  const changed = digest === stored ? 0 : await storeComputed(store, rows, rest)
  return { devices: new Set(rows.map(({ child }) => child)).size, changed, unknown, digest }
}

async function digestOf(rows: readonly ComputedRow[], rest: Rest): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha1')
  for (const { child, parent, further, via } of rows) {
    hasher.update(`${child} ${parent} ${further} ${via}\n`)
    const resting = rest()
    if (resting !== null) await resting
  }
  return hasher.digest('hex')
}

/** Where the pollers of each group are attached; empty: unknown. */
async function attachedByGroup(
  store: Store,
  settings: Settings,
  groups: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const given = attachedNames(settings.get('dependencies.attached'))
  const named = await readNamed(store, [...new Set(given.map(({ name }) => name))])
  const pollers = await readPollers(store)
  const places = new Map<string, readonly number[]>()
  const result = new Map<number, ReadonlySet<number>>()
  for (const group of groups) {
    const said = given.filter((one) => one.group === null || one.group === group)
    if (said.length > 0) {
      result.set(group, new Set(said.flatMap(({ name }) => named.get(name) ?? [])))
      continue
    }
    const at: (readonly number[])[] = []
    for (const { name, place } of pollersOf(pollers, group)) {
      const ids = places.get(name) ?? (place === null ? [] : await readAttached(store, place))
      places.set(name, ids)
      at.push(ids)
    }
    // with one of them unknown, its devices could have other ways
    result.set(group, new Set(at.some((ids) => ids.length === 0) ? [] : at.flat()))
  }
  return result
}
