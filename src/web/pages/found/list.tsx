/** @jsxImportSource #jsx */
import { parseNetwork } from '@portlight/addresses/networks.ts'
import type { Candidate, CandidateState } from '../../../core/candidates/candidate.ts'
import type { SourceKind } from '../../../core/candidates/observed-host.ts'
import { SOURCE_KINDS } from '../../../core/candidates/service.ts'
import {
  Chip,
  CsvLink,
  FilterChoice,
  FilterMenu,
  FilterText,
  keptFields,
  NoMatch,
  oneOf,
  QuickFind,
  Segments,
  stateChoices,
  textOf,
} from '../../components/filters.tsx'
import { withQuery } from '../../components/table.tsx'
import { count, Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import { can } from '../../permissions.ts'
import { BulkCandidates, TICK } from './bulk.tsx'
import { bulkActions } from './bulk-actions.ts'
import { candidateColumns } from './columns.tsx'
import { FoundTabs } from './tabs.tsx'
import { CANDIDATE_STATES, SOURCE_WORDS, STATE_LOOKS } from './words.ts'

/** Filters of the list in the address; null and '': any. */
interface Wanted {
  readonly state: CandidateState | null
  readonly source: SourceKind | null
  readonly network: string | null
  readonly os: string | null
  readonly scanId: number | null
  readonly text: string
}

/** The state `all` in the address: those that wait are what is looked for, so they are shown without it. */
const ALL = 'all'

/** Devices that were found and are not monitored: what they are, where they were seen, and why they were not added. */
export const foundPage = listPage({
  path: '/found',
  gate: 'Device.create',
  nav: { label: 'Found', icon: 'eye', group: 'main', order: 35, calm: true },
  title: 'Found',
  caption: 'Found devices, the newest first',
  what: ['device', 'devices'],
  csv: { name: 'found', most: 10_000 },
  query(query): Wanted {
    const network = textOf(query, 'network')
    const scan = idOf(query.get('scan'))
    return {
      state: query.get('state') === ALL ? null : (oneOf(query, 'state', CANDIDATE_STATES) ?? 'new'),
      source: oneOf(query, 'source', SOURCE_KINDS),
      network: parseNetwork(network) === null ? null : network,
      os: textOf(query, 'os') || null,
      scanId: scan === 0 ? null : scan,
      text: textOf(query),
    }
  },
  async load({ services: { candidates }, actor }, { state, source, network, os, scanId, text, offset, limit }) {
    const wanted = {
      state: state ?? ('all' as const),
      text,
      source: source ?? undefined,
      network: network ?? undefined,
      os: os ?? undefined,
      scanId: scanId ?? undefined,
    }
    const [{ rows, total }, waiting, { states, all, systems }] = await Promise.all([
      partsOf(offset, limit, (part) => candidates.list(actor, { ...wanted, order: 'first_seen', ...part })),
      candidates.waiting(actor),
      candidates.overview(actor, wanted),
    ])
    return { rows, total, waiting, states, all, systems }
  },
  columns: ({ rows }, visit) => [...(rows.length > 0 ? [TICK] : []), ...candidateColumns(visit)],
  head: ({ waiting }) => (
    <h1>
      {waiting === 0
        ? 'No device waits'
        : `${count(waiting)} ${waiting === 1 ? 'device waits' : 'devices wait'} for a decision`}
    </h1>
  ),
  acts: (_, visit) => <CsvLink query={visit.query} />,
  above: (_, visit) => <FoundTabs visit={visit} here="/found" />,
  nothing: ({ all }, visit) => (all === 0 ? <NothingYet mayScan={can(visit, 'admin')} /> : null),
  filters: ({ wanted, states, systems }, visit) => (
    <>
      <Segments
        label="State"
        name="state"
        current={wanted.state === null ? ALL : wanted.state === 'new' ? null : wanted.state}
        query={visit.query}
        choices={stateChoices(CANDIDATE_STATES, (state) => STATE_LOOKS[state], {
          ...states,
          all: states.new + states.ignored + states.added,
        }).map((one) => ({
          ...one,
          value: one.value === null ? ALL : one.value === 'new' ? null : one.value,
        }))}
      />
      {chipsOf(wanted).map(({ name, label, value }) => (
        <Chip label={label} value={plain(value)} href={withQuery(visit.query, { [name]: null })} />
      ))}
      <FilterMenu action="/found">
        {keptFields(visit.query, ['source', 'os', 'network'])}
        <FilterChoice
          name="source"
          label="Seen by"
          current={wanted.source}
          options={SOURCE_KINDS.map((value) => ({ value, label: SOURCE_WORDS[value] }))}
        />
        <FilterChoice
          name="os"
          label="System"
          current={wanted.os}
          options={systemsOf(systems, wanted.os).map((value) => ({ value, label: plain(value) }))}
        />
        <FilterText
          name="network"
          label="Network"
          value={wanted.network ?? ''}
          placeholder="198.51.100.0/24"
          most={50}
        />
      </FilterMenu>
      <QuickFind action="/found" query={visit.query} text={wanted.text} />
    </>
  ),
  empty: ({ wanted }) => (
    <NoMatch
      title={wanted.state === null ? 'No candidate matches' : `No candidate is ${EMPTY_WORDS[wanted.state]}`}
      list="/found"
    >
      <p>
        {isFiltered(wanted)
          ? 'The list is limited by the filters above.'
          : 'What scans and neighbours report next appears here.'}
      </p>
    </NoMatch>
  ),
  card: (content, { rows, wanted }, visit) =>
    rows.length === 0 ? (
      <section class="card">{content}</section>
    ) : (
      <BulkCandidates visit={visit} ignored={wanted.state === 'ignored'}>
        {content}
      </BulkCandidates>
    ),
  actions: bulkActions,
})

const EMPTY_WORDS: Readonly<Record<CandidateState, string>> = {
  new: 'waiting',
  ignored: 'ignored',
  added: 'added',
}

/** Active filters other than the state. */
function chipsOf({ source, network, os, scanId, text }: Wanted) {
  return [
    { name: 'source', label: 'seen by', value: source === null ? '' : SOURCE_WORDS[source] },
    { name: 'network', label: 'network', value: network ?? '' },
    { name: 'os', label: 'system', value: os ?? '' },
    { name: 'scan', label: 'scan', value: scanId === null ? '' : String(scanId) },
    { name: 'q', label: 'contains', value: text },
  ].filter(({ value }) => value !== '')
}

/** Systems to choose from, in the order of the alphabet; also the chosen one, if nothing of it is left. */
const systemsOf = (systems: readonly string[], chosen: string | null): string[] =>
  [...new Set([...systems, ...(chosen === null ? [] : [chosen])])].toSorted()

const isFiltered = (wanted: Wanted) => chipsOf(wanted).length > 0

/** Largest page of the service. */
const PAGE = 500

/** A part of the list that may be larger than a page of the service. */
async function partsOf(
  offset: number,
  limit: number,
  read: (part: { offset: number; limit: number }) => Promise<{ rows: readonly Candidate[]; total: number }>,
) {
  const rows: Candidate[] = []
  for (;;) {
    const next = await read({ offset: offset + rows.length, limit: Math.min(PAGE, limit - rows.length) })
    rows.push(...next.rows)
    if (next.rows.length < PAGE || rows.length >= limit) return { rows, total: next.total }
  }
}

function NothingYet({ mayScan }: { readonly mayScan: boolean }): Html {
  return (
    <section class="card">
      <Empty title="Nothing has been found yet">
        <p>
          Devices get here in two ways: a scan of your networks, and what monitored devices report of their neighbours
          (LLDP, CDP, routing protocols, ARP).
        </p>
        {mayScan ? (
          <a class="btn first" href="/scans">
            Scan a network
          </a>
        ) : null}
      </Empty>
    </section>
  )
}
