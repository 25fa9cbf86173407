/** @jsxImportSource #jsx */
import { whoWords } from '../../../core/base/actor.ts'
import { eventWords } from '../../../core/logs/event-words.ts'
import type { BrowsedLog, BrowsedRow } from '../../../core/logs/service.ts'
import { Chip, FilterChoice, FilterMenu, FilterText, keptFields, QuickFind } from '../../components/filters.tsx'
import { Mark } from '../../components/icon.tsx'
import { fieldTime, TimeField } from '../../components/range.tsx'
import { type Column, Table, withQuery } from '../../components/table.tsx'
import { duration, Empty, type HelpLink, plain, Time } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { LOG_NAMES, severityChoices, severityOf } from './labels.ts'
import { keyText, PER_PAGE, type WantedLog } from './wanted.ts'

/** Part of a log, and what was requested. */
export interface LogData {
  readonly log: BrowsedLog
  readonly wanted: WantedLog
  readonly rows: readonly BrowsedRow[]
  /** Logs that the actor may read, with their addresses. */
  readonly logs: readonly { readonly log: BrowsedLog; readonly href: string }[]
  /** Whether all rows are of one device, which is then not named. */
  readonly isOfDevice: boolean
}

const RANGES = [
  ['-1h', '1 h'],
  ['-24h', '24 h'],
  ['-7d', '7 d'],
  ['-30d', '30 d'],
  ['all', 'All'],
] as const

/** A log with its filters. The script `logs` adds new rows; without it, the page has to be reloaded. */
export function LogView({
  data,
  query,
  nowMs,
}: {
  readonly data: LogData
  readonly query: URLSearchParams
  readonly nowMs: number
}): Html {
  const { wanted, log } = data
  const rows = data.rows.slice(0, PER_PAGE)
  const last = rows.at(-1)
  const hasMore = data.rows.length > PER_PAGE
  const isNewest = wanted.key === null && wanted.to === ''
  return (
    <>
      <Filters data={data} query={query} />
      <section
        class="card log"
        data-island={isNewest ? 'logs' : null}
        data-newest={rows[0] === undefined ? `${nowMs * 1000}-0` : keyText(rows[0])}
        data-tail={wanted.isTail ? 'on' : null}
      >
        <div class="log-new" hidden>
          <button class="btn s-s" type="button" data-do="take">
            New rows
          </button>
        </div>
        {rows.length === 0 ? (
          <Empty
            title={
              wanted.refused !== null
                ? 'Invalid time range'
                : isNarrowed(wanted)
                  ? `No ${WHAT[log]} match`
                  : `No ${WHAT[log]} yet`
            }
            help={HELP[log]}
          >
            <p>{wanted.refused === null ? emptyWhy(wanted, log) : plain(wanted.refused.text)}</p>
          </Empty>
        ) : null}
        <LogTable data={data} rows={rows} query={query} nowMs={nowMs} />
        <nav class="pager" aria-label="Pages of the log">
          <span>{isNewest ? 'Newest first' : wanted.key === null ? '' : 'Older rows'}</span>
          <span class="right">
            {wanted.key === null ? null : (
              <a class="btn s-s" href={withQuery(query, { before: null, after: null })}>
                Newest
              </a>
            )}
            {hasMore && last !== undefined ? (
              <a class="btn s-s" rel="next" href={withQuery(query, { before: keyText(last), after: null, tail: null })}>
                Older
              </a>
            ) : null}
          </span>
        </nav>
      </section>
    </>
  )
}

const WHAT: Readonly<Record<BrowsedLog, string>> = { event: 'events', syslog: 'messages', alert: 'alert changes' }

const HELP: Readonly<Record<BrowsedLog, HelpLink>> = {
  event: ['reference/pages', 'What the pages show'],
  syslog: ['how-to/syslog', 'How messages are received'],
  alert: ['how-to/alerts', 'When alerts are raised'],
}

const isNarrowed = ({ from, text, program, severity, device }: WantedLog): boolean =>
  Boolean(text || program || device) || severity !== null || from !== 'all'

const emptyWhy = (wanted: WantedLog, log: BrowsedLog): string =>
  isNarrowed(wanted)
    ? 'Try a longer range or fewer filters.'
    : log === 'syslog'
      ? 'To receive messages from devices, set syslog.udp or syslog.tcp to an address and port.'
      : 'Nothing has been stored yet.'

/** The rows alone, as requested by the script. */
export function LogTable({
  data,
  rows,
  query,
  nowMs,
}: {
  readonly data: LogData
  readonly rows: readonly BrowsedRow[]
  readonly query: URLSearchParams
  readonly nowMs: number
}): Html {
  return (
    <Table
      columns={columns(data, query, nowMs)}
      rows={rows}
      query={query}
      caption={LOG_NAMES[data.log]}
      keyOf={(row) => `log:${keyText(row)}`}
    />
  )
}

function columns({ log, isOfDevice }: LogData, query: URLSearchParams, nowMs: number): readonly Column<BrowsedRow>[] {
  const filtered = (change: Readonly<Record<string, string>>) =>
    withQuery(query, { ...change, before: null, after: null, format: null })
  const device: Column<BrowsedRow> = {
    id: 'device',
    label: 'Device',
    class: 'lab',
    cell: ({ device_id, device: name }) =>
      device_id === null || name === null ? (
        <span class="sub">–</span>
      ) : (
        <a class="ell" href={`/device/${device_id}`} dir="auto">
          {plain(name)}
        </a>
      ),
  }
  return [
    {
      id: 'at',
      label: 'When',
      class: 'nowrap',
      cell: ({ at, drift }) => (
        <>
          <Time at={at} nowMs={nowMs} clock />
          {drift === null || Math.abs(drift) < WORTH_TELLING_S ? null : (
            <DeviceClock at={at} drift={drift} nowMs={nowMs} />
          )}
        </>
      ),
    },
    {
      id: 'severity',
      label: log === 'alert' ? 'State' : 'Severity',
      class: 'nowrap r',
      cell: ({ severity }) => {
        const [tone, word] = severityOf(log, severity)
        const mark = <Mark tone={tone} label={null} />
        return log === 'alert' || severity === null ? (
          <span class="sev">
            {mark} {word}
          </span>
        ) : (
          <a class="sev" href={filtered({ level: String(severity) })}>
            {mark} {word}
          </a>
        )
      },
    },
    ...(isOfDevice ? [] : [device]),
    {
      id: 'program',
      label: log === 'syslog' ? 'Program' : log === 'alert' ? 'Severity' : 'Type',
      class: 'dim lab',
      cell: ({ program }) =>
        program === null || program === '' ? (
          <span class="sub">–</span>
        ) : (
          <a class="ell quiet" href={filtered({ program })} dir="auto">
            {plain(program)}
          </a>
        ),
    },
    {
      id: 'message',
      label: log === 'alert' ? 'Rule' : 'Message',
      class: 'full',
      cell: ({ message, port_id, port, by }) => (
        <span class="msg" dir="auto">
          {port_id === null ? null : (
            <>
              <a href={`/port/${port_id}`}>{plain(port ?? `port ${port_id}`)}</a>{' '}
            </>
          )}
          {plain((log === 'event' ? eventWords(message ?? '') : (message ?? '')).slice(0, MAX_MESSAGE))}
          {by === null ? null : <span class="sub"> · by {plain(whoWords(by))}</span>}
        </span>
      ),
    },
  ]
}

/** Smaller differences are transmission and rounding, seconds. */
const WORTH_TELLING_S = 5

/** What the clock of the device said, which is not the time at which the message came. */
const DeviceClock = ({ at, drift, nowMs }: { readonly at: Date; readonly drift: number; readonly nowMs: number }) => (
  <small class="sub" title="The time in the message; a clock without time zone is taken to be in the nearest one">
    {' '}
    device: <Time at={new Date(at.getTime() + drift * 1000)} nowMs={nowMs} clock /> ({duration(Math.abs(drift))}{' '}
    {drift < 0 ? 'behind' : 'ahead'})
  </small>
)

/** Longer messages are truncated; the API returns them in full. */
const MAX_MESSAGE = 2000

function Filters({ data, query }: { readonly data: LogData; readonly query: URLSearchParams }): Html {
  const { wanted, log, isOfDevice } = data
  const kept = ['q', 'level', 'program', 'device', 'since', 'to', 'before', 'after']
  const choices = severityChoices(log)
  return (
    <div class="filters">
      <div class="seg" role="group" aria-label="Log">
        {data.logs.map((one) => (
          <a href={one.href} aria-current={one.log === log ? 'true' : null}>
            {LOG_NAMES[one.log]}
          </a>
        ))}
      </div>
      <div class="seg" role="group" aria-label="Range">
        {RANGES.map(([from, label]) => (
          <a
            href={withQuery(query, { from, since: null, to: null, before: null, after: null })}
            aria-current={wanted.to === '' && wanted.from === from ? 'true' : null}
          >
            {label}
          </a>
        ))}
      </div>
      {chipsOf(data, query).map(({ name, label, value }) => (
        <Chip label={label} value={plain(value)} href={withQuery(query, { [name]: null, before: null, after: null })} />
      ))}
      <FilterMenu open={wanted.refused !== null}>
        {keptFields(query, kept)}
        <input type="hidden" name="q" value={wanted.text} />
        {isOfDevice ? null : <FilterText name="device" label="Device: name, id or address" value={wanted.device} />}
        {choices.length === 0 ? null : (
          <FilterChoice
            name="level"
            label="Severity"
            current={wanted.severity === null ? null : String(wanted.severity)}
            options={choices.map(([value, label]) => ({ value, label }))}
          />
        )}
        <FilterText
          name="program"
          label={log === 'syslog' ? 'Program' : log === 'alert' ? 'Severity of the rule' : 'Type'}
          value={wanted.program}
        />
        <TimeField
          id="f-since"
          name="since"
          label="From"
          value={atOf(wanted.fromS, query.has('since'))}
          problem={wanted.refused?.field === 'from' ? wanted.refused.text : null}
        />
        <TimeField
          id="f-to"
          name="to"
          label="Until"
          value={atOf(wanted.toS, true)}
          problem={wanted.refused?.field === 'to' ? wanted.refused.text : null}
        />
      </FilterMenu>
      <QuickFind query={query} text={wanted.text} placeholder="Text in messages" but={['before', 'after']} />
      <button class="btn" type="button" data-do="tail" aria-pressed={wanted.isTail ? 'true' : 'false'} hidden>
        Follow
      </button>
    </div>
  )
}

/** The value of a field for a time; '' if it was not set there. */
const atOf = (seconds: number | null, isSet: boolean) => (seconds === null || !isSet ? '' : fieldTime(seconds))

const shownTime = (seconds: number) => `${fieldTime(seconds).replace('T', ' ')} ${pageZone()}`

function chipsOf({ wanted, log, isOfDevice }: LogData, query: URLSearchParams) {
  const chips = [
    { name: 'device', label: 'device', value: isOfDevice ? '' : wanted.device },
    {
      name: 'level',
      label: 'severity',
      value: severityChoices(log).find(([v]) => Number(v) === wanted.severity)?.[1] ?? '',
    },
    {
      name: 'program',
      label: log === 'syslog' ? 'program' : log === 'alert' ? 'severity' : 'type',
      value: wanted.program,
    },
    { name: 'q', label: 'contains', value: wanted.text },
    { name: 'since', label: 'from', value: query.has('since') && wanted.fromS !== null ? shownTime(wanted.fromS) : '' },
    { name: 'to', label: 'until', value: wanted.toS === null ? '' : shownTime(wanted.toS) },
  ]
  return chips.filter(({ value }) => value !== '')
}
