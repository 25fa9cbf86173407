import type { GrantKind, GrantRecord } from '../../../../core/access/users/grants.ts'
import type { UserRecord } from '../../../../core/access/users/service.ts'

/** Address of the list of users. */
export const ADDRESS = '/settings/users'

/** What a user is called by in addresses and forms: the id, because two users can share a name. */
export const refOf = ({ user_id }: UserRecord) => `id=${user_id}`

/** Address of a user. */
export const addressOf = (username: string) => `${ADDRESS}?user=${encodeURIComponent(username)}`

/** What can be granted: as in forms, in words, and as it is stored. */
export const KINDS: readonly {
  readonly value: GrantKind
  readonly label: string
  readonly kind: GrantRecord['kind']
}[] = [
  { value: 'deviceIds', label: 'Device', kind: 'device' },
  { value: 'deviceGroupIds', label: 'Device group', kind: 'device_group' },
  { value: 'locationIds', label: 'Location', kind: 'location' },
  { value: 'portIds', label: 'Port', kind: 'port' },
  { value: 'billIds', label: 'Bill', kind: 'bill' },
]

/** A kind of grant within a sentence. */
export const wordOf = (kind: GrantKind) => (KINDS.find(({ value }) => value === kind)?.kind ?? '').replace('_', ' ')
