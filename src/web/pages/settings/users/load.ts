import type { SessionRecord } from '../../../../core/access/sign-in/sessions.ts'
import type { GrantRecord } from '../../../../core/access/users/grants.ts'
import type { IdentityRecord, UserRecord } from '../../../../core/access/users/service.ts'
import type { Actor } from '../../../../core/base/actor.ts'
import { DomainError } from '../../../../core/base/errors.ts'
import type { Services } from '../../../../core/services.ts'
import { type PageRequest, redirect } from '../../../page.ts'
import { ADDRESS, refOf } from './names.ts'

/** A user with what belongs to it. */
export interface OneUser {
  readonly user: UserRecord
  readonly sessions: readonly SessionRecord[]
  readonly grants: readonly GrantRecord[]
  readonly identities: readonly IdentityRecord[]
  /** Number of devices that the grants show together. */
  readonly reach: number
  readonly choices: readonly GrantChoice[]
}

/** Something to choose for a grant. */
interface GrantChoice {
  readonly value: string
  readonly label: string
}

/** What the page shows. */
export interface UsersData {
  readonly users: readonly UserRecord[]
  readonly roles: readonly string[]
  /** The user being shown; null: the list. */
  readonly one: OneUser | null
}

/** All users, and the one in the address or in the form. */
export async function load({ services, actor, query, sent }: PageRequest): Promise<UsersData | Response> {
  const { admin, users } = services
  const named = sent?.get('user') ?? query.get('user')
  const [list, roles] = await Promise.all([admin.users(actor), users.roles()])
  const names = [...new Set(['admin', 'global-read', 'user', ...roles.map(({ name }) => name)])]
  if (named === null || named === undefined) return { users: list, roles: names, one: null }
  const found = await admin.user(actor, named).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  })
  if (found === null) return redirect(ADDRESS)
  const { user, sessions, identities } = found
  const [grants, reach, choices] = await Promise.all([
    users.grants(refOf(user)),
    users.reach(refOf(user)),
    choicesOf(services, actor),
  ])
  return { users: list, roles: names, one: { user, sessions, grants, identities, reach, choices } }
}

const MAX_CHOICES = 1000

/** Names of what can be granted, to choose from; ports are found by device and name. */
async function choicesOf(services: Services, actor: Actor): Promise<GrantChoice[]> {
  const [devices, groups, locations, bills] = await Promise.all([
    services.devices.list(actor),
    services.deviceGroups.list(actor),
    services.locations.list(actor),
    services.bills.list(actor, {}),
  ])
  return [
    ...groups.map(({ name }) => ({ value: name, label: 'device group' })),
    ...locations.map(({ location }) => ({ value: location.trim(), label: 'location' })),
    ...bills.map(({ bill_name }) => ({ value: bill_name, label: 'bill' })),
    ...devices.map(({ hostname }) => ({ value: hostname, label: 'device' })),
  ].slice(0, MAX_CHOICES)
}
