import type { Store } from '../database/client.ts'
import { CANDIDATES_LOCK } from '../database/locks.ts'
import type { Tx } from '../discovery/write-rows.ts'
import { digestOf, type Evidence } from '../identity/evidence.ts'
import { LIMITS, tidy } from './limits.ts'
import type { AcceptedCredentials, HostIdentity, Source } from './observed-host.ts'
import { BY_RULE } from './words.ts'

/** Runs the work while no other process or request records a host, in one transaction. */
export async function inTurn<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await store.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${CANDIDATES_LOCK}))`
    return await work(tx)
  })) as T
}

/** A host as it is stored. `identity` null: SNMP did not answer, and what was known stays. */
export interface StoredHost {
  readonly pollerGroup: number
  readonly address: string | null
  readonly heardName: string | null
  readonly identity: HostIdentity | null
  readonly evidence: Evidence | null
  readonly credentials: AcceptedCredentials | null
  readonly pingMs: number | null
  readonly why: string
  readonly movedFrom: number | null
}

/** Stores a new candidate; returns its id. */
export async function insertCandidate(tx: Tx, host: StoredHost): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into candidates (poller_group, address, heard_name, why)
    values (${host.pollerGroup}, ${host.address}::inet, ${host.heardName}, ${host.why}) returning id`
  const id = row?.id ?? 0
  await updateCandidate(tx, id, host)
  return id
}

/** Stores what is known of a candidate now. It keeps the address by which it would be added. */
export async function updateCandidate(tx: Tx, id: number, host: StoredHost): Promise<void> {
  const { identity, credentials, evidence } = host
  await tx`
    update candidates set last_seen = now(), address = coalesce(address, ${host.address}::inet),
      heard_name = coalesce(${host.heardName}, heard_name), ping_ms = coalesce(${host.pingMs}, ping_ms),
      moved_from = ${host.movedFrom}, why = ${host.why} where id = ${id}`
  if (identity !== null && credentials !== null) {
    await tx`
      update candidates set sys_name = ${tidy(identity.sysName)}, sys_descr = ${tidy(identity.sysDescr, 1024)},
        sys_object_id = ${tidy(identity.sysObjectId)}, os = ${tidy(identity.os) ?? 'generic'},
        hardware = ${tidy(identity.hardware)}, ports = ${small(identity.ports)}, snmp_version = ${credentials.version},
        snmp_index = ${credentials.index}, snmp_port = ${credentials.port} where id = ${id}`
  }
  if (evidence !== null) await noteEvidence(tx, id, evidence)
  if (host.address !== null) await noteAddress(tx, id, host.pollerGroup, host.address)
}

const small = (number: number | null): number | null =>
  number !== null && Number.isSafeInteger(number) && number >= 0 && number < 2 ** 31 ? number : null

async function noteEvidence(tx: Tx, id: number, evidence: Evidence): Promise<void> {
  await tx`
    insert into candidate_evidence (candidate_id, digest, engine_id, serials, base_mac, macs, addresses, sys_name)
    values (${id}, ${digestOf(evidence)}, ${evidence.engineId}, ${[...evidence.serials]}::text[], ${evidence.baseMac},
      ${[...evidence.macs]}::text[], ${[...evidence.addresses]}::text[], ${evidence.sysName})
    on conflict (candidate_id, digest) do update set last_seen = now()`
  await tx`
    delete from candidate_evidence where candidate_id = ${id} and digest in (
      select digest from candidate_evidence where candidate_id = ${id} order by last_seen desc, digest offset ${LIMITS.evidence})`
}

async function noteAddress(tx: Tx, id: number, pollerGroup: number, address: string): Promise<void> {
  const others = await tx<{ candidate_id: number }[]>`
    select candidate_id from candidate_addresses
    where poller_group = ${pollerGroup} and address = ${address}::inet and candidate_id <> ${id}`
  for (const { candidate_id } of others) await forgetAddress(tx, candidate_id, pollerGroup, address)
  await tx`
    insert into candidate_addresses (poller_group, address, candidate_id) values (${pollerGroup}, ${address}::inet, ${id})
    on conflict (poller_group, address) do update set last_seen = now(), candidate_id = excluded.candidate_id`
  await tx`
    delete from candidate_addresses where candidate_id = ${id} and (poller_group, address) in (
      select poller_group, address from candidate_addresses where candidate_id = ${id}
      order by last_seen desc, address offset ${LIMITS.addresses})`
}

/** The candidate does not answer at an address any more; it keeps another one, if it has any. */
export async function forgetAddress(tx: Tx, id: number, pollerGroup: number, address: string): Promise<void> {
  await tx`
    delete from candidate_addresses where candidate_id = ${id} and poller_group = ${pollerGroup} and address = ${address}::inet`
  await tx`
    update candidates set address = (select a.address from candidate_addresses a where a.candidate_id = ${id}
      order by a.last_seen desc, a.address limit 1) where id = ${id} and address = ${address}::inet`
}

/** Stores where a candidate was seen. A source that is known already is only seen again. */
export async function noteSource(tx: Tx, id: number, source: Source): Promise<void> {
  await tx`
    insert into candidate_sources (candidate_id, kind, scan_id, device_id, port_id, remote_name, remote_port,
      remote_platform, remote_description)
    select ${id}, ${source.kind}, ${source.scanId}, d.device_id, p.port_id, ${tidy(source.remoteName)},
      ${tidy(source.remotePort)}, ${tidy(source.remotePlatform)}, ${tidy(source.remoteDescription)}
    from (select ${source.deviceId}::int as device_id, ${source.portId}::int as port_id) x
      left join devices d on d.device_id = x.device_id
      left join ports p on p.port_id = x.port_id and p.device_id = d.device_id
    where x.device_id is null or d.device_id is not null
    on conflict on constraint candidate_sources_key do update set last_seen = now(), scan_id = excluded.scan_id,
      remote_name = excluded.remote_name, remote_platform = excluded.remote_platform,
      remote_description = excluded.remote_description`
  await tx`
    delete from candidate_sources where candidate_id = ${id} and id in (
      select id from candidate_sources where candidate_id = ${id} order by last_seen desc, id desc offset ${LIMITS.sources})`
}

/** Makes one candidate of several: everything of the others goes to the first, and they are deleted. */
export async function mergeCandidates(tx: Tx, into: number, others: readonly number[]): Promise<void> {
  if (others.length === 0) return
  const ids = [...others]
  await tx`update candidate_addresses set candidate_id = ${into} where candidate_id = any(${ids}::int[])`
  for (const [table, key] of [
    [
      'candidate_sources',
      's.kind = o.kind and s.device_id is not distinct from o.device_id and s.port_id is not distinct from o.port_id and s.remote_port is not distinct from o.remote_port',
    ],
    ['candidate_evidence', 's.digest = o.digest'],
  ] as const) {
    const own = tx.unsafe(table)
    await tx`update ${own} o set candidate_id = ${into} where candidate_id = any(${ids}::int[])
      and not exists (select from ${own} s where s.candidate_id = ${into} and ${tx.unsafe(key)})
      and not exists (select from ${own} s where s.candidate_id = any(${ids}::int[]) and s.candidate_id < o.candidate_id and ${tx.unsafe(key)})`
  }
  await tx`
    update candidates c set first_seen = least(c.first_seen, x.first_seen), heard_name = coalesce(c.heard_name, x.heard_name)
    from (select min(first_seen) as first_seen, max(heard_name) as heard_name from candidates where id = any(${ids}::int[])) x
    where c.id = ${into}`
  await tx`delete from candidates where id = any(${ids}::int[])`
}

/** The state of candidates, with the reason. `deviceId`: the device that they are now. */
export async function setState(
  { sql }: { readonly sql: Tx | Store['sql'] },
  ids: readonly number[],
  state: 'new' | 'ignored' | 'added',
  why: string,
  deviceId: number | null = null,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    update candidates set state = ${state}, why = ${why}, device_id = ${deviceId}, adding_since = null,
      moved_from = case when ${state} = 'new' then moved_from end
    where id = any(${[...ids]}::int[]) returning id`
  return rows.map(({ id }) => id)
}

/** A device answers at its own address, so that nothing is left to decide about a move. */
export async function endMoves(tx: Tx, deviceId: number): Promise<void> {
  await tx`
    update candidates set state = 'added', device_id = ${deviceId}, moved_from = null, adding_since = null,
      why = 'It is a monitored device, which answers at its own address again'
    where moved_from = ${deviceId} and state = 'new'`
}

/** Claims a candidate that is to be added; false: it is not new any more, or another process is adding it. */
export async function claim({ sql }: { readonly sql: Tx | Store['sql'] }, id: number): Promise<boolean> {
  const rows = await sql`
    update candidates set adding_since = now() where id = ${id} and state <> 'added'
      and (adding_since is null or adding_since < now() - interval '10 minutes') returning id`
  return rows.length > 0
}

/** Gives a claimed candidate back, with the reason why it could not be added. */
export async function unclaim({ sql }: Store, id: number, why: string): Promise<void> {
  await sql`update candidates set adding_since = null, why = ${why} where id = ${id}`
}

/** Notes that a device also answers at an address. Returns true the first time. */
export async function noteOtherAddress(tx: Tx, deviceId: number, address: string): Promise<boolean> {
  const [row] = await tx<{ first: boolean }[]>`
    insert into device_other_addresses (device_id, address)
    select device_id, ${address}::inet from devices where device_id = ${deviceId}
    on conflict (device_id, address) do update set last_seen = now() returning xmax = 0 as first`
  await tx`
    delete from device_other_addresses where device_id = ${deviceId} and address in (
      select address from device_other_addresses where device_id = ${deviceId}
      order by last_seen desc, address offset ${LIMITS.addresses})`
  return row?.first ?? false
}

/** The addresses of an added candidate become those at which its device also answers. */
export async function handOver(tx: Tx, id: number, deviceId: number): Promise<void> {
  await tx`
    insert into device_other_addresses (device_id, address, first_seen, last_seen)
    select d.device_id, a.address, a.first_seen, a.last_seen
    from candidate_addresses a join devices d on d.device_id = ${deviceId}
    where a.candidate_id = ${id} and a.address is distinct from d.ip
      and host(a.address) <> d.hostname and host(a.address) <> coalesce(d.overwrite_ip, '')
    on conflict (device_id, address) do update set last_seen = excluded.last_seen`
}

/** Candidates that were dropped because there were too many. */
export interface Dropped {
  readonly ofDevice: number
  readonly ofAll: number
}

/**
 * Drops the oldest that wait for a decision where a device, or all together, have too many; before these, those that rules
 * ignore, because the rule would ignore them again. `keep` stays.
 */
export async function dropTooMany(
  tx: Tx,
  keep: number,
  deviceId: number | null,
  limits: { readonly candidates: number; readonly perDevice: number } = LIMITS,
): Promise<Dropped> {
  const ofDevice =
    deviceId === null
      ? []
      : await tx`
        delete from candidates where id in (
          select c.id from candidates c where c.state = 'new' and c.id <> ${keep}
            and exists (select from candidate_sources s where s.candidate_id = c.id and s.device_id = ${deviceId})
            and not exists (select from candidate_sources s where s.candidate_id = c.id and s.device_id is distinct from ${deviceId})
          order by c.last_seen desc, c.id desc offset ${limits.perDevice - 1}) returning id`
  const ofAll = await tx`
    delete from candidates where id in (
      select id from candidates where (state = 'new' or state = 'ignored' and why like ${`${BY_RULE}%`}) and id <> ${keep}
      order by state = 'new', snmp_version is null desc, last_seen, id
      limit greatest(0, (select count(*) from candidates) - ${limits.candidates})) returning id`
  return { ofDevice: ofDevice.length, ofAll: ofAll.length }
}

/** Deletes candidates that were not seen for so many days and are not ignored; returns how many. Throws StoreError. */
export async function dropOldCandidates(store: Store, days: number): Promise<number> {
  if (days <= 0) return 0
  return await inTurn(store, async (tx) => {
    const rows = await tx`
      delete from candidates where id in (select id from candidates
        where state <> 'ignored' and last_seen < now() - make_interval(days => ${days}) limit 10000) returning id`
    return rows.length
  })
}
