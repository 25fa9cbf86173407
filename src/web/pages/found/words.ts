import type { Candidate, CandidateState, SeenBy } from '../../../core/candidates/candidate.ts'
import type { SourceKind } from '../../../core/candidates/observed-host.ts'
import type { Tone } from '../../components/icon.tsx'
import { addressText, count, plain } from '../../components/values.tsx'

/** States of candidates, in the order in which they are offered. */
export const CANDIDATE_STATES = ['new', 'ignored', 'added'] as const satisfies readonly CandidateState[]

/** How a state is shown: its colour and its word. */
export const STATE_LOOKS: Readonly<Record<CandidateState, readonly [Tone, string]>> = {
  new: ['warn', 'Waiting'],
  ignored: ['off', 'Ignored'],
  added: ['ok', 'Added'],
}

/** Sources, as they are called in the field. */
export const SOURCE_WORDS: Readonly<Record<SourceKind, string>> = {
  scan: 'Scan',
  lldp: 'LLDP',
  cdp: 'CDP',
  fdp: 'FDP',
  edp: 'EDP',
  arp: 'ARP',
  nd: 'IPv6 ND',
  ospf: 'OSPF',
  ospfv3: 'OSPFv3',
  bgp: 'BGP',
  isis: 'IS-IS',
  fdb: 'FDB',
}

/** Text without markup for CSV and labels: `core-1 Gi1/0/1 (LLDP)`, `Scan 7`. */
export function sourceText({ kind, scanId, device, port }: SeenBy): string {
  const word = SOURCE_WORDS[kind]
  if (kind === 'scan') return scanId === null ? word : `${word} ${scanId}`
  const where = [device ?? 'a device that you may not see', port].filter((part) => part !== null && part !== '')
  return `${plain(where.join(' '))} (${word})`
}

/** The address it would be added by, and how many more it has: `10.0.0.1 +3`; null: none is known. */
export function addressWords({ address, addresses }: Pick<Candidate, 'address' | 'addresses'>): string | null {
  if (address === null) return null
  const more = addresses.filter((one) => one !== address).length
  return more === 0 ? addressText(address) : `${addressText(address)} +${count(more)}`
}

/** What it is, as far as it is known: `ios WS-C3850-48P`, `MAC address of Juniper Networks`; '': nothing. */
export const whatText = ({ os, hardware, vendor }: Pick<Candidate, 'os' | 'hardware' | 'vendor'>): string => {
  const said = [os === 'generic' ? null : os, hardware].filter((part) => part !== null && part !== '').join(' ')
  return plain(said === '' && vendor !== null ? `MAC address of ${vendor}` : said)
}
