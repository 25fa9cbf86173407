import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import type { UnmonitoredNeighbour } from './candidate.ts'
import type { Reported } from './read-reported.ts'

/** More are not drawn. */
const MAX_GHOSTS = 500
const MAX_LINKS = 5000

interface Row extends Pick<Reported, 'kind' | 'remote_name' | 'remote_platform' | 'remote_description'> {
  readonly candidate_id: number | null
  readonly name: string
  readonly platform: string | null
  readonly device_id: number
  readonly port_id: number | null
  readonly port: string | null
}

/**
 * Neighbours that are not monitored, of the devices in scope or of one of them (`deviceId`); those that are ignored or
 * that `isLeftAlone` names are left out.
 */
export async function readUnmonitored(
  { sql }: Store,
  scope: Scope,
  isLeftAlone: (row: Row) => boolean,
  deviceId: number | null,
): Promise<UnmonitoredNeighbour[]> {
  const read = await sql<Row[]>`
      select s.candidate_id, n.remote_hostname as name, nullif(n.remote_platform, '') as platform,
        n.protocol as kind, n.remote_hostname as remote_name, n.remote_platform, n.remote_version as remote_description,
        n.local_device_id as device_id, p.port_id, p."ifName" as port
      from links n join devices d on d.device_id = n.local_device_id
        left join ports p on p.port_id = n.local_port_id and p.deleted = 0
        left join lateral (
          select s.candidate_id, c.state from candidate_sources s join candidates c on c.id = s.candidate_id
          where s.device_id = n.local_device_id and s.kind = n.protocol and s.remote_name = n.remote_hostname
            and s.port_id is not distinct from n.local_port_id
          order by s.last_seen desc, s.id limit 1) s on true
      where n.active = 1 and n.remote_device_id = 0 and ${deviceInScope(sql, scope)} and s.state is distinct from 'ignored'
        ${deviceId === null ? sql`` : sql`and n.local_device_id = ${deviceId}`}
      order by n.remote_hostname, n.local_device_id, n.id limit ${MAX_LINKS}`
  const rows = read.filter((row) => !isLeftAlone(row))
  const grouped = Map.groupBy(rows, ({ candidate_id, name }) =>
    candidate_id === null ? `name ${name.toLowerCase()}` : `id ${candidate_id}`,
  )
  return [...grouped.values()].slice(0, MAX_GHOSTS).flatMap((links) => {
    const [first] = links
    if (first === undefined) return []
    return [
      {
        candidateId: first.candidate_id,
        name: first.name,
        platform: links.find(({ platform }) => platform !== null)?.platform ?? null,
        links: links.map(({ device_id, port_id, port }) => ({ deviceId: device_id, portId: port_id, port })),
      },
    ]
  })
}
