import type { Candidate, CandidateRule } from '../../core/candidates/candidate.ts'
import { t } from '../elysia.ts'
import { whole } from '../integer.ts'

const Text = t.Union([t.String(), t.Null()])
const Id = t.Union([whole(), t.Null()])

const Source = t.Object(
  {
    kind: t.String({ description: 'scan, lldp, cdp, fdp, edp, arp, nd, ospf, ospfv3, bgp, isis or fdb' }),
    scan_id: Id,
    device_id: t.Union([whole(), t.Null()], { description: 'The device that reports it; null: a scan' }),
    device: Text,
    port_id: Id,
    port: Text,
    remote_name: Text,
    remote_port: Text,
    remote_platform: Text,
    remote_description: Text,
    last_seen: t.String({ description: 'ISO 8601, UTC' }),
  },
  { title: 'CandidateSource' },
)

const CandidateRecord = t.Object(
  {
    type: t.Literal('candidates'),
    id: t.String(),
    attributes: t.Object(
      {
        state: t.String({ description: 'new: somebody has to decide; ignored; added: it is a device now' }),
        name: t.String(),
        address: t.Union([t.String(), t.Null()], { description: 'null: neighbours name it without an address' }),
        addresses: t.Array(t.String(), { description: 'All addresses at which it answered' }),
        poller_group: whole(),
        sysDescr: Text,
        sysObjectID: Text,
        os: t.String(),
        hardware: Text,
        vendor: t.Union([t.String(), t.Null()], {
          description: 'Manufacturer by its MAC address in ARP tables, if SNMP has not identified it; null: unknown',
        }),
        ports: Id,
        credentials: t.Union([t.String(), t.Null()], { description: 'Which worked, without secrets; null: none' }),
        first_seen: t.String({ description: 'ISO 8601, UTC' }),
        last_seen: t.String(),
        why: t.String({ description: 'Why it was not added' }),
        moved_from: t.Union([whole(), t.Null()], { description: 'The device that it probably is' }),
        device_id: Id,
        sources: t.Array(Source),
      },
      { title: 'Candidate' },
    ),
  },
  { title: 'CandidateRecord' },
)

const RuleAttributes = {
  network: t.Optional(t.String({ description: 'CIDR' })),
  os: t.Optional(t.String()),
  sysName: t.Optional(t.String({ description: "Linear regular expression; PHP's delimiters are accepted" })),
  platform: t.Optional(t.String({ description: 'As sysName, for the platform that neighbours report' })),
  protocol: t.Optional(t.String({ description: 'A kind of source' })),
}
const RuleRecord = t.Object(
  {
    type: t.Literal('candidate-rules'),
    id: t.String(),
    attributes: t.Object({
      position: whole(),
      action: t.String({ description: 'accept or ignore' }),
      ...RuleAttributes,
    }),
  },
  { title: 'CandidateRule' },
)

const Ids = t.Array(whole(), { description: 'Ids, 1000 at most' })
const body = <A extends Parameters<typeof t.Object>[0]>(type: string, attributes: A, title: string) =>
  t.NoValidate(t.Object({ data: t.Object({ type: t.Literal(type), attributes: t.Object(attributes) }) }, { title }))

/** Models of the operations on found devices. */
export const MODELS = {
  one: t.NoValidate(t.Object({ data: CandidateRecord })),
  many: t.NoValidate(t.Object({ meta: t.Object({ total: whole() }), data: t.Array(CandidateRecord) })),
  accepted: t.NoValidate(
    t.Object({
      data: t.Array(
        t.Object(
          {
            candidate_id: whole(),
            device_id: Id,
            state: t.String({ description: 'added, known or found (not added)' }),
            problem: t.Union([t.String(), t.Null()], { description: 'Why it could not be added; null: it was' }),
          },
          { title: 'AcceptedCandidate' },
        ),
      ),
    }),
  ),
  changed: t.NoValidate(t.Object({ meta: t.Object({ changed: whole() }) })),
  excluded: t.NoValidate(t.Object({ meta: t.Object({ network: t.String() }) })),
  rule: t.NoValidate(t.Object({ data: RuleRecord })),
  rules: t.NoValidate(t.Object({ data: t.Array(RuleRecord) })),
  acceptBody: body(
    'candidates',
    {
      ids: Ids,
      name_by: t.Optional(t.String({ description: 'dns (default), sysname or address' })),
      hostname: t.Optional(t.String({ description: 'For a single candidate' })),
      poller_group: t.Optional(whole()),
      location: t.Optional(t.String()),
      device_groups: t.Optional(t.Array(whole())),
      ping_only: t.Optional(t.Boolean({ description: 'Add by ping alone where SNMP does not answer' })),
    },
    'AcceptCandidates',
  ),
  idsBody: body('candidates', { ids: Ids }, 'Candidates'),
  excludeBody: body('candidates', { network: t.String({ description: 'CIDR' }) }, 'ExcludeNetwork'),
  ruleBody: body('candidate-rules', { action: t.String(), ...RuleAttributes }, 'CandidateRuleBody'),
  orderBody: body('candidate-rules', { ids: Ids }, 'CandidateRuleOrder'),
}

export function candidateRecord(candidate: Candidate) {
  const { id, sources, sysObjectId, pollerGroup, firstSeen, lastSeen, movedFrom, deviceId, ...rest } = candidate
  return {
    type: 'candidates',
    id: String(id),
    attributes: {
      ...rest,
      sysObjectID: sysObjectId,
      poller_group: pollerGroup,
      first_seen: firstSeen.toISOString(),
      last_seen: lastSeen.toISOString(),
      moved_from: movedFrom,
      device_id: deviceId,
      sources: sources.map((source) => ({
        kind: source.kind,
        scan_id: source.scanId,
        device_id: source.deviceId,
        device: source.device,
        port_id: source.portId,
        port: source.port,
        remote_name: source.remoteName,
        remote_port: source.remotePort,
        remote_platform: source.remotePlatform,
        remote_description: source.remoteDescription,
        last_seen: source.lastSeen.toISOString(),
      })),
    },
  }
}

export function ruleRecord({ id, ...attributes }: CandidateRule) {
  return { type: 'candidate-rules', id: String(id), attributes }
}
