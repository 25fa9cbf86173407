import type { AuthLevel, SnmpTarget, SnmpVersion } from '../base/gateway.ts'

/** A set of SNMP credentials as stored in the device record. Members that the version does not use are null. */
export type Credentials = Omit<
  SnmpTarget,
  'address' | 'port' | 'transport' | 'timeout' | 'retries' | 'unreadable' | 'anySource'
>

/** SNMP parameters given by the caller, all optional. */
export interface GivenCredentials {
  readonly snmpver?: string | undefined
  readonly community?: string | undefined
  readonly authlevel?: string | undefined
  readonly authname?: string | undefined
  readonly authpass?: string | undefined
  readonly authalgo?: string | undefined
  readonly cryptopass?: string | undefined
  readonly cryptoalgo?: string | undefined
}

/** Values of the settings snmp.version, snmp.community and snmp.v3. */
export interface CredentialDefaults {
  readonly versions: readonly string[]
  readonly communities: readonly string[]
  readonly v3: unknown
}

export const SNMP_VERSIONS: readonly SnmpVersion[] = ['v1', 'v2c', 'v3']
const LEVELS: readonly AuthLevel[] = ['noAuthNoPriv', 'authNoPriv', 'authPriv']

export function isSnmpVersion(text: string): text is SnmpVersion {
  return (SNMP_VERSIONS as readonly string[]).includes(text)
}

/** The level in its stored spelling, regardless of case; null: not a level. */
export function authLevel(text: string | undefined): AuthLevel | null {
  return LEVELS.find((level) => level.toLowerCase() === text?.toLowerCase()) ?? null
}

/** Credentials for a community. */
export function communitySet(snmpver: 'v1' | 'v2c', community: string): Credentials {
  return { snmpver, community, ...NO_V3 }
}

const NO_V3 = { authlevel: null, authname: null, authpass: null, authalgo: null, cryptopass: null, cryptoalgo: null }

/**
 * The given v3 credentials; if no level is given, it follows from the passwords. Null: neither a user nor a level is
 * given.
 */
export function v3Set(given: GivenCredentials): Credentials | null {
  if (!given.authname && !given.authlevel) return null
  const implied = given.cryptopass ? 'authPriv' : given.authpass ? 'authNoPriv' : 'noAuthNoPriv'
  return {
    snmpver: 'v3',
    community: null,
    authlevel: authLevel(given.authlevel) ?? implied,
    authname: given.authname ?? null,
    authpass: given.authpass ?? null,
    authalgo: given.authalgo ?? null,
    cryptopass: given.cryptopass ?? null,
    cryptoalgo: given.cryptoalgo ?? null,
  }
}

/** Credentials to try, with their source. */
export interface CredentialTrial {
  readonly credentials: Credentials
  /** Index of the entry of setting snmp.community or snmp.v3, from 1; null: given by the caller. */
  readonly number: number | null
}

/**
 * Credentials to try, in order and without duplicates: for each version the given ones, then, unless `only`, those of
 * the settings.
 */
export function credentialTrials(
  given: GivenCredentials,
  defaults: CredentialDefaults,
  only = false,
): CredentialTrial[] {
  const versions = given.snmpver === undefined ? defaults.versions : [given.snmpver]
  const trials: CredentialTrial[] = []
  for (const version of versions) {
    if (version === 'v1' || version === 'v2c') {
      if (given.community !== undefined) trials.push(trial(communitySet(version, given.community), null))
      if (only) continue
      for (const [i, community] of defaults.communities.entries())
        trials.push(trial(communitySet(version, community), i + 1))
    } else if (version === 'v3') {
      const own = v3Set(given)
      if (own) trials.push(trial(own, null))
      if (!only) trials.push(...storedV3Sets(defaults.v3))
    }
  }
  const seen = new Set<string>()
  return trials.filter(({ credentials }) => {
    const key = JSON.stringify(credentials)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const trial = (credentials: Credentials, number: number | null): CredentialTrial => ({ credentials, number })

/** The entries of setting snmp.v3 that are objects, with their text members. */
function storedV3Sets(value: unknown): CredentialTrial[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown, i) => {
    if (typeof entry !== 'object' || entry === null) return []
    const texts = Object.entries(entry).filter((e): e is [string, string] => typeof e[1] === 'string')
    const set = v3Set(Object.fromEntries(texts))
    return set === null ? [] : [trial(set, i + 1)]
  })
}

/** Description of the credentials, without secrets: `v2c with community no. 2 of setting snmp.community`. */
export function trialText({ credentials: { snmpver }, number }: CredentialTrial): string {
  if (snmpver === 'v3') return number === null ? 'v3 as the given user' : `v3 as user no. ${number} of setting snmp.v3`
  const community = number === null ? 'the given community' : `community no. ${number} of setting snmp.community`
  return `${snmpver} with ${community}`
}

/** Whether the caller gave credentials for this version. */
export function wasGiven(given: GivenCredentials, version: SnmpVersion): boolean {
  return version === 'v3' ? v3Set(given) !== null : given.community !== undefined
}

/**
 * The credentials stored for a device that is added without contact; null: something is missing. v1 and v2c need a
 * community, v3 a name; authNoPriv also a password; authPriv also the cipher and its password.
 */
export function forcedCredentials(given: GivenCredentials, version: SnmpVersion): Credentials | null {
  if (version !== 'v3') return given.community ? communitySet(version, given.community) : null
  const set = v3Set(given)
  if (!set?.authname) return null
  if (set.authlevel !== 'noAuthNoPriv' && !set.authpass) return null
  if (set.authlevel === 'authPriv' && !(set.cryptopass && set.cryptoalgo)) return null
  return set
}
