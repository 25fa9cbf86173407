import type { Store } from '../database/client.ts'

/** Sets the description of a BGP session, which discovery then keeps. False: no such session. Throws StoreError. */
export async function describeBgpPeer({ sql }: Store, id: number, descr: string): Promise<boolean> {
  const rows = await sql`update "bgpPeers" set "bgpPeerDescr" = ${descr}, descr_set = 1 where "bgpPeer_id" = ${id}`
  return rows.count > 0
}
