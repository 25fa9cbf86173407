import { formatIpv6, parseIpv6 } from '@portlight/addresses/ip.ts'
import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import { steadyNow } from '../../lib/steady.ts'
import { type Actor, SYSTEM } from '../base/actor.ts'
import { toDomainError } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import { insertDeviceEvent, insertEvent } from '../base/write-events.ts'
import type { Store } from '../database/client.ts'
import type { Tx } from '../discovery/write-rows.ts'
import { type Evidence, evidenceOf } from '../identity/evidence.ts'
import { devicesLike, type KnownDevice } from '../identity/read-devices.ts'
import { type AcceptPlan, acceptCandidate } from './accept.ts'
import { type Outcome, outcomeOf } from './at-once.ts'
import { decide, type Finding, isAnother } from './decide.ts'
import { LIMITS, tidy } from './limits.ts'
import type { ObservedHost, RecordedHost } from './observed-host.ts'
import { addableCandidates } from './read-candidates.ts'
import {
  candidateAt,
  candidateStatus,
  candidatesLike,
  isMoveOffered,
  lastOtherAddress,
  seenAt,
} from './read-evidence.ts'
import { listRules } from './read-rules.ts'
import { type Reverse, reverseName } from './reverse.ts'
import { isInAny } from './rules.ts'
import { NAMING, noSnmpText, SOURCE_NAMES } from './words.ts'
import {
  type Dropped,
  dropTooMany,
  endMoves,
  forgetAddress,
  insertCandidate,
  inTurn,
  mergeCandidates,
  noteOtherAddress,
  noteSource,
  type StoredHost,
  setState,
  updateCandidate,
} from './write-candidates.ts'

export interface RecordDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  /** Looks up names of addresses. Default: the DNS. */
  readonly reverse?: Reverse
  /** Hosts that answer ping alone become candidates. Default: setting autodiscovery.ping_fallback. */
  readonly keepsPing?: boolean
  /** Limits of what is kept; others only in tests. */
  readonly limits?: { readonly candidates: number; readonly perDevice: number }
}

/** Failures in which no agent said anything; a refusal of the credentials is an answer. */
const SILENCE: ReadonlySet<SnmpFailure['kind']> = new Set(['timeout', 'unreachable', 'deadline', 'closed', 'lost'])

/** Who adds devices that are accepted by themselves. */
const FINDER: Actor = { ...SYSTEM, username: 'autodiscovery' }

/**
 * Records what asking a host found out: a known device under another address becomes a note on it, another host a
 * candidate, which is added or ignored if a rule or the settings say so. Hosts are recorded one after the other, also
 * across processes, and recording one again changes nothing but when it was seen. Throws StoreError.
 */
export async function recordHost(deps: RecordDeps, given: ObservedHost): Promise<RecordedHost> {
  return await record(deps, given, null)
}

/** Records a neighbour that is not asked, with the reason as a sentence. Its address may be empty: unknown. */
export async function recordHeard(deps: RecordDeps, given: ObservedHost['target'], why: string): Promise<RecordedHost> {
  return await record(deps, { target: given, pingMs: null, snmp: null, failure: null }, why)
}

async function record(deps: RecordDeps, given: ObservedHost, notAsked: string | null): Promise<RecordedHost> {
  const { store, settings } = deps
  const host = spelled(given)
  const { address } = host.target
  if (address !== '' && isInAny(settings.get('autodiscovery.nets-exclude'), address))
    return { ...nothing(host), state: 'excluded', why: `${address} is in setting autodiscovery.nets-exclude` }
  const done = await inTurn(store, (tx) => storeHost(tx, deps, host, notAsked))
  await tellEvents(store, host, done)
  if (done.accept === null) return done.result
  return await addAtOnce(deps, host, done.result, done.accept)
}

/** What happened in the transaction. */
interface Recorded {
  readonly result: RecordedHost
  /** The candidate is to be added. */
  readonly accept: Outcome | null
  readonly dropped: Dropped | null
  /** A device was seen at another address for the first time. */
  readonly noted: KnownDevice | null
  /** A device was found to have moved; only the first time. */
  readonly moved: Moved | null
}

/** A device, and the address at which it answers now. */
interface Moved {
  readonly device: KnownDevice
  readonly address: string
}

const QUIET = { accept: null, dropped: null, noted: null, moved: null } as const

async function storeHost(tx: Tx, deps: RecordDeps, host: ObservedHost, notAsked: string | null): Promise<Recorded> {
  const { target, snmp } = host
  const evidence = snmp === null ? null : evidenceOf(snmp.identity)
  const address = target.address === '' ? null : target.address
  const finding = await findingOf(tx, host, evidence, address)
  if (finding.kind === 'device') return await atDevice(tx, host, finding)
  const isSilent = snmp === null && host.pingMs === null && host.failure === null
  if (isSilent && finding.kind === 'new' && !NAMING.has(target.source.kind) && notAsked === null)
    return { ...QUIET, result: { ...nothing(host), why: 'Neither ping nor SNMP answered' } }
  const isHeard = snmp !== null || (host.failure !== null && !SILENCE.has(host.failure.kind))
  const isPingOnly = !isHeard && target.source.kind === 'scan'
  if (isPingOnly && finding.kind === 'new' && !(deps.keepsPing ?? deps.settings.get('autodiscovery.ping_fallback')))
    return { ...QUIET, result: { ...nothing(host), state: 'ping', why: noSnmpText(host) } }
  const [first, ...others] = finding.kind === 'new' ? [] : finding.candidates
  const outcome = outcomeOf(host, await listRules({ sql: tx }), deps.settings)
  const why = whyOf(host, finding, outcome, notAsked)
  const stored: StoredHost = {
    pollerGroup: target.pollerGroup,
    address,
    heardName: tidy(target.source.remoteName),
    identity: snmp?.identity ?? null,
    evidence,
    credentials: snmp?.credentials ?? null,
    pingMs: host.pingMs,
    why,
    movedFrom: finding.kind === 'moved' ? finding.device.key : null,
  }
  if (first === undefined) {
    const id = await insertCandidate(tx, stored)
    await noteSource(tx, id, target.source)
    const dropped = await dropTooMany(tx, id, target.source.deviceId, deps.limits ?? LIMITS)
    const done = await settled(tx, host, id, outcome, why, finding)
    return { ...done, dropped, moved: done.moved ?? (await offerMove(tx, host, finding)) }
  }
  await mergeCandidates(tx, first, others)
  const before = await candidateStatus(tx, first)
  // a host that is silent once keeps what is known of it by SNMP
  const keeps = (snmp === null && before.answered) || before.state !== 'new'
  await updateCandidate(tx, first, {
    ...stored,
    ...(keeps && { why: before.why }),
    ...(snmp === null && { movedFrom: before.movedFrom }),
  })
  await noteSource(tx, first, target.source)
  if (before.state === 'ignored')
    return {
      ...QUIET,
      result: { ...nothing(host), state: 'ignored', candidateId: first, why: before.why || 'It is ignored' },
    }
  if (before.state === 'added' && before.deviceId !== null) return await atAdded(tx, host, first, before.deviceId)
  if (before.state === 'added') {
    // a person deleted the device, so it is not added by itself again
    const text = 'It was a device that was deleted; it waits for a decision'
    await setState({ sql: tx }, [first], 'new', text)
    return { ...QUIET, result: { ...nothing(host), state: 'found', candidateId: first, why: text } }
  }
  const isAgain = before.movedFrom !== null
  const result = await settled(
    tx,
    host,
    first,
    snmp === null && before.answered ? { ...outcome, action: 'wait' } : outcome,
    keeps ? before.why : why,
    finding,
  )
  return isAgain
    ? { ...result, moved: null }
    : { ...result, moved: result.moved ?? (await offerMove(tx, host, finding)) }
}

/** Offers a device whose address the host has now as moved, if it was seen elsewhere. Returns where, the first time. */
async function offerMove(tx: Tx, { target }: ObservedHost, finding: Finding): Promise<Moved | null> {
  const device = finding.kind === 'new' || finding.kind === 'candidate' ? finding.instead : null
  if (device === null || (await isMoveOffered(tx, device.key))) return null
  const address = await lastOtherAddress(tx, device.key)
  if (address === null || address === device.address) return null
  const id = await insertCandidate(tx, {
    pollerGroup: target.pollerGroup,
    address,
    heardName: tidy(device.name),
    identity: null,
    evidence: device.evidence[0] ?? null,
    credentials: null,
    pingMs: null,
    why: movedText(device, 'it answered there before another host took its address'),
    movedFrom: device.key,
  })
  await noteSource(tx, id, target.source)
  return { device, address }
}

async function findingOf(
  tx: Tx,
  host: ObservedHost,
  evidence: Evidence | null,
  address: string | null,
): Promise<Finding> {
  const { pollerGroup, source } = host.target
  const likely = evidence ?? evidenceOf({})
  const names = address === null || evidence !== null ? [source.remoteName, host.snmp?.identity.sysName ?? null] : []
  const there = await candidateAt(
    tx,
    pollerGroup,
    address,
    names.filter((name) => name !== null && name.trim() !== '') as string[],
  )
  const candidates = evidence === null ? [] : await candidatesLike(tx, likely, pollerGroup)
  const known = there === null ? undefined : candidates.find(({ key }) => key === there.key)
  const devices = await devicesLike(tx, likely, pollerGroup, address === null ? [] : [address])
  const polled = devices.filter((device) => device.pollerGroup === pollerGroup && device.address !== address)
  const asked = evidence === null ? [] : polled.map((device) => device.address).filter((at) => at !== null)
  const seen = await seenAt(tx, pollerGroup, asked)
  return decide({ address, pollerGroup, evidence, devices, candidates, there: known ?? there, seen })
}

/** The host is a monitored device. */
async function atDevice(tx: Tx, host: ObservedHost, finding: Extract<Finding, { kind: 'device' }>): Promise<Recorded> {
  const { device, isOther, reason } = finding
  const { address } = host.target
  const answers = host.snmp !== null || host.pingMs !== null || host.failure !== null
  if (!answers && isOther) return { ...QUIET, result: { ...nothing(host), why: 'Neither ping nor SNMP answered' } }
  const isFirst = isOther && address !== '' && (await noteOtherAddress(tx, device.key, address))
  const text = isOther
    ? `It is ${nameOfDevice(device)}, which answers at ${device.address ?? 'another address'}: ${reason}`
    : `It is ${nameOfDevice(device)}: ${reason}`
  if (!isOther && host.snmp !== null) await endMoves(tx, device.key)
  const result: RecordedHost = { ...nothing(host), state: 'known', deviceId: device.key, name: device.name, why: text }
  // a candidate that turns out to be a device was found before the device was added, or read anew
  const there = await candidateAt(tx, host.target.pollerGroup, address === '' ? null : address, [])
  if (there !== null && host.snmp !== null && isAnother(there.evidence, device.evidence))
    await forgetAddress(tx, there.key, host.target.pollerGroup, address)
  else if (there !== null && there.state === 'new') await setState({ sql: tx }, [there.key], 'added', text, device.key)
  return { ...QUIET, result, noted: isFirst ? device : null }
}

/** The host is a candidate that was added as a device, of which not enough is read yet to tell. */
async function atAdded(tx: Tx, host: ObservedHost, id: number, deviceId: number): Promise<Recorded> {
  const { address, pollerGroup } = host.target
  if (address !== '') {
    const [device] = await devicesLike(tx, evidenceOf({}), pollerGroup, [address])
    if (device?.key !== deviceId) await noteOtherAddress(tx, deviceId, address)
  }
  return {
    ...QUIET,
    result: { ...nothing(host), state: 'known', candidateId: id, deviceId, why: `It was added as device ${deviceId}` },
  }
}

async function settled(
  tx: Tx,
  host: ObservedHost,
  id: number,
  outcome: Outcome,
  why: string,
  finding: Finding,
): Promise<Recorded> {
  const result: RecordedHost = { ...nothing(host), state: 'found', candidateId: id, why }
  if (outcome.action === 'ignore') {
    await setState({ sql: tx }, [id], 'ignored', outcome.why)
    return { ...QUIET, result: { ...result, state: 'ignored', why: outcome.why } }
  }
  if (finding.kind === 'moved')
    return { ...QUIET, result, moved: { device: finding.device, address: host.target.address } }
  return { ...QUIET, result, accept: outcome.action === 'accept' ? outcome : null }
}

function whyOf(
  host: ObservedHost,
  finding: Exclude<Finding, { kind: 'device' }>,
  outcome: Outcome,
  notAsked: string | null,
): string {
  if (finding.kind === 'moved') return movedText(finding.device, finding.reason)
  if (notAsked !== null) return notAsked
  const text = host.snmp === null ? noSnmpText(host) : outcome.why
  const heard =
    host.snmp === null && NAMING.has(host.target.source.kind)
      ? `${SOURCE_NAMES[host.target.source.kind]} names it. `
      : ''
  return [`${heard}${text}`, finding.doubt].filter((part) => part !== null).join('. ')
}

function movedText(device: KnownDevice, reason: string): string {
  const address = device.address ?? 'its address'
  const how = device.isUp ? `at whose address ${address} another host answers` : `which no longer answers at ${address}`
  return `It is probably ${nameOfDevice(device)}, ${how}: ${reason}`
}

const nameOfDevice = ({ name, key }: KnownDevice): string => `${name} (device ${key})`

/** Adds a candidate by itself. What prevents it is kept with the candidate and is no error. */
async function addAtOnce(
  deps: RecordDeps,
  host: ObservedHost,
  result: RecordedHost,
  outcome: Outcome,
): Promise<RecordedHost> {
  const { store, settings, gateway, reverse = reverseName } = deps
  const { candidateId } = result
  if (candidateId === null) return result
  const [candidate] = await addableCandidates(store, { kind: 'all' }, [candidateId])
  if (candidate === undefined) return result
  const named = candidate.address === null ? null : await reverse(candidate.address)
  const isNeighbour = host.target.source.kind !== 'scan'
  if (!outcome.byRule && isNeighbour && named === null && !settings.get('discovery_by_ip')) {
    const why =
      'It was not added at once, because it has no name in the DNS. Add its name there, or set discovery_by_ip'
    await setState(store, [candidateId], 'new', why)
    return { ...result, why }
  }
  try {
    // without a name in the DNS it is not looked up again
    const plan: AcceptPlan = { because: outcome.why, hostname: named ?? undefined, nameBy: 'sysname' }
    const deviceId = await acceptCandidate({ store, settings, gateway, reverse }, FINDER, candidate, plan)
    return { ...result, state: 'added', deviceId, why: outcome.why }
  } catch (error) {
    const known = toDomainError(error)
    if (known === null || known.code === 'unavailable') throw error
    return { ...result, why: known.message }
  }
}

/** Events for people: each of them once. */
async function tellEvents(store: Store, host: ObservedHost, { noted, moved, dropped }: Recorded): Promise<void> {
  const { address, source } = host.target
  const event = { type: 'discovery', severity: 3 as const }
  if (noted !== null)
    await insertDeviceEvent(store, { ...event, device_id: noted.key, message: `Also answers at ${address}` })
  if (moved !== null)
    await insertDeviceEvent(store, {
      ...event,
      device_id: moved.device.key,
      severity: 4,
      message: movedEvent(moved),
    })
  if (dropped === null) return
  if (dropped.ofDevice > 0 && source.deviceId !== null && isDue(`device ${source.deviceId}`))
    await insertDeviceEvent(store, {
      ...event,
      device_id: source.deviceId,
      severity: 4,
      message: `Reports more than ${LIMITS.perDevice} neighbours that are not monitored; the oldest found ones are dropped`,
    })
  if (dropped.ofAll > 0 && isDue('all'))
    await insertEvent(store, {
      ...event,
      severity: 4,
      device_id: null,
      reference: null,
      username: '',
      message: `More than ${LIMITS.candidates} devices were found and not decided about; the oldest are dropped`,
    })
}

function movedEvent({ device, address }: Moved): string {
  const own = device.address ?? 'its address'
  return device.isUp
    ? `Another host answers at ${own}; this device was found at ${address}`
    : `Does not answer at ${own}, but was found at ${address}`
}

const DAY_MS = 86_400_000
const told = new Map<string, number>()

/** Whether an event about too many is due: one a day for each device. */
function isDue(what: string, now = steadyNow()): boolean {
  if (now - (told.get(what) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return false
  if (told.size > 10_000) told.clear()
  told.set(what, now)
  return true
}

function nothing({ target, snmp }: ObservedHost): RecordedHost {
  return {
    address: target.address,
    state: 'silent',
    name: tidy(snmp?.identity.sysName) ?? tidy(target.source.remoteName),
    sysObjectId: snmp?.identity.sysObjectId ?? null,
    candidateId: null,
    deviceId: null,
    why: '',
  }
}

/** The host with its address in the spelling in which addresses are stored. */
function spelled(host: ObservedHost): ObservedHost {
  const octets = parseIpv6(host.target.address)
  return octets === null ? host : { ...host, target: { ...host.target, address: formatIpv6(octets) } }
}
