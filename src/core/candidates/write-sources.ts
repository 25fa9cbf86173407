import type { Store } from '../database/client.ts'
import { LIMITS } from './limits.ts'
import type { ProbeTarget } from './observed-host.ts'
import { inTurn } from './write-candidates.ts'

/** Stores by whom the candidates at these addresses are seen; addresses of no candidate are left out. */
export async function noteSources(store: Store, targets: readonly ProbeTarget[]): Promise<void> {
  if (targets.length === 0) return
  const rows = targets.map(({ address, pollerGroup, source }) => ({
    address,
    poller_group: pollerGroup,
    kind: source.kind,
    device_id: source.deviceId,
    port_id: source.portId,
    remote_name: source.remoteName,
    remote_port: source.remotePort,
    remote_platform: source.remotePlatform,
    remote_description: source.remoteDescription,
  }))
  await inTurn(store, async (tx) => {
    await tx`
      insert into candidate_sources (candidate_id, kind, device_id, port_id, remote_name, remote_port, remote_platform, remote_description)
      select distinct on (c.candidate_id, x.kind, d.device_id, p.port_id, x.remote_port)
        c.candidate_id, x.kind, d.device_id, p.port_id, x.remote_name, x.remote_port, x.remote_platform, x.remote_description
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(address text, poller_group int, kind text, device_id int,
          port_id int, remote_name text, remote_port text, remote_platform text, remote_description text)
        join candidate_addresses c on c.poller_group = x.poller_group and c.address = x.address::inet
        join devices d on d.device_id = x.device_id
        left join ports p on p.port_id = x.port_id and p.device_id = d.device_id
      order by c.candidate_id, x.kind, d.device_id, p.port_id, x.remote_port, x.remote_name
      on conflict on constraint candidate_sources_key do update set last_seen = now(), remote_name = excluded.remote_name,
        remote_platform = excluded.remote_platform, remote_description = excluded.remote_description`
    await tx`
      delete from candidate_sources where id in (
        select id from (select id, row_number() over (partition by candidate_id order by last_seen desc, id desc) as place
          from candidate_sources) s where s.place > ${LIMITS.sources})`
  })
}
