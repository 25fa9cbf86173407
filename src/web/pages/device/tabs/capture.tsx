/** @jsxImportSource #jsx */

import { attributeWords } from '../../../../core/devices/attribute-words.ts'
import { type DeviceExplanation, failureText } from '../../../../core/devices/explain.ts'
import { foundText } from '../../../../core/devices/found-words.ts'
import { millis } from '../../../../core/devices/steps.ts'
import { eventWords } from '../../../../core/logs/event-words.ts'
import { Mark, type Tone } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { Card, count, duration, Empty, plain, secondsText, Time } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import { tab } from '../tab.ts'

interface CaptureData {
  readonly explained: DeviceExplanation
  /** Whether the device was queried for this page. */
  readonly live: boolean
}

/** Why a device is read or not: what was requested, what was answered, and what followed. Without secrets. */
export const captureTab = tab<CaptureData>({
  id: 'capture',
  label: 'Capture',
  gate: 'Device.viewAny',
  async load({ services, actor, query }, { deviceId }) {
    const live = query.get('now') !== null
    return { explained: await services.devices.explain(actor, String(deviceId), { live }), live }
  },
  view: ({ explained, live }, { query, nowMs }, { deviceId }) => (
    <div class="cols">
      <div class="stack">
        <Card title="Modules" sub="what the last discovery requested and found, most requests first">
          {explained.modules.length === 0 ? (
            <Empty
              title="Not discovered yet"
              help={['how-to/troubleshooting#a-device-does-not-answer', 'When a device does not answer']}
            />
          ) : (
            <Table columns={COLUMNS} rows={explained.modules} query={query} caption="Modules of the last discovery" />
          )}
        </Card>
        <Card title="The same as text" sub="for a ticket; contains no secrets">
          <pre class="pre wrap" id="capture-text" tabindex="0">
            {textOf(explained)}
          </pre>
          <div class="body">
            <button class="btn s-s" type="button" data-copy="capture-text" hidden>
              Copy
            </button>
          </div>
        </Card>
      </div>
      <div class="stack">
        <Now explained={explained} live={live} deviceId={deviceId} />
        <Card title="Stored">
          <dl class="facts">
            {factsOf(explained).map(([label, value]) => (
              <>
                <dt>{label}</dt>
                <dd dir="auto">
                  <Dated text={plain(value)} nowMs={nowMs} />
                </dd>
              </>
            ))}
          </dl>
        </Card>
      </div>
    </div>
  ),
})

const COLUMNS: readonly Column<DeviceExplanation['modules'][number]>[] = [
  { id: 'module', label: 'Module', cell: ({ module }) => <span class="name">{plain(module)}</span> },
  { id: 'rows', label: 'Rows', numeric: true, cell: ({ rows }) => count(rows) },
  { id: 'requests', label: 'Requests', numeric: true, cell: ({ requests }) => count(requests) },
  { id: 'took', label: 'Took', numeric: true, cell: ({ tookMs }) => millis(tookMs) },
  { id: 'note', label: 'Note', class: 'full', cell: ({ note }) => <span dir="auto">{plain(note)}</span> },
]

function Now({
  explained: { now, snmp },
  live,
  deviceId,
}: {
  readonly explained: DeviceExplanation
  readonly live: boolean
  readonly deviceId: number
}): Html {
  const by: readonly (readonly [Tone, string, string])[] =
    now.by === null ? [] : [[now.problem === null ? 'ok' : 'bad', 'Poller', plain(now.by)]]
  const lines: readonly (readonly [Tone, string, string])[] =
    now.problem !== null
      ? [...by, ['bad', 'Answer', plain(now.problem)]]
      : now.address === null
        ? [...by, ['bad', 'Name', 'does not resolve']]
        : [
            ...by,
            ['ok', 'Address', now.address],
            now.ping?.kind === 'answer'
              ? ['ok', 'Ping', `answers in ${millis(now.ping.rttMs)}`]
              : ['off', 'Ping', now.ping?.kind === 'silent' ? 'no answer' : 'this host may not send pings'],
            now.probe === null
              ? ['off', 'SNMP', snmp.disabled ? 'off for this device' : 'not queried']
              : now.probe.kind === 'answer'
                ? ['ok', 'SNMP', `answers as ${now.probe.sysName ?? 'unknown'}, detected as ${now.probe.os}`]
                : ['bad', 'SNMP', failureText(now.probe.failure)],
          ]
  return (
    <Card
      title="Now"
      right={
        <a class="btn s-s" href={`/device/${deviceId}/capture?now`}>
          Query the device
        </a>
      }
    >
      {live ? (
        <ul class="probe">
          {lines.map(([tone, what, result]) => (
            <li>
              <Mark tone={tone} label={tone === 'ok' ? 'OK' : tone === 'bad' ? 'Failed' : 'Skipped'} />
              <span dir="auto">
                {what} <span class="sub">{plain(result)}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="hint body">
          The stored data is shown below. Querying the device takes as long as it takes to answer.
        </p>
      )}
    </Card>
  )
}

/** Text in which ISO 8601 times are shown in the zone of the page. */
function Dated({ text, nowMs }: { readonly text: string; readonly nowMs: number }): Html {
  const parts = text.split(/(\d{4}-\d\d-\d\dT[\d:.]{8,20}Z)/)
  return <>{parts.map((part, i) => (i % 2 === 1 ? <Time at={new Date(part)} nowMs={nowMs} clock /> : part))}</>
}

function factsOf(explained: DeviceExplanation): readonly (readonly [string, string])[] {
  const { identity, snmp, schedule, found, failure, attributes } = explained
  const last = (at: string | null, took: number) => (at === null ? 'never' : `${at}, took ${secondsText(took)}`)
  const facts: readonly (readonly [string, string])[] = [
    [
      'State',
      explained.disabled
        ? 'disabled: not polled'
        : explained.up
          ? 'up'
          : explained.statusReason === ''
            ? 'unknown: not polled yet'
            : `down: ${explained.statusReason}`,
    ],
    ['Why incomplete', failure === null ? '' : `${failureText(failure.failure)}, since ${failure.since}`],
    ['Not stored', explained.unstored.map(({ reason, since }) => `${reason}, since ${since}`).join('; ')],
    ['System', identity.os ?? 'unknown'],
    ['sysName', identity.sysName],
    ['sysDescr', identity.sysDescr ?? ''],
    ['sysObjectID', identity.sysObjectID ?? 'unknown'],
    ['SNMP', snmp.disabled ? 'off' : `${snmp.version}, ${snmp.transport} port ${snmp.port}, ${snmp.credentials}`],
    ['Polled', `every ${duration(schedule.pollEveryS)}; ${last(schedule.lastPolled, schedule.lastPolledTookS)}`],
    ['Discovered', last(schedule.lastDiscovered, schedule.lastDiscoveredTookS)],
    ['Found', foundText(found)],
    ['Overrides', attributes.map(attributeWords).join(', ')],
  ]
  return facts.filter(([, value]) => value !== '')
}

function textOf(explained: DeviceExplanation): string {
  const modules = explained.modules.map(
    ({ module, rows, requests, tookMs, note }) =>
      `${module}: ${rows} rows, ${requests} requests, ${millis(tookMs)}${note === '' ? '' : `; ${note}`}`,
  )
  const events = explained.events.map(({ datetime, message }) => `${datetime} ${eventWords(message ?? '')}`)
  const facts = factsOf(explained).map(([label, value]) => `${label}: ${value}`)
  return [
    `Device ${explained.device.hostname} (id ${explained.device.device_id})`,
    ...facts,
    '',
    ...modules,
    '',
    ...events,
  ]
    .map((line) => plain(line.replaceAll('\n', ' ')))
    .join('\n')
}
