import { createLimiter } from '@portlight/limit/limit.ts'
import type { Settings } from '../../../config/schema.ts'
import { clocksOf } from '../../../lib/steady.ts'
import { invalid, throttled } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { listUsers, passwordHash } from '../read.ts'
import {
  ALONE,
  clientKey,
  createHold,
  createSignInThrottle,
  type SignInThrottle,
  type ThrottleExchange,
} from '../sign-in/throttle.ts'
import { replacePassword } from '../write.ts'
import { sessionAddresses } from '../write-sessions.ts'

const MIN_PASSWORD = 8
/** Limits the work of one login, because argon2id accepts any length. */
const MAX_PASSWORD = 1024
/** Maximum concurrent hash computations, each of which takes 64 MB and a core. */
const AT_ONCE = 2
/** Maximum number of logins waiting for their hash. */
const WAITING = 32
/** A username may have this many times as many wrong passwords as an address, because they can come from anywhere. */
const NAME_FACTOR = 3
/** Maximum number of remembered pairs of user and address with a successful login. */
const FAMILIAR = 10_000

/** Hash of a discarded random password, verified when the user does not exist so that both cases take equally long. */
const UNKNOWN_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$2IF4zjoYUbio3BxAKLki9dbJGQ3kgvM1fUd5ECgmA/Q$hHFac844cmjwQ85TXGmuPOVSQJdrqhFJ6eBdm9WnUgY'

const inTurn = createLimiter(AT_ONCE)

/** PHP's bcrypt uses only this many bytes of a password. */
const BCRYPT_OCTETS = 72

/** Whether the hash is that of an imported user. */
function isForeign(hash: string): boolean {
  return /^\$2[aby]\$/.test(hash)
}

/** Whether the password has this hash. PHP's `$2y$` equals `$2b$` of the password's first 72 bytes. */
async function verify(password: string, hash: string): Promise<boolean> {
  if (!hash.startsWith('$2y$')) return await Bun.password.verify(password, hash)
  const octets = new TextEncoder().encode(password).subarray(0, BCRYPT_OCTETS)
  return await Bun.password.verify(octets, `$2b$${hash.slice(4)}`)
}

/** Replaces an imported hash by an argon2id hash, which covers the whole password. */
async function rehash(store: Store, userId: number, password: string, before: string): Promise<void> {
  const hash = await inTurn(() => Bun.password.hash(password, 'argon2id'), WAITING)
  // if too many users are signing in now, this is left to a later sign-in
  if (hash !== null) await replacePassword(store, userId, before, hash)
}

/** The argon2id hash of a new password. Throws `invalid` for fewer than 8 or more than 1024 characters. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD) throw invalid(`A password must have at least ${MIN_PASSWORD} characters`)
  if (password.length > MAX_PASSWORD) throw invalid(`A password must not exceed ${MAX_PASSWORD} characters`)
  return await inTurn(() => Bun.password.hash(password, 'argon2id'))
}

/** The user who signs in by password, among those of one name; undefined: none does. */
export const localOf = <T extends { readonly auth_type: string | null }>(named: readonly T[]): T | undefined =>
  named.find(({ auth_type }) => auth_type === 'local')

export interface PasswordDeps {
  readonly store: Store
  readonly settings: Settings
  /** Default: no other process. */
  readonly throttle?: ThrottleExchange
  /** Epoch ms. */
  readonly now?: () => number
  /** How long a guess for a name that is full is delayed, ms; default: a second. */
  readonly slowMs?: number
}

/**
 * Checks passwords. Wrong ones are counted per address and per username (setting `auth.wrong_passwords`). Guesses by
 * others must not lock users out: a pair of user and address with an earlier successful login, or with a session, is
 * counted separately, and once a name is full, an address without a wrong guess is only slowed down, one guess a second
 * for each name.
 */
export function createPasswordCheck({ store, settings, throttle = ALONE, now, slowMs }: PasswordDeps) {
  const { steady } = clocksOf(now)
  const perMinute = () => settings.get('auth.wrong_passwords')
  const byAddress = createSignInThrottle(perMinute, steady, (heard) => throttle.open('address', heard))
  const byName = createSignInThrottle(
    () => perMinute() * NAME_FACTOR,
    steady,
    (heard) => throttle.open('name', heard),
  )
  const byPair = createSignInThrottle(perMinute, steady, (heard) => throttle.open('pair', heard))
  const familiar = new Set<string>()
  const remember = (pair: string): void => {
    if (familiar.size >= FAMILIAR) familiar.clear()
    familiar.add(pair)
  }
  const { hold } = createHold(slowMs, 1)
  const tellFamiliar = throttle.open('familiar', remember)

  /** Whether the user has signed in from this address before. */
  async function isFamiliar(client: string, name: string): Promise<boolean> {
    const pair = `${client}\n${name}`
    if (familiar.has(pair)) return true
    // sessions outlive this process
    if (!(await sessionAddresses(store, name)).some((address) => clientKey(address) === client)) return false
    remember(pair)
    return true
  }

  function taken(limit: SignInThrottle, key: string): () => void {
    if (!limit.take(key)) throw throttled(limit.waitS(key))
    return () => limit.giveBack(key)
  }

  /** Counts a guess; returns a function that takes it back. Throws `throttled`. */
  async function counted(client: string, name: string): Promise<() => void> {
    const pair = `${client}\n${name}`
    if (familiar.has(pair)) return taken(byPair, pair)
    const isClean = byAddress.isClean(client)
    const hasRoom = byAddress.take(client)
    if (hasRoom && byName.take(name)) {
      return () => {
        byAddress.giveBack(client)
        byName.giveBack(name)
      }
    }
    if (hasRoom) byAddress.giveBack(client)
    if (await isFamiliar(client, name)) return taken(byPair, pair)
    if (!hasRoom || !isClean) throw throttled((hasRoom ? byName : byAddress).waitS(hasRoom ? name : client))
    const giveBack = taken(byAddress, client)
    if (await hold(name)) return giveBack
    giveBack()
    throw throttled(1)
  }

  /**
   * Whether name and password match and the user is enabled. Takes equally long for unknown names. `address` is the
   * client's. Throws `throttled` after too many wrong passwords from the address or for the name, or when too many
   * logins are waiting.
   */
  return async (username: string, password: string, address: string): Promise<boolean> => {
    const [client, name] = [clientKey(address), username.slice(0, 255).toLowerCase()]
    const takeBack = await counted(client, name)
    if (password.length > MAX_PASSWORD) return false
    try {
      const [named, hash] = await Promise.all([listUsers(store, username), passwordHash(store, username)])
      const user = localOf(named)
      const matches = await inTurn(() => verify(password, hash ?? UNKNOWN_HASH), WAITING)
      if (matches === null) throw throttled(1)
      if (!matches || hash === null || user?.enabled !== 1) return false
      if (isForeign(hash)) await rehash(store, user.user_id, password, hash)
    } catch (error) {
      takeBack() // the password was right
      throw error
    }
    takeBack()
    remember(`${client}\n${name}`)
    tellFamiliar(`${client}\n${name}`, 1)
    return true
  }
}
