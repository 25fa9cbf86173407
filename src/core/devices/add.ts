import { isIP } from 'node:net'
import { createLimiter } from '@portlight/limit/limit.ts'
import { failureText, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { conflict, invalid, silent, unusable } from '../base/errors.ts'
import type { SnmpVersion } from '../base/gateway.ts'
import { requireGrants } from '../base/grants-check.ts'
import { toStoreError } from '../database/errors.ts'
import { forcedCredentials, isSnmpVersion } from './credentials.ts'
import { displayName } from './display.ts'
import { isHostname } from './hostname.ts'
import { type AddDeps, ASSOCIATION_MODES, type NewDevice, TRANSPORTS, type Transport } from './new-device.ts'
import { inTheWay, readIdentity, requireOther } from './other-device.ts'
import { maySendStored, requireOwnNetwork } from './own-networks.ts'
import { deviceByAddress, deviceByHostname, deviceBySysName, isAddress } from './read.ts'
import { step } from './steps.ts'
import { type CredentialNote, type Found, firstAnswer, isGiven, NOTHING, pinged } from './try-credentials.ts'
import { insertDevice } from './write.ts'
import { type DeviceEvent, failureEvent } from './write-failures.ts'

/** Stores one device after the other: of two names of one device that are added at once, the second is refused. */
const oneByOne = createLimiter(1)

/** Result of adding a device. */
export interface AddedDevice {
  readonly deviceId: number
  readonly taken: CredentialNote | null
  /** The reason it cannot be read yet, which is that its name does not resolve; null: none. */
  readonly failure: SnmpFailure | null
}

/**
 * Checks and stores a new device. Order of checks: syntax, credentials of a forced addition, hostname in use, version;
 * then, unless forced: address in use, ICMP, SNMP with each set of credentials, sysName in use. Throws DomainError
 * `invalid`, `unusable`, `conflict` or `silent`.
 */
export async function addDevice(deps: AddDeps, actor: Actor, request: NewDevice): Promise<AddedDevice> {
  const { store, settings, gateway } = deps
  const hostname = request.hostname.trim()
  if (hostname === '') throw invalid('Missing the device hostname')
  if (!isHostname(hostname)) throw invalid(`Invalid hostname or IP: ${hostname}`)
  const transport = chosenTransport(request, settings)
  const forced = request.force === true
  const forcedSet =
    forced && request.snmpDisable !== true
      ? forcedCredentials(request, isSnmpVersion(request.snmpver ?? '') ? (request.snmpver as SnmpVersion) : 'v2c')
      : null
  if (forced && request.snmpDisable !== true && !forcedSet) {
    throw invalid('SNMP information is required when force adding a device')
  }
  if (request.only === true && !forced && request.snmpDisable !== true && !isGiven(request)) {
    throw invalid('Only given credentials may be tried, but none were given')
  }
  await requireGrants(store, actor, {
    places: request.locationId === undefined ? [] : [request.locationId],
    placeNames: request.location === undefined ? [] : [request.location],
    names: [hostname, request.overwriteIp, request.sysName].filter((name) => name !== undefined),
  })
  const namesake = await deviceByHostname(store, hostname)
  if (namesake) throw await inTheWay(store, actor, namesake.device_id, `Device ${hostname} already exists`)
  if (request.snmpver !== undefined && !isSnmpVersion(request.snmpver) && request.snmpDisable !== true) {
    throw unusable(`Unsupported SNMP Version "${request.snmpver}", must be v1, v2c, or v3`)
  }
  const target = request.overwriteIp || hostname
  const ip =
    isIP(target) !== 0
      ? target
      : await step(
          deps.report,
          `Name ${target}`,
          () => gateway.resolve(target, transport.endsWith('6') ? 6 : 'any'),
          (address) => ({
            result: address === null ? 'does not resolve to an address' : `is ${address}`,
            state: address === null ? 'no' : 'ok',
          }),
        )
  const found = forced
    ? { ip, credentials: forcedSet, answer: null, taken: null }
    : await askNetwork(deps, actor, await limitedTo(deps, actor, request, ip), hostname, transport, ip)
  const said = forced ? null : await readIdentity(deps, request, transport, found)
  return await oneByOne(async () => {
    if (!forced) {
      await requireNewAddress(deps, actor, request, hostname, ip)
      await requireNewSysName(deps, actor, found)
      await requireOther(deps, actor, request, found, said)
    }
    return await storeDevice(deps, actor, heldAt(actor, request, found), hostname, transport, found)
  })
}

/**
 * The request with only its own credentials where the actor may not have those of the settings sent. Throws `forbidden`
 * if it gives none.
 */
async function limitedTo(deps: AddDeps, actor: Actor, request: NewDevice, ip: string | null): Promise<NewDevice> {
  if (request.snmpDisable === true || ip === null || (await maySendStored(deps, actor, ip))) return request
  if (!isGiven(request)) await requireOwnNetwork(deps, actor, [ip])
  return { ...request, only: true }
}

/**
 * The request with the address that was checked where somebody who does not see credentials uses those of the settings:
 * if the name were looked up again, whoever controls it could have them sent anywhere later.
 */
function heldAt(actor: Actor, request: NewDevice, { ip, taken }: Found): NewDevice {
  const isFree = isAdmin(actor) || taken?.stored !== true || ip === null
  return isFree ? request : { ...request, overwriteIp: ip }
}

function chosenTransport(request: NewDevice, settings: Settings): Transport {
  const requested = request.transport ?? settings.get('snmp.transports')[0] ?? 'udp'
  const known = TRANSPORTS.find((t) => t === requested.toLowerCase())
  if (!known) throw invalid(`Unknown transport "${requested}", must be udp, udp6, tcp or tcp6`)
  const spoken = known === 'udp' || known === 'udp6' || request.force === true || request.snmpDisable === true
  if (!spoken) throw invalid(`SNMP over ${known} is not supported, use udp or udp6`)
  return known
}

async function askNetwork(
  deps: AddDeps,
  actor: Actor,
  request: NewDevice,
  hostname: string,
  transport: Transport,
  ip: string | null,
): Promise<Found> {
  const { settings, gateway, report } = deps
  await requireNewAddress(deps, actor, request, hostname, ip)
  if (settings.get('icmp_check')) {
    const answered = ip !== null && (await pinged(gateway, report, ip))
    if (!answered) throw silent(`Could not ping ${hostname} (${ip ?? 'Hostname did not resolve to IP'})`)
  }
  if (request.snmpDisable === true) return { ip, credentials: null, answer: null, taken: null }
  const { found, elsewhere } =
    ip === null ? NOTHING : await firstAnswer({ gateway, settings, report }, request, transport, ip)
  if (!found) {
    if (request.pingFallback === true && ip !== null) return { ip, credentials: null, answer: null, taken: null }
    const text = `Could not connect to ${hostname}, please check the snmp details and snmp reachability`
    throw silent(elsewhere === null ? text : `${text}: ${failureText(elsewhere)}`)
  }
  return found
}

async function requireNewAddress(
  { store, settings }: AddDeps,
  actor: Actor,
  request: NewDevice,
  hostname: string,
  ip: string | null,
): Promise<void> {
  const fixed = request.overwriteIp || hostname
  const claimed = isAddress(fixed) ? fixed : settings.get('addhost_alwayscheckip') ? ip : null
  const owner = claimed !== null && isAddress(claimed) ? await deviceByAddress(store, claimed) : null
  if (owner) {
    const text = `Cannot add ${hostname}, already have device ${owner.hostname} with this IP ${claimed}`
    throw await inTheWay(store, actor, owner.device_id, text)
  }
}

async function requireNewSysName({ store, settings }: AddDeps, actor: Actor, { answer }: Found): Promise<void> {
  const sysName = answer?.sysName?.trim()
  if (!sysName || settings.get('allow_duplicate_sysName')) return
  const owner = await deviceBySysName(store, sysName)
  if (owner) {
    const text = `Already have device ${owner.hostname} due to duplicate sysName: ${sysName}`
    throw await inTheWay(store, actor, owner.device_id, text)
  }
}

/** The record's `status_reason` when no check can be made, which is all enabled checks. */
function everyCheck(settings: Settings, icmpOnly: boolean): string {
  return [settings.get('icmp_check') ? 'icmp' : '', icmpOnly ? '' : 'snmp'].filter((check) => check !== '').join(',')
}

async function storeDevice(
  { store, settings, gateway }: AddDeps,
  actor: Actor,
  request: NewDevice,
  hostname: string,
  transport: Transport,
  { ip, credentials, answer, taken }: Found,
): Promise<AddedDevice> {
  const icmpOnly = credentials === null
  const sysName = answer?.sysName?.trim().toLowerCase() || (icmpOnly ? (request.sysName ?? '') : hostname)
  const address = ip !== null && isAddress(ip) ? ip : null
  const mode = request.portAssociationMode ?? ASSOCIATION_MODES.indexOf(settings.get('port_association_mode')) + 1
  const template = request.displayTemplate || settings.get('device_display_default')
  const values = {
    hostname,
    sysName,
    display: displayName(template, { hostname, sysName, ip: address ?? '' }),
    display_template: request.displayTemplate ?? null,
    ip: address,
    overwrite_ip: request.overwriteIp ?? null,
    ...(credentials ?? {}),
    ...(icmpOnly && isSnmpVersion(request.snmpver ?? '') ? { snmpver: request.snmpver ?? 'v2c' } : {}),
    port: request.port ?? settings.get('snmp.port'),
    transport,
    snmp_disable: icmpOnly ? 1 : 0,
    snmp_any_source: request.anySource === true ? 1 : 0,
    os: answer?.os ?? (icmpOnly ? (request.os ?? 'ping') : 'generic'),
    hardware: icmpOnly ? (request.hardware ?? '') : null,
    sysDescr: answer?.sysDescr ?? null,
    sysObjectID: answer?.sysObjectID ?? null,
    snmpEngineID: answer?.snmpEngineID ?? null,
    poller_group: request.pollerGroup ?? 0,
    location_id: request.locationId ?? null,
    override_sysLocation: request.overrideSysLocation === true ? 1 : 0,
    port_association_mode: mode,
    status: request.force === true ? 0 : 1,
    status_reason: ip === null ? everyCheck(settings, icmpOnly) : '',
  }
  const failure: SnmpFailure | null =
    ip === null && values.status_reason !== ''
      ? { kind: 'unresolved', hostname: request.overwriteIp || hostname }
      : null
  const events: DeviceEvent[] = failure === null ? [] : [failureEvent(null, failure)].filter((event) => event !== null)
  if (taken !== null)
    events.push({ message: `SNMP: answered to ${taken.text}`, type: 'snmp', severity: taken.asGiven ? 2 : 4 })
  try {
    const deviceId = await insertDevice(store, values, request.location ?? null, actor.username, {
      failure,
      events,
    })
    gateway.refresh(deviceId)
    return { deviceId, taken, failure }
  } catch (error) {
    const known = toStoreError(error)
    if (known.code === '23505') throw conflict(`Device ${hostname} already exists`)
    if (known.code === '23503') throw invalid(`Location ${request.locationId} does not exist`)
    throw known
  }
}
