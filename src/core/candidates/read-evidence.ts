import type { Tx } from '../discovery/write-rows.ts'
import { type Evidence, isMakers } from '../identity/evidence.ts'
import type { Known } from '../identity/identity.ts'

/** A candidate that shares something with a host. */
export interface KnownCandidate extends Known<number> {
  readonly state: 'new' | 'ignored' | 'added'
  readonly deviceId: number | null
  readonly name: string
}

/** Most candidates with which a host is compared: those that share most kinds of evidence. */
const MOST = 32

const array = (values: readonly string[]) => [...values]

interface EvidenceRow {
  readonly id: number
  readonly state: KnownCandidate['state']
  readonly device_id: number | null
  readonly name: string
  readonly poller_group: number
  readonly evidence: readonly {
    readonly engine_id: string | null
    readonly serials: readonly string[]
    readonly base_mac: string | null
    readonly macs: readonly string[]
    readonly addresses: readonly string[]
    readonly sys_name: string | null
  }[]
}

/** Candidates that share evidence with a host. */
export async function candidatesLike(tx: Tx, evidence: Evidence, pollerGroup: number): Promise<KnownCandidate[]> {
  const macs = array([...evidence.macs, ...(evidence.baseMac === null ? [] : [evidence.baseMac])].filter(isMakers))
  const rows = await tx<EvidenceRow[]>`
    with kinds as (
      select 1 as kind, candidate_id from candidate_evidence where engine_id = ${evidence.engineId ?? ''}
      union select 2, candidate_id from candidate_evidence where serials && ${array(evidence.serials)}::text[]
      union select 3, candidate_id from candidate_evidence where macs && ${macs}::text[] or base_mac = any(${macs}::text[])
      union select 4, candidate_id from candidate_evidence where sys_name = ${evidence.sysName ?? ''}
      union select 5, candidate_id from candidate_evidence where addresses && ${array(evidence.addresses)}::text[]
    ), likely as (
      select candidate_id, count(*) as n from kinds join candidates c on c.id = candidate_id
      where kind < 5 or c.poller_group = ${pollerGroup} group by 1 order by n desc, 1 limit ${MOST}
    )
    select c.id, c.state, c.device_id, coalesce(c.sys_name, c.heard_name, host(c.address), '') as name, c.poller_group,
      (select jsonb_agg(jsonb_build_object('engine_id', e.engine_id, 'serials', e.serials, 'base_mac', e.base_mac,
         'macs', e.macs, 'addresses', e.addresses, 'sys_name', e.sys_name))
       from candidate_evidence e where e.candidate_id = c.id) as evidence
    from likely join candidates c on c.id = candidate_id order by c.id`
  return rows.map(({ id, state, device_id, name, poller_group, evidence: read }) => ({
    key: id,
    state,
    deviceId: device_id,
    name,
    evidence: read.map((one) => ({
      engineId: one.engine_id,
      serials: one.serials,
      baseMac: one.base_mac,
      macs: one.macs,
      addresses: poller_group === pollerGroup ? one.addresses : [],
      sysName: one.sys_name,
    })),
  }))
}

/** The candidate that answered at the address, else the one that neighbours name so without an address. */
export async function candidateAt(
  tx: Tx,
  pollerGroup: number,
  address: string | null,
  names: readonly string[],
): Promise<(KnownCandidate & { readonly heard: boolean }) | null> {
  const folded = array(names.map((name) => name.toLowerCase()))
  const [row] = await tx<(Omit<EvidenceRow, 'evidence' | 'poller_group'> & { heard: boolean })[]>`
    select c.id, c.state, c.device_id, coalesce(c.sys_name, c.heard_name, host(c.address), '') as name, c.address is null as heard
    from candidates c where c.id in (
      select candidate_id from candidate_addresses where poller_group = ${pollerGroup} and address = ${address}::inet
      union all select id from candidates where address is null and poller_group = ${pollerGroup}
        and lower(heard_name) = any(${folded}::text[]))
    order by c.address is null, c.id limit 1`
  if (row === undefined) return null
  const { id, state, device_id, name, heard } = row
  return { key: id, state, deviceId: device_id, name, heard, evidence: [] }
}

/** How a candidate stands. */
export interface Standing {
  readonly state: KnownCandidate['state']
  readonly deviceId: number | null
  readonly movedFrom: number | null
  readonly why: string
  /** Whether it has answered SNMP. */
  readonly answered: boolean
}

export async function standing(tx: Tx, id: number): Promise<Standing> {
  const [row] = await tx<Standing[]>`
    select state, device_id as "deviceId", moved_from as "movedFrom", why, snmp_version is not null as answered
    from candidates where id = ${id}`
  return row ?? { state: 'new', deviceId: null, movedFrom: null, why: '', answered: false }
}
