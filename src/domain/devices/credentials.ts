import type { AuthLevel, SnmpVersion } from '../gateway.ts'

/** One way to speak with an agent: what the device record keeps of it. Members of the other family are null. */
export interface Credentials {
  readonly snmpver: SnmpVersion
  readonly community: string | null
  readonly authlevel: AuthLevel | null
  readonly authname: string | null
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  readonly cryptoalgo: string | null
}

/** What the caller said about SNMP; all of it optional. */
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

/** Settings snmp.version, snmp.community and snmp.v3. */
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

/** The level in its stored spelling, whatever the case it was given in; null: not a level. */
export function authLevel(text: string | undefined): AuthLevel | null {
  return LEVELS.find((level) => level.toLowerCase() === text?.toLowerCase()) ?? null
}

/** The set of a community. */
export function communitySet(snmpver: 'v1' | 'v2c', community: string): Credentials {
  return { snmpver, community, ...NO_V3 }
}

const NO_V3 = { authlevel: null, authname: null, authpass: null, authalgo: null, cryptopass: null, cryptoalgo: null }

/** The v3 set that was given; the level follows from the passwords where it was not said. null: no v3 name. */
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

/**
 * What to try, in order: for each version the set that was given, then those of the settings. Sets that repeat an
 * earlier one are left out.
 */
export function credentialTrials(given: GivenCredentials, defaults: CredentialDefaults): Credentials[] {
  const versions = given.snmpver === undefined ? defaults.versions : [given.snmpver]
  const trials: Credentials[] = []
  for (const version of versions) {
    if (version === 'v1' || version === 'v2c') {
      const communities =
        given.community === undefined ? defaults.communities : [given.community, ...defaults.communities]
      for (const community of communities) trials.push(communitySet(version, community))
    } else if (version === 'v3') {
      const own = v3Set(given)
      if (own) trials.push(own)
      trials.push(...storedV3Sets(defaults.v3))
    }
  }
  const seen = new Set<string>()
  return trials.filter((set) => {
    const key = JSON.stringify(set)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Entries of setting snmp.v3 that are objects; their members that are text. */
function storedV3Sets(value: unknown): Credentials[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const texts = Object.entries(entry).filter((e): e is [string, string] => typeof e[1] === 'string')
    return v3Set(Object.fromEntries(texts)) ?? []
  })
}

/**
 * The set that a device is stored with when nothing is asked of it; null: something is missing. v1 and v2c want a
 * community, v3 a name, authNoPriv a password as well, authPriv also the cipher and its password.
 */
export function forcedCredentials(given: GivenCredentials, version: SnmpVersion): Credentials | null {
  if (version !== 'v3') return given.community ? communitySet(version, given.community) : null
  const set = v3Set(given)
  if (!set?.authname) return null
  if (set.authlevel !== 'noAuthNoPriv' && !set.authpass) return null
  if (set.authlevel === 'authPriv' && !(set.cryptopass && set.cryptoalgo)) return null
  return set
}
