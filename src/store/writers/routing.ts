import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** Gives a BGP session the description that a person wants; discovery keeps it from then on. False: there is no such session. Throws StoreError. */
export function describeBgpPeer({ sql }: Store, id: number, descr: string): Promise<boolean> {
  return guarded(async () => {
    const rows = await sql`update "bgpPeers" set "bgpPeerDescr" = ${descr}, descr_set = 1 where "bgpPeer_id" = ${id}`
    return rows.count > 0
  })
}
