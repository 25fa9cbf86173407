import { isIP } from 'node:net'
import type { Settings } from '../../config/schema.ts'
import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import { deviceByAddress, deviceByHostname, deviceBySysName, isAddress } from '../../store/readers/devices.ts'
import { insertDevice } from '../../store/writers/devices.ts'
import type { Actor } from '../actor.ts'
import { conflict, failed, invalid } from '../errors.ts'
import type { Gateway, ProbeOutcome, SnmpVersion } from '../gateway.ts'
import {
  type Credentials,
  credentialTrials,
  forcedCredentials,
  type GivenCredentials,
  isSnmpVersion,
} from './credentials.ts'
import { displayName } from './display.ts'
import { isHostname } from './hostname.ts'

/** A device to watch. Everything but the hostname is optional; null and undefined mean the same: not said. */
export interface NewDevice extends GivenCredentials {
  readonly hostname: string
  /** UDP port of the agent; default: setting snmp.port. */
  readonly port?: number | undefined
  /** udp, udp6, tcp or tcp6; default: the first of setting snmp.transports. tcp is stored but not spoken. */
  readonly transport?: string | undefined
  readonly pollerGroup?: number | undefined
  /** Add without asking the device anything; only a taken hostname is refused. */
  readonly force?: boolean | undefined
  /** Watch by ICMP alone. */
  readonly snmpDisable?: boolean | undefined
  /** Fall back to ICMP alone when SNMP does not answer. */
  readonly pingFallback?: boolean | undefined
  /** ICMP-only devices: what they are. */
  readonly os?: string | undefined
  readonly sysName?: string | undefined
  readonly hardware?: string | undefined
  readonly displayTemplate?: string | undefined
  /** Address to use in place of the hostname. */
  readonly overwriteIp?: string | undefined
  /** Name of a location, created when new; wins over the id. */
  readonly location?: string | undefined
  readonly locationId?: number | undefined
  readonly overrideSysLocation?: boolean | undefined
  /** 1 ifIndex, 2 ifName, 3 ifDescr, 4 ifAlias; default: setting port_association_mode. */
  readonly portAssociationMode?: number | undefined
}

export interface AddDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
}

export const ASSOCIATION_MODES = ['ifIndex', 'ifName', 'ifDescr', 'ifAlias'] as const
export const TRANSPORTS = ['udp', 'udp6', 'tcp', 'tcp6'] as const
type Transport = (typeof TRANSPORTS)[number]

/** What the network said about a new device. */
interface Found {
  readonly ip: string | null
  readonly credentials: Credentials | null
  readonly answer: Extract<ProbeOutcome, { kind: 'answer' }> | null
}

/**
 * Checks and stores a new device; returns its id. Order of the checks: syntax, credentials of a forced addition,
 * hostname taken, version; then, unless forced: address taken, ICMP, SNMP with every set of credentials in turn,
 * sysName taken. Throws DomainError `invalid`, `conflict` or `failed`.
 */
export async function addDevice(deps: AddDeps, actor: Actor, request: NewDevice): Promise<number> {
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
  if (await deviceByHostname(store, hostname)) throw conflict(`Device ${hostname} already exists`)
  if (request.snmpver !== undefined && !isSnmpVersion(request.snmpver) && request.snmpDisable !== true) {
    throw failed(`Unsupported SNMP Version "${request.snmpver}", must be v1, v2c, or v3`)
  }
  const target = request.overwriteIp || hostname
  const ip = isIP(target) !== 0 ? target : await gateway.resolve(target, transport.endsWith('6') ? 6 : 'any')
  const found = forced
    ? { ip, credentials: forcedSet, answer: null }
    : await askNetwork(deps, request, hostname, transport, ip)
  return await storeDevice(deps, actor, request, hostname, transport, found)
}

function chosenTransport(request: NewDevice, settings: Settings): Transport {
  const wanted = request.transport ?? settings.get('snmp.transports')[0] ?? 'udp'
  const known = TRANSPORTS.find((t) => t === wanted.toLowerCase())
  if (!known) throw invalid(`Unknown transport "${wanted}", must be udp, udp6, tcp or tcp6`)
  const spoken = known === 'udp' || known === 'udp6' || request.force === true || request.snmpDisable === true
  if (!spoken) throw invalid(`SNMP over ${known} is not supported, use udp or udp6`)
  return known
}

async function askNetwork(
  { store, settings, gateway }: AddDeps,
  request: NewDevice,
  hostname: string,
  transport: Transport,
  ip: string | null,
): Promise<Found> {
  const fixed = request.overwriteIp || hostname
  const claimed = isAddress(fixed) ? fixed : settings.get('addhost_alwayscheckip') ? ip : null
  if (claimed !== null && isAddress(claimed)) {
    const owner = await deviceByAddress(store, claimed)
    if (owner) throw conflict(`Cannot add ${hostname}, already have device ${owner.hostname} with this IP ${claimed}`)
  }
  if (settings.get('icmp_check')) {
    const answered = ip !== null && (await gateway.ping(ip)).kind !== 'silent'
    if (!answered) throw failed(`Could not ping ${hostname} (${ip ?? 'Hostname did not resolve to IP'})`)
  }
  if (request.snmpDisable === true) return { ip, credentials: null, answer: null }
  const found = ip === null ? null : await firstAnswer(gateway, settings, request, transport, ip)
  if (!found) {
    if (request.pingFallback === true && ip !== null) return { ip, credentials: null, answer: null }
    throw failed(`Could not connect to ${hostname}, please check the snmp details and snmp reachability`)
  }
  const sysName = found.answer?.sysName?.trim()
  if (sysName && !settings.get('allow_duplicate_sysName')) {
    const owner = await deviceBySysName(store, sysName)
    if (owner) throw conflict(`Already have device ${owner.hostname} due to duplicate sysName: ${sysName}`)
  }
  return found
}

async function firstAnswer(
  gateway: Gateway,
  settings: Settings,
  request: NewDevice,
  transport: Transport,
  ip: string,
): Promise<Found | null> {
  const trials = credentialTrials(request, {
    versions: settings.get('snmp.version'),
    communities: settings.get('snmp.community'),
    v3: settings.get('snmp.v3'),
  })
  for (const credentials of trials) {
    const answer = await gateway.probe({
      address: ip,
      port: request.port ?? settings.get('snmp.port'),
      transport: transport === 'udp6' || transport === 'tcp6' || ip.includes(':') ? 'udp6' : 'udp',
      timeout: null,
      retries: null,
      ...credentials,
    })
    if (answer.kind === 'answer') return { ip, credentials, answer }
  }
  return null
}

async function storeDevice(
  { store, settings, gateway }: AddDeps,
  actor: Actor,
  request: NewDevice,
  hostname: string,
  transport: Transport,
  { ip, credentials, answer }: Found,
): Promise<number> {
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
    status_reason: '',
  }
  try {
    const deviceId = await insertDevice(store, values, request.location ?? null, actor.username)
    gateway.refresh(deviceId)
    return deviceId
  } catch (error) {
    const known = toStoreError(error)
    if (known.code === '23505') throw conflict(`Device ${hostname} already exists`)
    if (known.code === '23503') throw invalid(`Location ${request.locationId} does not exist`)
    throw known
  }
}
