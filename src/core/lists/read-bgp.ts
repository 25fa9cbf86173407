import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** A BGP session. null: unknown, or there is none. */
export interface BgpSession {
  readonly id: number
  readonly device_id: number
  readonly device: string
  readonly hostname: string
  readonly peer: string
  readonly descr: string
  readonly remote_as: number
  /** Name of the AS. */
  readonly as_name: string
  readonly local_as: number | null
  readonly local_address: string
  readonly remote_address: string
  readonly state: string
  readonly admin: string
  readonly vrf: string | null
  readonly port_id: number | null
  readonly port: string | null
  /** Seconds since it was established or, if it is not, since it last was (RFC 4273, bgpPeerFsmEstablishedTime). */
  readonly since_s: number
  readonly error: string | null
  readonly families: readonly BgpFamily[]
}

/** Prefixes of one address family. */
export interface BgpFamily {
  /** `ipv4 unicast`. */
  readonly family: string
  readonly accepted: number
  readonly denied: number
  readonly advertised: number
  readonly suppressed: number
  readonly withdrawn: number
  /** Prefixes at which the session is closed; 0: no limit. */
  readonly limit: number
}

/** A BGP session of a device in scope. */
export async function findBgpSession({ sql }: Store, scope: Scope, id: number): Promise<BgpSession | null> {
  const [row] = await sql<BgpSession[]>`
      select b."bgpPeer_id" as id, b.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, d.hostname,
        b."bgpPeerIdentifier" as peer, b."bgpPeerDescr" as descr, b."bgpPeerRemoteAs"::float8 as remote_as, b.astext as as_name,
        d."bgpLocalAs"::float8 as local_as, b."bgpLocalAddr" as local_address, b."bgpPeerRemoteAddr" as remote_address,
        b."bgpPeerState" as state, b."bgpPeerAdminStatus" as admin, coalesce(v.vrf_name, nullif(b.context_name, '')) as vrf,
        p.port_id, p."ifName" as port, b."bgpPeerFsmEstablishedTime"::float8 as since_s, nullif(b."bgpPeerLastErrorText", '') as error,
        coalesce((select json_agg(json_build_object('family', c.afi || ' ' || c.safi, 'accepted', c."AcceptedPrefixes", 'denied', c."DeniedPrefixes",
            'advertised', c."AdvertisedPrefixes", 'suppressed', c."SuppressedPrefixes", 'withdrawn', c."WithdrawnPrefixes",
            'limit', c."PrefixAdminLimit") order by c.afi, c.safi)
          from public."bgpPeers_cbgp" c where c.device_id = b.device_id and c."bgpPeerIdentifier" = b."bgpPeerIdentifier"
            and coalesce(c.context_name, '') = coalesce(b.context_name, '')), '[]') as families
      from public."bgpPeers" b join devices d on d.device_id = b.device_id left join vrfs v on v.vrf_id = b.vrf_id
        left join lateral (select p.port_id, p."ifName" from ports p where p.device_id = b.device_id and p.deleted = 0
          and p."ifIndex" = b."bgpPeerIface" order by p.port_id limit 1) p on true
      where b."bgpPeer_id" = ${id} and ${deviceInScope(sql, scope)}`
  return row ?? null
}

/** A change of a session. */
export interface SessionEvent {
  readonly event_id: number
  readonly at: Date
  readonly device_id: number | null
  readonly device: string | null
  readonly type: string | null
  readonly message: string | null
  readonly severity: number
  readonly reference: string | null
  readonly port_id: null
  readonly port: null
  readonly by: null
}

/** Changes of a BGP session, the latest first. The caller has checked access. */
export async function bgpSessionEvents(
  { sql }: Store,
  session: Pick<BgpSession, 'id' | 'device_id'>,
  limit: number,
): Promise<SessionEvent[]> {
  return await sql<SessionEvent[]>`
      select event_id, datetime as at, device_id, null as device, type, message, severity, reference, null as port_id, null as port, null as by
      from eventlog where device_id = ${session.device_id} and type = 'bgpPeer' and reference = ${String(session.id)}
      order by datetime desc, event_id desc limit ${limit}`
}
