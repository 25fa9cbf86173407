import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { conflict, invalid, notFound } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import { type ClusterNode, forgetNode, listNodes } from '../cluster/session.ts'
import type { Store } from '../database/client.ts'
import {
  type ClusterRow,
  findPollerGroup,
  listCluster,
  listPollerGroups,
  listPollerLog,
  listPollers,
  type PollerGroupRecord,
  type PollerLogRow,
  type PollerRow,
} from './read.ts'
import {
  type ModuleCost,
  moduleCosts,
  type PolledDevice,
  type PollLoad,
  pollerGroupSizes,
  pollLoad,
  slowDevices,
} from './read-load.ts'
import { listRemotePollers } from './remote/read.ts'
import { clusterRowOf } from './remote-rows.ts'
import { deletePollerGroup, insertPollerGroup, type PollerGroupValues, updatePollerGroup } from './write.ts'

export type { ClusterNode, ClusterRow, ModuleCost, PolledDevice, PollerGroupRecord, PollerLogRow, PollerRow, PollLoad }

/** A device is overdue after this many times setting rrd.step. */
const OVERDUE = 1.2
/** Maximum number of devices listed as late or slow. */
const SHOWN = 20
/** Length of columns poller_groups.group_name and descr. */
const MAX_LENGTH = 255

/** Operations on pollers and their groups. */
export function createPollerService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  async function requireGroup(ref: string): Promise<PollerGroupRecord> {
    const group = await findPollerGroup(store, ref)
    if (!group) throw notFound('Poller Group does not exist')
    return group
  }

  /** The group, to be changed. Throws `not_found`, or `forbidden` when it has devices that are not granted. */
  async function requireWhole(actor: Actor, ref: string): Promise<PollerGroupRecord> {
    const group = await requireGroup(ref)
    await requireGrants(store, actor, { pollerGroups: [group.id] })
    return group
  }
  const record = (actor: Actor, name: string, what: string) =>
    recordChange(store, actor, 'group', name, `Poller group ${name} ${what}`)

  return {
    /**
     * The cluster form if setting distributed_poller is on or there are several pollers, including remote ones;
     * otherwise the table.
     */
    async list(): Promise<
      | { readonly form: 'cluster'; readonly pollers: readonly ClusterRow[] }
      | { readonly form: 'table'; readonly pollers: readonly PollerRow[] }
    > {
      const [own, remote] = await Promise.all([listCluster(store), listRemotePollers(store)])
      const pollers = [...own, ...remote.map(clusterRowOf)]
      return pollers.length > 1 || (pollers.length > 0 && settings.get('distributed_poller'))
        ? { form: 'cluster', pollers }
        : { form: 'table', pollers: await listPollers(store) }
    },

    /** Last polls of active devices, slowest first; `unpolled`: only overdue devices. */
    async log(actor: Actor, { unpolled }: { readonly unpolled: boolean }): Promise<PollerLogRow[]> {
      const overdueS = unpolled ? Math.trunc(settings.get('rrd.step') * OVERDUE) : null
      return await listPollerLog(store, scopeOf(actor), overdueS)
    },

    /** The cost of polling: load, late devices, the slowest ones, and modules. */
    async load(actor: Actor): Promise<{
      readonly load: PollLoad
      readonly late: readonly PolledDevice[]
      readonly slowest: readonly PolledDevice[]
      readonly modules: readonly ModuleCost[]
      readonly intervalS: number
    }> {
      const [scope, intervalS] = [scopeOf(actor), settings.get('poller.interval')]
      const [load, late, slowest, modules] = await Promise.all([
        pollLoad(store, scope, intervalS),
        slowDevices(store, scope, { intervalS, late: true, limit: SHOWN }),
        slowDevices(store, scope, { intervalS, late: false, limit: SHOWN }),
        moduleCosts(store, scope),
      ])
      return { load, late, slowest, modules, intervalS }
    },

    /** All processes that share the database or did so, in order of name. */
    nodes: () => listNodes(store),

    /** Removes a process that has gone; others then serve the poller groups that it listed. Throws `not_found`. */
    async forgetNode(name: string): Promise<void> {
      if (!(await forgetNode(store, name))) throw notFound(`Process ${name} cannot be removed: it is alive, or unknown`)
    },

    /** Poller groups in order of id, without those that only have devices which the actor may not see. */
    async groups(actor: Actor): Promise<PollerGroupRecord[]> {
      return await listPollerGroups(store, scopeOf(actor))
    },

    /** Number of devices that the actor may see, by group id; 0 is the general group. */
    groupSizes: (actor: Actor) => pollerGroupSizes(store, scopeOf(actor)),

    /** One of these groups by id (digits) or name. Throws `not_found`. */
    async group(actor: Actor, ref: string): Promise<PollerGroupRecord> {
      const group = await requireGroup(ref)
      const seen = await listPollerGroups(store, scopeOf(actor))
      if (!seen.some(({ id }) => id === group.id)) throw notFound('Poller Group does not exist')
      return group
    },

    /** Adds a poller group; returns its id. Throws `invalid` (name) or `conflict` (in use). */
    async addGroup(actor: Actor, name: string, descr: string): Promise<number> {
      checkTexts({ group_name: name, descr })
      const id = await insertPollerGroup(store, name, descr)
      if (id === null) throw conflict(`Poller group ${name} already exists`)
      await record(actor, name, 'added')
      return id
    },

    /** Changes name or description of a poller group. Throws `not_found`, `forbidden`, `invalid` or `conflict`. */
    async editGroup(actor: Actor, ref: string, values: PollerGroupValues): Promise<void> {
      const group = await requireWhole(actor, ref)
      checkTexts(values)
      const owner = values.group_name === undefined ? null : await findPollerGroup(store, values.group_name)
      if (owner && owner.id !== group.id) throw conflict(`Poller group ${values.group_name} already exists`)
      await updatePollerGroup(store, group.id, values)
      const { group_name, descr } = group
      const what = differences({ group_name, descr }, { group_name, descr, ...values })
      if (what !== '') await record(actor, group_name, `changed: ${what}`)
    },

    /**
     * Deletes a poller group; its devices move to the general group. Throws `not_found`, `forbidden`, or `conflict`
     * (remote poller).
     */
    async deleteGroup(actor: Actor, ref: string): Promise<void> {
      const { id, group_name } = await requireWhole(actor, ref)
      const remote = (await listRemotePollers(store)).find(({ poller_group }) => poller_group === id)
      if (remote !== undefined) throw conflict(`Remote poller ${remote.name} polls this group; remove it first`)
      await deletePollerGroup(store, id)
      await record(actor, group_name, 'deleted')
    },
  }
}

export type PollerService = ReturnType<typeof createPollerService>

function checkTexts({ group_name, descr }: PollerGroupValues): void {
  // a name of digits would be taken for an id
  if (group_name !== undefined && (group_name.trim() === '' || /^\d+$/.test(group_name))) {
    throw invalid('The name of a poller group must not be empty or a number')
  }
  if ([group_name, descr].some((text) => (text ?? '').length > MAX_LENGTH)) {
    throw invalid(`Name and description of a poller group must not exceed ${MAX_LENGTH} characters`)
  }
}
