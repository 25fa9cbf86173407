import { colons } from '../../lib/mac.ts'
import { type Evidence, isStrong, universalMacs } from './evidence.ts'

/**
 * Whether two hosts are one device. `same`: they are. `different`: what is known of both contradicts it. `undecided`:
 * something is shared that does not suffice. `unrelated`: nothing is shared, and nothing contradicts.
 */
export type Verdict = 'same' | 'different' | 'undecided' | 'unrelated'

/** A verdict and its reason, as the part of a sentence: `they have the serial number X1`. */
export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string
}

/** How a kind of evidence compares; `unknown`: one of the two does not have it. */
type Match = 'equal' | 'differs' | 'unknown'

/**
 * Compares two hosts, by the precedence of docs/explanation/identity.md: hardware (MAC addresses) before
 * serial numbers before the engine ID before names with addresses; an address alone or a name alone never makes two
 * hosts one. Symmetric.
 */
export function compareHosts(a: Evidence, b: Evidence): Judgement {
  const hardware = hardwareOf(a, b)
  const serial = setsOf(a.serials, b.serials)
  const engine = textsOf(a.engineId, b.engineId)
  if (hardware === 'differs') return otherHardware(a, b, serial, engine)
  if (serial === 'differs') return otherSerial(a, b, hardware, engine)
  if (serial === 'equal') return equalSerial(a, b, hardware, engine)
  if (hardware === 'equal') return equalHardware(a, b, engine)
  return byEngine(a, b, engine)
}

function otherHardware(a: Evidence, b: Evidence, serial: Match, engine: Match): Judgement {
  // contexts of a chassis have its serial number, and clones of a virtual appliance that of their image
  if (serial === 'equal') return { verdict: 'undecided', reason: `${serialText(a, b)}, but no MAC address in common` }
  const shared = engine === 'equal' ? ', although they have the same engine ID, as clones have' : ''
  return { verdict: 'different', reason: `they have no MAC address in common${shared}` }
}

function otherSerial(a: Evidence, b: Evidence, hardware: Match, engine: Match): Judgement {
  const other = 'their serial numbers differ'
  if (hardware === 'equal') {
    if (engine === 'equal')
      return {
        verdict: 'same',
        reason: `they have the same engine ID and MAC addresses; ${other}, as after a change of a stack member`,
      }
    if (engine === 'differs')
      return {
        verdict: 'different',
        reason: `${other} and so do their engine IDs, although they share MAC addresses, as the units of a cluster do`,
      }
    if (a.baseMac !== null && a.baseMac === b.baseMac)
      return {
        verdict: 'same',
        reason: `they have the base MAC address ${colons(a.baseMac)}; ${other}, as after a change of a stack member`,
      }
    return { verdict: 'undecided', reason: `they share MAC addresses, but ${other}` }
  }
  if (engine === 'equal') return { verdict: 'undecided', reason: `they have the same engine ID, but ${other}` }
  return { verdict: 'different', reason: other }
}

function equalSerial(a: Evidence, b: Evidence, hardware: Match, engine: Match): Judgement {
  const reason = serialText(a, b)
  if (hardware === 'unknown' && engine === 'differs') {
    // an engine ID can be configured anew, but two contexts of a chassis differ in it as well
    const isNamed = a.sysName !== null && a.sysName === b.sysName
    return isNamed
      ? { verdict: 'same', reason: `${reason} and the name ${a.sysName}` }
      : { verdict: 'undecided', reason: `${reason}, but their engine IDs differ` }
  }
  return { verdict: 'same', reason }
}

function equalHardware(a: Evidence, b: Evidence, engine: Match): Judgement {
  const mac = sharedMac(a, b)
  const reason = `they have the MAC address ${mac === null ? '' : colons(mac)}`
  if (engine !== 'differs') return { verdict: 'same', reason }
  const isWhole = (a.baseMac !== null && a.baseMac === b.baseMac) || equalSets(universalMacs(a), universalMacs(b))
  return isWhole
    ? { verdict: 'same', reason: 'they have the same MAC addresses' }
    : { verdict: 'undecided', reason: `${reason}, but their engine IDs differ` }
}

function byEngine(a: Evidence, b: Evidence, engine: Match): Judgement {
  const name = textsOf(a.sysName, b.sysName)
  if (engine === 'equal')
    return name === 'differs'
      ? { verdict: 'undecided', reason: 'they have the same engine ID, but other names' }
      : { verdict: 'same', reason: `they have the engine ID ${a.engineId}` }
  const address = sharedOf(a.addresses, b.addresses)
  if (engine === 'differs')
    return {
      verdict: 'different',
      reason: `their engine IDs differ${address === null ? '' : `, although both have the address ${address}, as the units of a cluster do`}`,
    }
  return byNames(a, b, name, address)
}

/** The weakest evidence. It makes two hosts one only where neither says anything of its hardware or agent. */
function byNames(a: Evidence, b: Evidence, name: Match, address: string | null): Judgement {
  const isWeak = !isStrong(a) && !isStrong(b)
  if (isWeak && name === 'equal' && equalSets(a.macs, b.macs))
    return { verdict: 'same', reason: `they have the name ${a.sysName} and the same MAC addresses` }
  if (isWeak && address !== null) {
    if (name === 'equal')
      return { verdict: 'same', reason: `they have the name ${a.sysName} and the address ${address}` }
    if (name === 'unknown' && a.addresses.length > 1 && equalSets(a.addresses, b.addresses))
      return { verdict: 'same', reason: 'they have the same addresses' }
  }
  if (name === 'equal')
    return { verdict: 'undecided', reason: `they have the name ${a.sysName}, and nothing else is known of both` }
  if (address !== null)
    return { verdict: 'undecided', reason: `both have the address ${address}, and nothing else is known of both` }
  return { verdict: 'unrelated', reason: 'they have nothing in common' }
}

/** Only universally administered MAC addresses can show that hardware is equal; any can show that it differs. */
function hardwareOf(a: Evidence, b: Evidence): Match {
  if (sharedMac(a, b) !== null) return 'equal'
  if (a.macs.length > 0 && b.macs.length > 0) return sharedOf(a.macs, b.macs) === null ? 'differs' : 'unknown'
  // the base address of a bridge need not be that of a port
  return a.baseMac !== null && b.baseMac !== null && a.baseMac !== b.baseMac ? 'differs' : 'unknown'
}

/** A universally administered MAC address that both have; null: none. */
const sharedMac = (a: Evidence, b: Evidence): string | null => sharedOf(universalMacs(a), universalMacs(b))

function setsOf(a: readonly string[], b: readonly string[]): Match {
  if (a.length === 0 || b.length === 0) return 'unknown'
  return sharedOf(a, b) === null ? 'differs' : 'equal'
}

function textsOf(a: string | null, b: string | null): Match {
  if (a === null || b === null) return 'unknown'
  return a === b ? 'equal' : 'differs'
}

/** The first in alphabetical order that both have, so that the result does not depend on which is `a`. */
function sharedOf(a: readonly string[], b: readonly string[]): string | null {
  const other = new Set(b)
  return a.filter((text) => other.has(text)).sort()[0] ?? null
}

function equalSets(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size > 0 && one.size === other.size && [...one].every((text) => other.has(text))
}

const serialText = (a: Evidence, b: Evidence): string =>
  `they have the serial number ${sharedOf(a.serials, b.serials) ?? ''}`

/** Something that is known, a device or a candidate, with every evidence that was read of it. */
export interface Known<Key> {
  readonly key: Key
  readonly evidence: readonly Evidence[]
}

/** Where a host belongs. */
export interface Place<Key> {
  /** Those that are the host, in the order given. Several: it shows that they are one. Empty: it is a new one. */
  readonly same: readonly { readonly key: Key; readonly reason: string }[]
  /** Those with which it shares something that does not suffice, and why. */
  readonly near: readonly { readonly key: Key; readonly verdict: Verdict; readonly reason: string }[]
}

/**
 * Finds which of the known a host is. One counts as the host if any of its evidence says so and none contradicts. Of
 * several, those are taken together that do not contradict each other, beginning with the first.
 */
export function placeHost<Key>(host: Evidence, known: readonly Known<Key>[]): Place<Key> {
  const same: { known: Known<Key>; reason: string }[] = []
  const near: { key: Key; verdict: Verdict; reason: string }[] = []
  for (const one of known) {
    const judged = one.evidence.map((evidence) => compareHosts(host, evidence))
    const against =
      judged.find(({ verdict }) => verdict === 'different') ?? judged.find(({ verdict }) => verdict === 'undecided')
    const found = judged.find(({ verdict }) => verdict === 'same')
    if (against !== undefined) near.push({ key: one.key, ...against })
    else if (found !== undefined && same.every((other) => areCompatible(one, other.known)))
      same.push({ known: one, reason: found.reason })
  }
  return { same: same.map(({ known: { key }, reason }) => ({ key, reason })), near }
}

function areCompatible(a: Known<unknown>, b: Known<unknown>): boolean {
  return a.evidence.every((one) =>
    b.evidence.every((other) => !['different', 'undecided'].includes(compareHosts(one, other).verdict)),
  )
}
