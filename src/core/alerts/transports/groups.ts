import { notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { requireName } from './name.ts'
import {
  deleteTransportGroup,
  listTransportGroups,
  putTransportGroup,
  type TransportGroupRow,
  type TransportRow,
} from './write.ts'

/** The group with this name. Throws `not_found`. */
export async function groupNamed(store: Store, ref: string): Promise<TransportGroupRow> {
  const rows = await listTransportGroups(store)
  const row = rows.find(({ transport_group_name: name }) => name.toLowerCase() === ref.toLowerCase())
  if (row === undefined) throw notFound(`There is no transport group ${ref}`)
  return row
}

/** Operations on groups of transports. `named`: the transport with a name or id; throws `not_found`. */
export function createTransportGroups(store: Store, named: (ref: string) => Promise<TransportRow>) {
  return {
    /** All groups in order of id. */
    async groups(): Promise<TransportGroupRow[]> {
      return await listTransportGroups(store)
    },

    /** Creates a group or replaces its members, given as names or ids. Throws `not_found`, `invalid`. */
    async putGroup(name: string, members: readonly string[]): Promise<void> {
      requireName(name)
      const rows = await Promise.all(members.map(named))
      await putTransportGroup(store, name, [...new Set(rows.map(({ transport_id: id }) => id))])
    },

    /** Deletes a group but not its transports. Throws `not_found`. */
    async removeGroup(ref: string): Promise<void> {
      await deleteTransportGroup(store, (await groupNamed(store, ref)).transport_group_id)
    },
  }
}
