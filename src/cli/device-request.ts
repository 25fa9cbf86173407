import { SYSTEM } from '../core/base/actor.ts'
import { ASSOCIATION_MODES, type NewDevice } from '../core/devices/new-device.ts'
import type { Services } from '../core/services.ts'
import { CliError } from './errors.ts'

/** Options of `device add`, as commander names them. */
export interface AddOptions {
  readonly snmpVersion?: string
  readonly community?: string
  readonly snmpPort?: number
  readonly transport?: string
  readonly authLevel?: string
  readonly authName?: string
  readonly authPass?: string
  readonly authAlgo?: string
  readonly cryptoPass?: string
  readonly cryptoAlgo?: string
  readonly anySource?: boolean
  readonly only?: boolean
  readonly force?: boolean
  readonly pingOnly?: boolean
  readonly pingFallback?: boolean
  readonly os?: string
  readonly sysname?: string
  readonly hardware?: string
  readonly display?: string
  readonly address?: string
  readonly location?: string
  /** Name or id; `withGroup` makes it the id. */
  readonly pollerGroup?: string
  readonly portAssociation?: string
  readonly json?: boolean
}

/** Builds the request from the options of `device add`. */
export function newDevice(hostname: string, options: AddOptions): NewDevice {
  const mode = ASSOCIATION_MODES.map(String).indexOf(options.portAssociation ?? '')
  return {
    hostname,
    snmpver: options.snmpVersion,
    community: options.community,
    port: options.snmpPort,
    transport: options.transport,
    authlevel: options.authLevel,
    authname: options.authName,
    authpass: options.authPass,
    authalgo: options.authAlgo,
    cryptopass: options.cryptoPass,
    cryptoalgo: options.cryptoAlgo,
    anySource: options.anySource,
    only: options.only,
    force: options.force,
    snmpDisable: options.pingOnly,
    pingFallback: options.pingFallback,
    os: options.os,
    sysName: options.sysname,
    hardware: options.hardware,
    displayTemplate: options.display,
    overwriteIp: options.address,
    location: options.location,
    pollerGroup: options.pollerGroup === undefined ? undefined : Number(options.pollerGroup),
    portAssociationMode: mode < 0 ? undefined : mode + 1,
  }
}

/** The options with the id of the poller group in place of its name. Throws CliError if there is none. */
export async function withGroup(services: Pick<Services, 'pollers'>, options: AddOptions): Promise<AddOptions> {
  const { pollerGroup: ref } = options
  return ref === undefined ? options : { ...options, pollerGroup: String(await pollerGroupId(services, ref)) }
}

/** The id of a poller group given by name, regardless of case, or id; 0 is the general group. Throws CliError. */
export async function pollerGroupId({ pollers }: Pick<Services, 'pollers'>, ref: string): Promise<number> {
  if (ref === '0') return 0
  const groups = await pollers.groups(SYSTEM)
  const lower = ref.toLowerCase()
  const found =
    groups.find(({ group_name }) => group_name.toLowerCase() === lower) ?? groups.find(({ id }) => String(id) === ref)
  if (found === undefined) throw new CliError(`there is no poller group ${ref}: poller-group list shows them`)
  return found.id
}
