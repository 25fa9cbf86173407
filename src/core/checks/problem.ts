import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import type { Graphs } from '../base/graphs.ts'
import type { Store } from '../database/client.ts'
import { splitArguments } from './arguments.ts'
import { BUILTIN_TYPES } from './builtin.ts'
import { isHost, type PlannedService, planCheck } from './plan.ts'
import { isDeviceAddress, type ServiceRow } from './read.ts'
import { findPlugin, isServiceType, pluginFolders } from './types.ts'

export interface HostServiceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly graphs: Graphs
}

/** Why a service is refused: it cannot be checked, or not by this actor. */
interface Problem {
  readonly kind: 'invalid' | 'forbidden'
  readonly reason: string
}

/** Columns that determine what is checked, and how. */
export const DECIDING = ['service_type', 'service_ip', 'service_param'] as const
type Deciding = Pick<ServiceRow, (typeof DECIDING)[number] | 'device_id'>

export const NOT_ITS_ADDRESS = "Only administrators may check addresses other than the device's own"

/**
 * The reason a service cannot be checked, or may not be by this actor; null: it may. Plugins can read files and
 * connect to any host, depending on their parameters, and an address may be reachable only from this server, so both
 * are left to administrators. `judged` false: whether a check accepts the parameters is left to the check.
 */
export async function problemOf(
  { store, settings }: Pick<HostServiceDeps, 'store' | 'settings'>,
  actor: Actor,
  service: Deciding,
  judged: boolean,
): Promise<Problem | null> {
  const { device_id, service_type: type, service_ip: address, service_param } = service
  const param = service_param ?? ''
  const program = await findPlugin(pluginFolders(settings), type)
  // the device's hostname is not validated here
  const planned: PlannedService = { type, address: address || 'localhost', param }
  const plan = planCheck(planned, { program, prefer: settings.get('services.prefer') })
  if (plan.kind === 'refused' && judged) {
    // a program that is not installed yet may accept any parameters
    const later = !BUILTIN_TYPES.includes(type) && isServiceType(type) && isHost(planned.address)
    if (!later || splitArguments(param).kind === 'refused') return { kind: 'invalid', reason: plan.reason }
  }
  if (isAdmin(actor)) return null
  if (plan.kind !== 'builtin') {
    return { kind: 'forbidden', reason: 'Only administrators may have Portlight run check programs' }
  }
  const own = !address || (await isDeviceAddress(store, device_id, address))
  return own ? null : { kind: 'forbidden', reason: NOT_ITS_ADDRESS }
}
