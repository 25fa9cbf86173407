import type { Observation } from '../../modules/observation.ts'
import { gauge, line, perSecond, type SampleKind, type StoredRow } from '../kind.ts'

const counter = (name: string) => ({ name, type: 'bigint', role: 'counter', unit: 'messages' }) as const

/**
 * A BGP session: messages and updates in both directions (BGP4-MIB, RFC 4273), and the prefixes received in all address
 * families.
 */
export const bgp_peer: SampleKind = {
  name: 'bgp_peer',
  about: 'messages and accepted prefixes of a BGP session',
  key: 'bgp_peer_id',
  chunk: '7 days',
  retention: 'health',
  columns: [
    counter('in_messages'),
    counter('out_messages'),
    counter('in_updates'),
    counter('out_updates'),
    gauge('accepted_prefixes', 'bigint', 'prefixes'),
  ],
  subject: { table: '"bgpPeers"', id: '"bgpPeer_id"', name: '"bgpPeerIdentifier"' },
  view: { name: 'bgp_peer_values', with: ['"bgpPeerIdentifier" as peer', '"bgpPeerRemoteAs" as remote_as'] },
  lines: [
    perSecond('in_messages', 1, 'in', 'messages/s'),
    perSecond('out_messages', 2, 'out', 'messages/s'),
    perSecond('in_updates', 3, 'updates in', 'updates/s'),
    perSecond('out_updates', 4, 'updates out', 'updates/s'),
    { ...line('accepted_prefixes', 'prefixes'), weight: 'coalesce(known[5], period_ms)' },
  ],
  graphs: [
    { name: 'bgp_messages', label: 'BGP Messages', unit: 'messages/s', axis: 'zero', lines: ['in', 'out'] },
    {
      name: 'bgp_updates',
      label: 'BGP Updates',
      unit: 'updates/s',
      axis: 'zero',
      lines: ['updates in', 'updates out'],
    },
    { name: 'bgp_prefixes', label: 'BGP Prefixes', unit: 'prefixes', axis: 'zero', whole: true, lines: ['prefixes'] },
  ],
  current: null,
  poll: null,
  observed: {
    needs: [
      ['"bgpPeerIdentifier"', 'as it is'],
      ['context_name', 'as it is'],
    ],
    keyOf: ({ bgpPeerIdentifier: peer, context_name: context }: StoredRow) => keyOf(peer, context),
    read: (observations) => {
      const prefixes = acceptedPrefixes(observations)
      const values = new Map<string, readonly number[]>()
      for (const observation of observations) {
        if (observation.kind !== 'bgp') continue
        for (const row of observation.rows) {
          const { bgpPeerInTotalMessages, bgpPeerOutTotalMessages, bgpPeerInUpdates, bgpPeerOutUpdates } = row
          const key = keyOf(row.bgpPeerIdentifier, row.context_name)
          const read = [bgpPeerInTotalMessages, bgpPeerOutTotalMessages, bgpPeerInUpdates, bgpPeerOutUpdates]
          values.set(key, [...read.map((value) => value ?? Number.NaN), prefixes.get(key) ?? Number.NaN])
        }
      }
      return values
    },
  },
}

function keyOf(peer: unknown, context: unknown): string {
  return `${peer} ${context ?? ''}`
}

/** Accepted prefixes of each session, all address families together. */
function acceptedPrefixes(observations: readonly Observation[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const observation of observations) {
    if (observation.kind !== 'bgp_counters') continue
    for (const { bgpPeerIdentifier, context_name, AcceptedPrefixes } of observation.rows) {
      if (AcceptedPrefixes == null) continue
      const key = keyOf(bgpPeerIdentifier, context_name)
      sums.set(key, (sums.get(key) ?? 0) + AcceptedPrefixes)
    }
  }
  return sums
}
