import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { conflict, DomainError, invalid } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import { addDevice } from '../devices/add.ts'
import { type Credentials, credentialTrials } from '../devices/credentials.ts'
import type { NewDevice } from '../devices/new-device.ts'
import { requireOwnNetwork } from '../devices/own-networks.ts'
import type { AcceptOptions } from './candidate.ts'
import { nameOf } from './names.ts'
import type { Addable } from './read-candidates.ts'
import type { Reverse } from './reverse.ts'
import { claim, handOver, inTurn, setState, unclaim } from './write-candidates.ts'

export interface AcceptDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly reverse: Reverse
}

/** What adding needs beyond the options of a person. */
export interface AcceptPlan extends AcceptOptions {
  /** A sentence for the candidate: who accepted it. */
  readonly because: string
}

/**
 * Adds a candidate as a device with the credentials that worked, and hands its other addresses over. Returns the
 * device's id. Throws DomainError as `addDevice` does; the reason is then stored with the candidate.
 */
export async function acceptCandidate(
  deps: AcceptDeps,
  actor: Actor,
  candidate: Addable,
  plan: AcceptPlan,
): Promise<number> {
  const { store } = deps
  if (!(await claim(store, candidate.id)))
    throw conflict(`Candidate ${candidate.id} is a device already, or is being added. Look again in a minute`)
  try {
    const { deviceId } = await addDevice(deps, actor, await requestOf(deps, actor, candidate, plan))
    await inTurn(store, async (tx) => {
      await handOver(tx, candidate.id, deviceId)
      await setState({ sql: tx }, [candidate.id], 'added', plan.because, deviceId)
    })
    return deviceId
  } catch (error) {
    const why = error instanceof DomainError ? error.message : 'It could not be added. See the log'
    await unclaim(store, candidate.id, why)
    throw error
  }
}

async function requestOf(deps: AcceptDeps, actor: Actor, candidate: Addable, plan: AcceptPlan): Promise<NewDevice> {
  const { settings, gateway } = deps
  const { address } = candidate
  if (address === null && plan.hostname === undefined)
    throw invalid(
      `Nothing is known of an address of ${candidate.heard_name ?? `candidate ${candidate.id}`}; give the name or address by which it is reached`,
    )
  const hostname = plan.hostname?.trim() || (await hostnameOf(deps, candidate, plan))
  if (hostname === null) throw invalid(`Candidate ${candidate.id} has neither a name nor an address`)
  const pollerGroup = plan.pollerGroup ?? (candidate.poller_group || settings.get('default_poller_group'))
  const group = {
    ...(pollerGroup > 0 && { pollerGroup }),
    ...(plan.location !== undefined && { location: plan.location }),
  }
  const credentials = credentialsOf(settings, candidate)
  if (credentials === null && address !== null && plan.pingOnly !== true)
    throw invalid(
      'It does not answer SNMP with the credentials of the settings. Add it by ping alone, or add its credentials to the settings and scan it again',
    )
  if (address === null) return { hostname, ...group, pingFallback: plan.pingOnly === true }
  // the name may lead elsewhere, and only at this address were the credentials accepted
  const isThere = hostname === address || (isAdmin(actor) && (await gateway.resolve(hostname, 'any')) === address)
  const at = { hostname, ...group, ...(!isThere && { overwriteIp: address }) }
  if (credentials === null) return { ...at, snmpDisable: true }
  await requireOwnNetwork({ settings, gateway }, actor, [address])
  return {
    ...at,
    ...givenOf(credentials),
    only: true,
    identified: true,
    ...(candidate.snmp_port !== null && { port: candidate.snmp_port }),
    // the poller of another site asked it, and this process may not reach it
    ...(candidate.poller_group > 0 && { force: true }),
  }
}

async function hostnameOf({ settings, reverse }: AcceptDeps, candidate: Addable, { nameBy }: AcceptOptions) {
  const by = nameBy ?? 'dns'
  const { address } = candidate
  const named = by === 'dns' && address !== null ? await reverse(address) : null
  const sysName = candidate.sys_name ?? candidate.heard_name
  return nameOf({ address, sysName, reverse: named }, by, settings.get('mydomain'))
}

/** The credentials at the place in the settings that worked; null: none worked, or the settings have changed. */
function credentialsOf(settings: Settings, { snmp_version, snmp_index }: Addable): Credentials | null {
  if (snmp_version === null || snmp_index === null) return null
  const trials = credentialTrials(
    { snmpver: snmp_version },
    {
      versions: [],
      // equal ones would be left out, and the places would not be those of the settings
      communities: snmp_version === 'v3' ? [] : settings.get('snmp.community').slice(snmp_index, snmp_index + 1),
      v3: settings.get('snmp.v3'),
    },
  )
  const found = snmp_version === 'v3' ? trials.find(({ number }) => number === snmp_index + 1) : trials[0]
  return found?.credentials ?? null
}

/** Credentials as a request gives them. */
function givenOf(credentials: Credentials): Partial<NewDevice> {
  return Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== null))
}
