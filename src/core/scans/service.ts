import type { Settings } from '../../config/schema.ts'
import { type Actor, changerOf, isAdmin } from '../base/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import type { Store } from '../database/client.ts'
import { findPollerGroup } from '../pollers/read.ts'
import { checkNetworks, outsideText } from './check-networks.ts'
import { partsOf, type ScanPart } from './network-options.ts'
import { findScan, listScans } from './read.ts'
import type { Scan } from './scan.ts'
import { noCounts } from './scan-counts.ts'
import { planOf } from './scan-plan.ts'
import { insertScan, resumeScan, stopScan } from './write.ts'

/** A scan to start. */
export interface ScanRequest {
  /** CIDR or addresses; undefined or empty: all of setting nets. */
  readonly networks?: readonly string[] | undefined
  /** Id or name; undefined: as setting autodiscovery.networks says, else the default group. */
  readonly pollerGroup?: number | string | undefined
  /** Datagrams per second; undefined: as the settings say. */
  readonly rate?: number | undefined
  readonly ping?: boolean | undefined
  readonly snmp?: boolean | undefined
  /** Allows IPv4 networks larger than a /16. */
  readonly large?: boolean | undefined
}

/** The highest rate of a scan, as of setting autodiscovery.rate. */
const MAX_RATE = 20_000
/** Scans shown at most. */
const MAX_SHOWN = 200

/** Operations on scans for devices. */
export function createScanService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  async function require(actor: Actor, id: number): Promise<Scan> {
    requireRight(actor)
    const scan = isId(id) ? await findScan(store, id) : null
    if (scan === null) throw notFound(`There is no scan ${id}`)
    return scan
  }

  return {
    /**
     * Starts a scan; networks that are scanned by different poller groups or at different rates become one scan each.
     * The server begins them, one at a time for each poller group, unless `byCommand`. Throws `forbidden` or `invalid`.
     */
    async start(actor: Actor, request: ScanRequest, byCommand = false): Promise<readonly Scan[]> {
      requireRight(actor)
      const { ping = true, snmp = true, large = false, rate, pollerGroup } = request
      if (!ping && !snmp) throw invalid('A scan needs ping or SNMP')
      if (rate !== undefined && !(Number.isSafeInteger(rate) && rate >= 1 && rate <= MAX_RATE))
        throw invalid(`The rate must be a whole number of datagrams per second from 1 to ${MAX_RATE}`)
      const group = pollerGroup === undefined ? undefined : await groupOf(store, String(pollerGroup))
      const { inside, outside } = checkNetworks(request.networks ?? [], settings.get('nets'), large)
      if (outside.length > 0) throw invalid(outsideText(outside))
      const scans: Scan[] = []
      const parts = partsOf(settings, inside, { pollerGroup: group, rate })
      await requireGroups(store, parts)
      for (const part of parts) {
        const { total, excluded } = planOf(settings, part.networks)
        const counts = noCounts(total, excluded)
        const id = await insertScan(store, {
          ...{ ...part, ping, snmp, large, byCommand, startedBy: starterOf(actor, byCommand), counts },
        })
        scans.push(await require(actor, id))
      }
      return scans
    },

    /** Stops a scan; it can be resumed. Throws `forbidden`, `not_found`, or `conflict` if it is over. */
    async stop(actor: Actor, id: number): Promise<Scan> {
      const { state } = await require(actor, id)
      if (!(await stopScan(store, id)))
        throw conflict(`Scan ${id} is ${state}: only one that runs or waits can be stopped`)
      return await require(actor, id)
    },

    /** Lets a scan that was stopped or failed go on where it was. Throws `forbidden`, `not_found` or `conflict`. */
    async resume(actor: Actor, id: number, byCommand = false): Promise<Scan> {
      const { state } = await require(actor, id)
      if (!(await resumeScan(store, id, byCommand)))
        throw conflict(`Scan ${id} is ${state}: only one that was stopped or failed can be resumed`)
      return await require(actor, id)
    },

    /** Throws `forbidden` or `not_found`. */
    get: (actor: Actor, id: number): Promise<Scan> => require(actor, id),

    /** The newest scans first. Throws `forbidden`. */
    async list(actor: Actor, most = MAX_SHOWN): Promise<readonly Scan[]> {
      requireRight(actor)
      return await listScans(store, Math.min(MAX_SHOWN, Math.max(1, most)))
    },
  }
}

export type ScanService = ReturnType<typeof createScanService>

/** Who is shown to have started a scan: scans of the schedule have no user. */
const starterOf = (actor: Actor, byCommand: boolean): string =>
  actor.username === '' && !byCommand ? 'schedule' : changerOf(actor)

/** Throws `invalid` if a poller group does not exist. */
async function requireGroups(store: Store, parts: readonly ScanPart[]): Promise<void> {
  for (const { pollerGroup, networks } of parts) {
    if (pollerGroup !== 0 && (await findPollerGroup(store, String(pollerGroup))) === null)
      throw invalid(
        `Setting autodiscovery.networks gives ${networks.join(', ')} to poller group ${pollerGroup}, which does not exist: nothing would poll what is found there`,
      )
  }
}

async function groupOf(store: Store, ref: string): Promise<number> {
  if (ref === '0') return 0
  const group = await findPollerGroup(store, ref)
  if (group === null) throw invalid(`There is no poller group ${ref.slice(0, 100)}`)
  return group.id
}

/** Scans send the stored credentials to every address of the networks. */
function requireRight(actor: Actor): void {
  if (!isAdmin(actor))
    throw forbidden('Only administrators may scan networks: a scan sends the stored SNMP credentials')
}
