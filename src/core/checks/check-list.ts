import type { Settings } from '../../config/schema.ts'
import { steadyNow } from '../../lib/steady.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { BUILTIN_TYPES, type BuiltinOption, builtinOptions } from './builtin.ts'
import {
  type CheckList,
  type CheckListQuery,
  lastChecked,
  readCheckList,
  type ServiceDetail,
  serviceDetail,
  usedTypes,
} from './read-check-list.ts'
import { findPlugin, pluginFolders, serviceTypes } from './types.ts'
import { requestCheck } from './write.ts'

export {
  CHECK_LIST_STATES,
  type CheckList,
  type CheckListQuery,
  type CheckListRow,
  type CheckListState,
} from './read-check-list.ts'
export type { BuiltinOption, ServiceDetail }

/** A type of service that can be checked here. */
export interface OfferedType {
  readonly type: string
  /** Options of the built-in check; null: only the program checks it. */
  readonly options: readonly BuiltinOption[] | null
  /** Whether the program `check_TYPE` is installed. */
  readonly isInstalled: boolean
}

/** Time for which a request for a check waits for its result. */
const WAIT_MS = 4000
const LOOK_MS = 150

/** Services for the web pages: all of the fleet, a single one, and the types that can be checked. */
export function createCheckList({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  return {
    /** Services that the actor may see, worst first. */
    checkList(actor: Actor, query: CheckListQuery): Promise<CheckList> {
      return readCheckList(store, scopeOf(actor), query)
    },

    usedTypes: (actor: Actor): Promise<string[]> => usedTypes(store, scopeOf(actor)),

    /** One service. Throws `not_found` when it does not exist or the actor may not see it. */
    async detail(actor: Actor, ref: string): Promise<ServiceDetail> {
      const id = /^\d{1,9}$/.test(ref) ? Number(ref) : 0
      const found = id === 0 ? null : await serviceDetail(store, scopeOf(actor), id)
      if (found === null) throw notFound('There is no such service')
      return found
    },

    /** Types that can be checked now: built-in checks and installed programs. */
    async offered(): Promise<OfferedType[]> {
      const folders = pluginFolders(settings)
      const all = await serviceTypes(folders)
      const found = await Promise.all(
        all.map(async (type) => ({
          type,
          options: BUILTIN_TYPES.includes(type) ? builtinOptions(type) : null,
          isInstalled: (await findPlugin(folders, type)) !== null,
        })),
      )
      return found.filter(({ options, isInstalled }) => options !== null || isInstalled)
    },

    /**
     * Requests an immediate check. Returns true when its result is stored, false if it did not arrive within seconds.
     * Throws `not_found`. Callers check the permission to change services.
     */
    async checkNow(actor: Actor, ref: string): Promise<boolean> {
      const { service_id, checked_at } = await this.detail(actor, ref)
      await requestCheck(store, service_id)
      for (const end = steadyNow() + WAIT_MS; steadyNow() < end; await Bun.sleep(LOOK_MS)) {
        const at = await lastChecked(store, service_id)
        if (at !== null && at.getTime() !== checked_at?.getTime()) return true
      }
      return false
    },
  }
}
