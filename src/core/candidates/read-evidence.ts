import type { Tx } from '../discovery/write-rows.ts'
import { type Evidence, universalMacs } from '../identity/evidence.ts'
import type { Known } from '../identity/identity.ts'
import type { CandidateState } from './candidate.ts'

/** A candidate that shares something with a host. */
export interface KnownCandidate extends Known<number> {
  readonly state: CandidateState
  readonly name: string
}

/** Most candidates with which a host is compared: those that share most kinds of evidence. */
const MAX_LIKELY = 32

interface EvidenceRow {
  readonly id: number
  readonly state: CandidateState
  readonly name: string
  readonly poller_group: number
  readonly evidence: readonly StoredEvidence[]
}

interface StoredEvidence {
  readonly engine_id: string | null
  readonly serials: readonly string[]
  readonly base_mac: string | null
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  readonly sys_name: string | null
}

/** The evidence of a candidate of alias `c` as JSON. */
const EVIDENCE = `coalesce((select jsonb_agg(jsonb_build_object('engine_id', e.engine_id, 'serials', e.serials,
  'base_mac', e.base_mac, 'macs', e.macs, 'addresses', e.addresses, 'sys_name', e.sys_name))
  from candidate_evidence e where e.candidate_id = c.id), '[]')`

const evidenceIn = (read: readonly StoredEvidence[], isNear: boolean): Evidence[] =>
  read.map((one) => ({
    engineId: one.engine_id,
    serials: one.serials,
    baseMac: one.base_mac,
    macs: one.macs,
    // other sites may have the same private addresses
    addresses: isNear ? one.addresses : [],
    sysName: one.sys_name,
  }))

/** Candidates that share evidence with a host. */
export async function candidatesLike(tx: Tx, evidence: Evidence, pollerGroup: number): Promise<KnownCandidate[]> {
  const macs = universalMacs(evidence)
  const rows = await tx<EvidenceRow[]>`
    with kinds as (
      select 1 as kind, candidate_id from candidate_evidence where engine_id = ${evidence.engineId ?? ''}
      union select 2, candidate_id from candidate_evidence where serials && ${[...evidence.serials]}::text[]
      union select 3, candidate_id from candidate_evidence where macs && ${macs}::text[] or base_mac = any(${macs}::text[])
      union select 4, candidate_id from candidate_evidence where sys_name = ${evidence.sysName ?? ''}
      union select 5, candidate_id from candidate_evidence where addresses && ${[...evidence.addresses]}::text[]
    ), likely as (
      select candidate_id, count(*) as n from kinds join candidates c on c.id = candidate_id
      where kind < 5 or c.poller_group = ${pollerGroup} group by 1 order by n desc, 1 limit ${MAX_LIKELY}
    )
    select c.id, c.state, coalesce(c.sys_name, c.heard_name, host(c.address), '') as name, c.poller_group,
      ${tx.unsafe(EVIDENCE)} as evidence
    from likely join candidates c on c.id = candidate_id order by c.id`
  return rows.map(({ id, state, name, poller_group, evidence: read }) => ({
    key: id,
    state,
    name,
    evidence: evidenceIn(read, poller_group === pollerGroup),
  }))
}

/** The candidate that answered at the address, else the one that neighbours name so without an address. */
export async function candidateAt(
  tx: Tx,
  pollerGroup: number,
  address: string | null,
  names: readonly string[],
): Promise<KnownCandidate | null> {
  const folded = names.map((name) => name.toLowerCase())
  const [row] = await tx<Omit<EvidenceRow, 'poller_group'>[]>`
    select c.id, c.state, coalesce(c.sys_name, c.heard_name, host(c.address), '') as name,
      ${tx.unsafe(EVIDENCE)} as evidence
    from candidates c where c.id in (
      select candidate_id from candidate_addresses where poller_group = ${pollerGroup} and address = ${address}::inet
      union all select id from candidates where address is null and poller_group = ${pollerGroup}
        and lower(heard_name) = any(${folded}::text[]))
    order by c.address is null, c.id limit 1`
  if (row === undefined) return null
  const { id, state, name, evidence } = row
  return { key: id, state, name, evidence: evidenceIn(evidence, true) }
}

/** What answered at addresses within a day, by address: evidence of candidates. */
export async function seenAt(
  tx: Tx,
  pollerGroup: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, readonly Evidence[]>> {
  if (addresses.length === 0) return new Map()
  const rows = await tx<{ address: string; evidence: readonly StoredEvidence[] }[]>`
    select host(a.address) as address, ${tx.unsafe(EVIDENCE)} as evidence
    from candidate_addresses a join candidates c on c.id = a.candidate_id
    where a.poller_group = ${pollerGroup} and a.address = any(${[...addresses]}::text[]::inet[])
      and a.last_seen > now() - interval '1 day'`
  return new Map(rows.map(({ address, evidence }) => [address, evidenceIn(evidence, true)]))
}

/** The address at which a device also answered last, within a day; null: none. */
export async function lastOtherAddress(tx: Tx, deviceId: number): Promise<string | null> {
  const [row] = await tx<{ address: string }[]>`
    select host(address) as address from device_other_addresses
    where device_id = ${deviceId} and last_seen > now() - interval '1 day' order by last_seen desc, address limit 1`
  return row?.address ?? null
}

/** Whether a candidate says that the device moved, and somebody has to decide or has ignored it. */
export async function isMoveOffered(tx: Tx, deviceId: number): Promise<boolean> {
  return (await tx`select from candidates where moved_from = ${deviceId} and state <> 'added' limit 1`).length > 0
}

/** How a candidate stands. */
export interface CandidateStatus {
  readonly state: CandidateState
  readonly deviceId: number | null
  readonly movedFrom: number | null
  readonly why: string
  /** Whether it has answered SNMP. */
  readonly answered: boolean
}

export async function candidateStatus(tx: Tx, id: number): Promise<CandidateStatus> {
  const [row] = await tx<CandidateStatus[]>`
    select state, device_id as "deviceId", moved_from as "movedFrom", why, snmp_version is not null as answered
    from candidates where id = ${id}`
  return row ?? { state: 'new', deviceId: null, movedFrom: null, why: '', answered: false }
}
