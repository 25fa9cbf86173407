/** @jsxImportSource #jsx */
import type { Candidate, SeenBy } from '../../../core/candidates/candidate.ts'
import { type Column, markColumn, pillColumn } from '../../components/table.tsx'
import { addressText, count, DeviceText, plain, Time, Unknown } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { addressWords, SOURCE_WORDS, STATE_LOOKS, sourceText, whatText } from './words.ts'

/** Longest description in a row, characters; the whole of it is on hover and on the candidate's own page. */
const MAX_DESCRIPTION = 90
/** Sources that a row names. */
const SOURCES = 2

/** Where a candidate can be looked at, and added with its own name and options. */
const pageOf = ({ id }: Pick<Candidate, 'id'>): string => `/found/accept?ids=${id}`

const look = ({ state }: Candidate) => STATE_LOOKS[state]

/** The columns of candidates. */
export const candidateColumns = (visit: PageRequest): readonly Column<Candidate>[] => [
  markColumn(look),
  {
    id: 'name',
    label: 'Name, address',
    class: 'full',
    cell: (row) => (
      <>
        <a class="name" href={pageOf(row)} dir="auto">
          {plain(row.name)}
        </a>
        <span class="l2" title={row.addresses.slice(0, 40).map(addressText).join(', ')}>
          {addressWords(row) ?? 'no address known'}
        </span>
      </>
    ),
    text: ({ name }) => name,
  },
  pillColumn(look),
  { id: 'address', label: 'Address', file: true, cell: () => null, text: ({ address }) => address },
  { id: 'addresses', label: 'All addresses', file: true, cell: () => null, text: (row) => row.addresses.join(' ') },
  {
    id: 'what',
    label: 'What it is',
    class: 'full',
    cell: (row) => (
      <>
        <DeviceText text={whatText(row) || (row.sysDescr === null ? null : 'not recognised')} />
        {row.sysDescr === null ? null : (
          <span class="l2" dir="auto" title={plain(row.sysDescr)}>
            {shortened(row.sysDescr)}
          </span>
        )}
      </>
    ),
    text: whatText,
  },
  { id: 'descr', label: 'sysDescr', file: true, cell: () => null, text: ({ sysDescr }) => sysDescr },
  { id: 'oid', label: 'sysObjectID', file: true, cell: () => null, text: ({ sysObjectId }) => sysObjectId },
  {
    id: 'ports',
    label: 'Ports',
    numeric: true,
    class: 'lg w4',
    cell: ({ ports }) => (ports === null ? <Unknown why="it did not say" /> : count(ports)),
    text: ({ ports }) => ports,
  },
  {
    id: 'seen',
    label: 'Seen by',
    class: 'full',
    cell: ({ sources }) => <Sources sources={sources} visit={visit} />,
    text: ({ sources }) => sources.map(sourceText).join('; '),
  },
  {
    id: 'credentials',
    label: 'Credentials',
    class: 'lab w2',
    cell: ({ credentials }) =>
      credentials === null ? <Unknown why="none worked, or none was tried" /> : plain(credentials),
    text: ({ credentials }) => credentials,
  },
  {
    id: 'why',
    label: 'Why it is here',
    class: 'full',
    cell: ({ why, movedFrom }) => (
      <span class={movedFrom === null ? 'wrap' : 'wrap t-warn'} dir="auto">
        {plain(why)}
      </span>
    ),
    text: ({ why }) => why,
  },
  {
    id: 'first',
    label: 'First seen',
    numeric: true,
    class: 'lg w1',
    cell: ({ firstSeen }) => <Time at={firstSeen} nowMs={visit.nowMs} />,
    text: ({ firstSeen }) => firstSeen.toISOString(),
  },
  {
    id: 'last',
    label: 'Last seen',
    numeric: true,
    cell: ({ lastSeen }) => <Time at={lastSeen} nowMs={visit.nowMs} />,
    text: ({ lastSeen }) => lastSeen.toISOString(),
  },
]

/** A description on one line, cut. */
function shortened(text: string, most = MAX_DESCRIPTION): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

/** Where and by whom it was seen, with links. */
function Sources({ sources, visit }: { readonly sources: readonly SeenBy[]; readonly visit: PageRequest }): Html {
  if (sources.length === 0) return <Unknown />
  return (
    <>
      {sources.slice(0, SOURCES).map((source, i) => (
        <span class={i === 0 ? null : 'l2'}>
          <SourceLink source={source} visit={visit} />
        </span>
      ))}
      {sources.length > SOURCES ? <span class="l2">and {count(sources.length - SOURCES)} more</span> : null}
    </>
  )
}

/** A source: the scan, or the port of a device, with the protocol. */
export function SourceLink({ source, visit }: { readonly source: SeenBy; readonly visit: PageRequest }): Html {
  const { kind, scanId, deviceId, device, portId, port } = source
  if (kind === 'scan' && scanId !== null && can(visit, 'admin'))
    return <a href={`/scans/${scanId}`}>{sourceText(source)}</a>
  if (device === null || deviceId === null) return <span dir="auto">{sourceText(source)}</span>
  return (
    <>
      <a href={`/device/${deviceId}`} dir="auto">
        {plain(device)}
      </a>{' '}
      {port === null || portId === null ? (
        plain(port ?? '')
      ) : (
        <a href={`/port/${portId}`} dir="auto">
          {plain(port)}
        </a>
      )}{' '}
      <span class="sub">{SOURCE_WORDS[kind]}</span>
    </>
  )
}
