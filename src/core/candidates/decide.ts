import { type Evidence, usefulAddress } from '../identity/evidence.ts'
import { compareHosts, placeHost } from '../identity/identity.ts'
import { type KnownDevice, ownsAddress } from '../identity/read-devices.ts'
import type { KnownCandidate } from './read-evidence.ts'

/** What a host is among what is known. */
export type Finding =
  /** A monitored device. `isOther`: found at an address by which it is not polled. */
  | { readonly kind: 'device'; readonly device: KnownDevice; readonly isOther: boolean; readonly reason: string }
  /** A monitored device that does not answer at its own address any more, or another host does. */
  | {
      readonly kind: 'moved'
      readonly device: KnownDevice
      readonly candidates: readonly number[]
      readonly reason: string
    }
  /** A candidate, or several that turned out to be one. */
  | {
      readonly kind: 'candidate'
      readonly candidates: readonly number[]
      readonly doubt: string | null
      readonly instead: KnownDevice | null
    }
  /** `instead`: the monitored device whose address the host has now; null: none. */
  | { readonly kind: 'new'; readonly doubt: string | null; readonly instead: KnownDevice | null }

/** Everything that a decision needs. */
export interface Facts {
  readonly address: string | null
  readonly pollerGroup: number
  /** null: SNMP said nothing. */
  readonly evidence: Evidence | null
  readonly devices: readonly KnownDevice[]
  readonly candidates: readonly KnownCandidate[]
  /** The candidate at this address or of this name. */
  readonly there: KnownCandidate | null
  /** What answered lately at the addresses by which the devices are polled. */
  readonly seen: ReadonlyMap<string, readonly Evidence[]>
}

/** Decides what a host is. Pure. */
export function decide(facts: Facts): Finding {
  const { address, pollerGroup, devices, candidates, there } = facts
  const polled = devices.find((device) => device.pollerGroup === pollerGroup && isAt(device, address)) ?? null
  if (facts.evidence === null) return byAddress(facts, polled)
  const evidence = withoutShared(facts.evidence, devices, candidates)
  const place = placeHost(evidence, devices)
  const same = place.same.find(({ key }) => key === polled?.key) ?? place.same[0]
  const candidate = placeHost(evidence, candidates)
  if (same !== undefined) {
    const device = devices.find(({ key }) => key === same.key) as KnownDevice
    const isOther = device.key !== polled?.key
    if (isOther && (!device.isUp || isTaken(device, facts.seen)))
      return { kind: 'moved', device, candidates: undecidedOf(candidate.same, candidates), reason: same.reason }
    return { kind: 'device', device, isOther, reason: same.reason }
  }
  const against = place.near.find(({ key, verdict }) => key === polled?.key && verdict === 'different')
  if (polled !== null && against === undefined)
    return { kind: 'device', device: polled, isOther: false, reason: 'it is monitored at this address' }
  const taken =
    polled === null ? null : `Another device, ${polled.name}, is monitored at this address: ${against?.reason}`
  const doubt = taken ?? doubtOf(place.near, devices) ?? doubtOf(candidate.near, candidates)
  const joined = candidate.same.map(({ key }) => key)
  const instead = taken === null ? null : polled
  if (joined.length > 0) return { kind: 'candidate', candidates: joined, doubt, instead }
  // what answers at the same address is the same host, unless it says otherwise
  const other = there === null ? undefined : candidate.near.find(({ key }) => key === there.key)
  if (there !== null && other?.verdict !== 'different' && !isContradicted(evidence, there))
    return { kind: 'candidate', candidates: [there.key], doubt, instead }
  return { kind: 'new', doubt, instead }
}

function byAddress({ address, devices, there, pollerGroup }: Facts, polled: KnownDevice | null): Finding {
  if (polled !== null)
    return { kind: 'device', device: polled, isOther: false, reason: 'it is monitored at this address' }
  const owners = address === null ? [] : devices.filter((device) => ownsAddress(device, pollerGroup, address))
  const [owner] = owners
  if (owner !== undefined && owners.length === 1)
    return { kind: 'device', device: owner, isOther: true, reason: 'it is an address of one of its interfaces' }
  const none = { doubt: null, instead: null }
  return there === null ? { kind: 'new', ...none } : { kind: 'candidate', candidates: [there.key], ...none }
}

/** Whether another host answers at the address by which a device is polled. */
function isTaken({ address, evidence }: KnownDevice, seen: Facts['seen']): boolean {
  const others = address === null ? [] : (seen.get(address) ?? [])
  return isAnother(others, evidence)
}

/** Whether all evidence of one host contradicts some of the other's. */
export function isAnother(one: readonly Evidence[], other: readonly Evidence[]): boolean {
  return one.length > 0 && one.every((read) => other.some((known) => compareHosts(read, known).verdict === 'different'))
}

/** Without candidates that were added: they are the device at its old address, and a move has a candidate of its own. */
function undecidedOf(same: readonly { readonly key: number }[], candidates: readonly KnownCandidate[]): number[] {
  const added = new Set(candidates.filter(({ state }) => state === 'added').map(({ key }) => key))
  return same.map(({ key }) => key).filter((key) => !added.has(key))
}

const isAt = (device: KnownDevice, address: string | null): boolean =>
  address !== null && (device.address === address || device.name === address)

function isContradicted(evidence: Evidence, { evidence: known }: KnownCandidate): boolean {
  return known.some((one) => compareHosts(evidence, one).verdict === 'different')
}

/** The evidence without addresses that several devices have, such as those of clusters. */
function withoutShared(
  evidence: Evidence,
  devices: readonly KnownDevice[],
  candidates: readonly KnownCandidate[],
): Evidence {
  const counts = new Map<string, number>()
  for (const { evidence: read } of [...devices, ...candidates])
    for (const address of new Set(read.flatMap(({ addresses }) => addresses)))
      counts.set(address, (counts.get(address) ?? 0) + 1)
  const addresses = evidence.addresses.filter(
    (address) => (counts.get(address) ?? 0) <= 1 && usefulAddress(address) !== null,
  )
  return { ...evidence, addresses }
}

function doubtOf(
  near: readonly { readonly key: number; readonly verdict: string; readonly reason: string }[],
  known: readonly { readonly key: number; readonly name: string }[],
): string | null {
  const first = near.find(({ verdict }) => verdict === 'undecided')
  const name = known.find(({ key }) => key === first?.key)?.name
  return first === undefined || name === undefined ? null : `It may be ${name}: ${first.reason}`
}
