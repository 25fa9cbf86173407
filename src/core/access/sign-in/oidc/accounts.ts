import type { Settings } from '../../../../config/schema.ts'
import { shellWord } from '../../../../lib/shell-word.ts'
import type { Log } from '../../../../observe/log.ts'
import { DomainError } from '../../../base/errors.ts'
import { insertChange } from '../../../base/write-changes.ts'
import type { Store } from '../../../database/client.ts'
import { listUsers } from '../../read.ts'
import {
  type Identity,
  type IdentityUser,
  identityUser,
  insertIdentity,
  insertIdentityUser,
  isSubject,
  linkableUsers,
  touchIdentity,
} from '../../read-identities.ts'
import { isUsername } from '../../users/find.ts'
import type { UserService } from '../../users/service.ts'
import { deleteOtherSessions } from '../../write-sessions.ts'
import { type Claims, claimAt, isExact, mappedRoles, textClaim, valuesOf, verifiedEmail } from './claims.ts'
import { type OidcRefusal, refusal, refusedAccount } from './refusal.ts'

export interface AccountDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly users: Pick<UserService, 'setRoles' | 'roles'>
  /** Empties the caches of sessions and tokens, here and in other processes. */
  readonly announce: () => Promise<void>
}

/** The name under which changes are recorded in the audit. */
const BY = 'oidc'

/** The user of an identity at the provider, or why there is none. */
export type Account =
  | { readonly kind: 'user'; readonly user: IdentityUser }
  | { readonly kind: 'refused'; readonly username: string; readonly refusal: OidcRefusal }

/** Finds, links or creates the user of an identity, and sets the roles given by its claims. */
export function createAccounts({ store, settings, log, users, announce }: AccountDeps) {
  const record = (username: string, message: string) =>
    insertChange(store, { kind: 'access', subject: username, message, username: BY })

  /** Roles according to the settings. `counts`: they replace the roles of existing users. */
  async function rolesOf(claims: Claims): Promise<{ readonly given: readonly string[]; readonly counts: boolean }> {
    const claim = settings.get('auth.oidc.roles_claim')
    const fallback = settings.get('auth.oidc.default_role')
    const mapped = claim === '' ? [] : mappedRoles(valuesOf(claimAt(claims, claim)), settings.get('auth.oidc.roles'))
    const wanted = mapped.length > 0 || fallback === '' ? mapped : [fallback]
    const known = new Set((await users.roles()).map(({ name }) => name))
    for (const name of ['admin', 'global-read', 'user']) known.add(name)
    const unknown = wanted.filter((name) => !known.has(name))
    if (unknown.length > 0) log.warn({ roles: unknown }, 'auth.oidc.roles or auth.oidc.default_role has unknown roles')
    return { given: wanted.filter((name) => known.has(name)), counts: claim !== '' }
  }

  /** Links the identity to the existing user selected by `auth.oidc.link_by`; false: there is none. */
  async function linked(identity: Identity, claims: Claims, username: string): Promise<boolean> {
    const by = settings.get('auth.oidc.link_by')
    const email = by === 'email_verified' ? verifiedEmail(claims) : ''
    if (by === 'none' || (by === 'email_verified' ? email : username) === '') return false
    if (by === 'username' && !isExact(claims, settings.get('auth.oidc.username_claim'))) return false
    const found = await linkableUsers(store, identity.issuer, by === 'username' ? { username } : { email })
    const [user] = found
    if (user === undefined || found.length > 1 || !(await insertIdentity(store, user.user_id, identity))) return false
    const now = await identityUser(store, identity)
    if (now !== null) {
      const how = by === 'username' ? 'by name' : 'by verified email address'
      await record(now.username, `User ${now.username}: linked ${how} to ${subjectText(identity)}`)
    }
    return true
  }

  /** Creates the user of an identity; returns why it was not created, null: it was. */
  async function enrolled(
    identity: Identity,
    claims: Claims,
    roles: readonly string[],
    counts: boolean,
  ): Promise<OidcRefusal | null> {
    const issuer = settings.get('auth.oidc.issuer')
    const claim = settings.get('auth.oidc.username_claim')
    const username = textClaim(claims, claim)
    if (!settings.get('auth.oidc.create_users')) return unknownHere(identity, issuer)
    if (username === '') return nameless(claim)
    if (!isExact(claims, claim) || !isUsername(username)) return unusableName(claim)
    const [taken] = await listUsers(store, username)
    if (taken !== undefined) return nameTaken(taken.username, identity, issuer)
    if (roles.length === 0) return roleless(counts)
    const user = { username, password: null, descr: '', roles }
    const texts = { realname: textClaim(claims, 'name'), email: textClaim(claims, 'email') }
    if ((await insertIdentityUser(store, { ...user, ...texts }, identity)) === null)
      return nameTaken(username, identity, issuer)
    await record(username, `User ${username} added with ${roles.join(', ')} for ${subjectText(identity)}`)
    return null
  }

  /** Sets the user's roles. The last administrator remains one. */
  async function give(user: IdentityUser, roles: readonly string[]): Promise<IdentityUser> {
    if (roles.join('\n') === [...user.roles].sort().join('\n')) return user
    try {
      await users.setRoles(`id=${user.user_id}`, roles)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'conflict') throw error
      log.warn({ user: user.username }, 'the last administrator keeps roles that the provider no longer gives')
      return user
    }
    const words = [user.roles, roles].map((list) => list.join(', ') || 'none')
    await record(user.username, `User ${user.username}: roles changed from ${words[0]} to ${words[1]} by the provider`)
    return { ...user, roles }
  }

  return {
    /** The user of an identity with these claims. */
    async enter(identity: Identity, claims: Claims): Promise<Account> {
      const issuer = settings.get('auth.oidc.issuer')
      const claim = settings.get('auth.oidc.username_claim')
      const username = textClaim(claims, claim)
      const refused = (why: OidcRefusal, name = username): Account => ({
        kind: 'refused',
        username: name,
        refusal: why,
      })
      const { given, counts } = await rolesOf(claims)
      if (!isSubject(identity.subject)) return refused(UNUSABLE_SUBJECT)
      let user = await identityUser(store, identity)
      if (user === null) {
        const why = (await linked(identity, claims, username)) ? null : await enrolled(identity, claims, given, counts)
        // also when refused: another sign-in of this person, in another window, may have created the user meanwhile
        user = await identityUser(store, identity)
        if (user === null) return refused(why ?? unknownHere(identity, issuer))
      }
      if (user.enabled !== 1) return refused(disabled(user.username), user.username)
      if (counts || user.roles.length === 0) user = await give(user, given)
      if (user.roles.length === 0) {
        await deleteOtherSessions(store, user.user_id, null)
        await announce()
        return refused(roleless(counts), user.username)
      }
      await touchIdentity(store, identity)
      return { kind: 'user', user }
    },
  }
}

/** `issuer`: the one in the settings, which the command uses by default. */
function linkCommand(username: string, { issuer: own, subject }: Identity, issuer: string): string {
  const options = own === issuer ? '' : ` --issuer ${shellWord(own)}`
  // people and providers choose these words, and an administrator types them into a shell
  const words = [username, subject]
  const end = words.some((word) => word.startsWith('-')) ? ' --' : ''
  return `portlight user link${options}${end} ${words.map(shellWord).join(' ')}`
}

const subjectText = ({ issuer, subject }: Identity): string => `${subject} of ${issuer}`

function roleless(counts: boolean): OidcRefusal {
  const how = counts
    ? 'Ask for a group that setting auth.oidc.roles maps to a role.'
    : 'Ask a Portlight administrator to give you a role or to set auth.oidc.default_role.'
  return refusedAccount('no role', `Your account at the identity provider has no role here. ${how}`)
}

const disabled = (username: string): OidcRefusal =>
  refusedAccount('the user is disabled', `User ${username} is disabled here. An administrator can enable it.`)

function nameTaken(username: string, identity: Identity, issuer: string): OidcRefusal {
  const link = linkCommand(username, identity, issuer)
  const text = `There is a user ${username} here that is not linked to your account at the identity provider. If it is yours, an administrator can link it: ${link}`
  return refusedAccount(`user ${username} exists and is not linked to ${subjectText(identity)}`, text)
}

function unknownHere(identity: Identity, issuer: string): OidcRefusal {
  const link = linkCommand('USER', identity, issuer)
  const text = `No user here belongs to your account at the identity provider. An administrator can add one and link it: ${link}`
  return refusedAccount(`nobody is linked to ${subjectText(identity)}`, text)
}

const nameless = (claim: string): OidcRefusal =>
  refusal(
    403,
    `claim ${claim} is missing`,
    `The identity provider did not send claim ${claim}, so you have no username here. An administrator has to check settings auth.oidc.username_claim and auth.oidc.scopes.`,
  )

const unusableName = (claim: string): OidcRefusal =>
  refusal(
    403,
    `claim ${claim} is not a valid username`,
    `Claim ${claim} of the identity provider cannot be a username here, because it has spaces or control characters, is longer than 255 characters or looks like an id (id=7). An administrator can choose another claim with auth.oidc.username_claim.`,
  )

const UNUSABLE_SUBJECT = refusal(
  502,
  'claim sub is not valid',
  'The identity provider sent no usable claim sub, which identifies your account: it must have 1 to 255 characters, and no control characters. An administrator of the provider has to fix this.',
)
