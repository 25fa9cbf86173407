/** @jsxImportSource #jsx */

import type { OpenAlertRow } from '../../core/alerts/alert-list.ts'
import { whoWords } from '../../core/base/actor.ts'
import { isAcknowledged } from '../../core/base/alert-states.ts'
import type { EventRow } from '../../core/lists/service.ts'
import { eventWords } from '../../core/logs/event-words.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import { Mark, Pill, type Tone } from './icon.tsx'
import { count, Empty, plain, Time } from './values.tsx'

const ALERT_WORDS: Readonly<Record<number, string>> = {
  1: 'active',
  2: 'acknowledged',
  3: 'worse',
  4: 'better',
  5: 'changed',
}

/** Open alerts, with the device's name where `device` is set. */
export function Alerts({
  rows,
  nowMs,
  device,
}: {
  readonly rows: readonly OpenAlertRow[]
  readonly nowMs: number
  readonly device: boolean
}): Html {
  return (
    <div class="scroll" tabindex="0" role="region" aria-label="Open alerts">
      <table class="cards" data-walk>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">{device ? 'What and where' : 'What'}</th>
            <th scope="col">Since</th>
            <th scope="col" class="lg">
              Status
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((alert) => (
            <tr data-live={`alert:${alert.id}`}>
              <td>
                <AlertPill alert={alert} />
              </td>
              <td class="o2">
                <a class="name" href={`/alerts/${alert.id}`} dir="auto">
                  {plain(alert.what === '' ? `${alert.device}: ${alert.rule}` : alert.what)}
                </a>
                <span class="l2" dir="auto">
                  {device ? (
                    <>
                      <a href={`/device/${alert.device_id}`}>{plain(alert.device)}</a> ·{' '}
                    </>
                  ) : null}
                  {plain(alert.rule)}
                  {alert.faults > 1 ? `, and ${count(alert.faults - 1)} more` : ''}
                </span>
              </td>
              <td class="nowrap o1">
                <Time at={alert.since} nowMs={nowMs} bare />
              </td>
              <td class="dim no lg">{ALERT_WORDS[alert.state] ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AlertPill({ alert }: { readonly alert: OpenAlertRow }): Html {
  if (isAcknowledged(alert.state)) return <Pill tone="ack">Acknowledged</Pill>
  if (alert.severity === 'critical') return <Pill tone="bad">Critical</Pill>
  return alert.severity === 'warning' ? <Pill tone="warn">Warning</Pill> : <Pill tone="off">Note</Pill>
}

/** Severities of the event log: 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
const eventTone = (severity: number): Tone =>
  severity >= 5 ? 'bad' : severity === 4 ? 'warn' : severity === 1 ? 'ok' : 'off'
const EVENT_WORDS: Readonly<Record<Tone, string>> = {
  bad: 'Error',
  warn: 'Warning',
  ok: 'Good',
  ack: 'Seen',
  off: 'Note',
}

/** Events, latest first. */
export function Events({
  rows,
  nowMs,
  device,
  portId,
}: {
  /** `times`: how many times it happened. */
  readonly rows: readonly (EventRow & { readonly times?: number })[]
  readonly nowMs: number
  readonly device: boolean
  /** The port that the page is about, whose name is then not repeated. */
  readonly portId?: number
}): Html {
  if (rows.length === 0) return <Empty title="No events" help={['reference/pages', 'What the pages show']} />
  return (
    <ul class="past-list">
      {rows.map(({ at, severity, message, device_id, device: name, port_id, port, by, times = 1 }) => (
        <li>
          <Time at={at} nowMs={nowMs} bare />
          <Mark tone={eventTone(severity)} label={EVENT_WORDS[eventTone(severity)]} />
          <div dir="auto">
            {device && device_id !== null ? (
              <>
                <a href={`/device/${device_id}`}>{plain(name ?? '')}</a>{' '}
              </>
            ) : null}
            {port_id !== null && portId !== port_id ? (
              <>
                <a href={`/port/${port_id}`}>{plain(port ?? `port ${port_id}`)}</a>{' '}
              </>
            ) : null}
            {plain(eventWords(message ?? ''))}
            {by === null ? null : <span class="sub"> · by {plain(whoWords(by))}</span>}
            {times === 1 ? null : <span class="sub"> · {times} times</span>}
          </div>
        </li>
      ))}
    </ul>
  )
}
