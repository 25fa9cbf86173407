import { phase } from '../module.ts'
import type { IpsecRow } from './observation.ts'
import { sourcesOf } from './sources.ts'

/** IPsec tunnels of gateways, from vendor tables. Most of these list only tunnels that are up. */
export const discoverIpsec = phase({
  follow: ({ device }) => sourcesOf(device).map(({ tables }, i) => ({ key: `source ${i}`, tables })),
  run({ device, followed }) {
    const rows = sourcesOf(device).flatMap((source, i) => {
      const tables = followed.get(`source ${i}`)?.tables
      return tables === undefined ? [] : source.read(tables, undefined)
    })
    const read = [...followed.values()].flatMap(({ tables }) => Object.values(tables))
    return [{ kind: 'ipsec', complete: read.every(({ complete }) => complete), rows: byPeer(rows) }]
  },
})

/** One row per peer: the first active one, if there are several. */
function byPeer(rows: readonly IpsecRow[]): readonly IpsecRow[] {
  const found = new Map<string, IpsecRow>()
  for (const row of rows) {
    const other = found.get(row.peer_addr)
    if (other === undefined || (other.tunnel_status !== 'active' && row.tunnel_status === 'active'))
      found.set(row.peer_addr, row)
  }
  return [...found.values()]
}
