import { failureText } from '@portlight/snmp/failure.ts'
import type { Contact } from '../core/base/gateway.ts'
import { attributeWords } from '../core/devices/attribute-words.ts'
import type { DeviceExplanation } from '../core/devices/explain.ts'
import { foundText } from '../core/devices/found-words.ts'
import { DEVICE_SECRETS, type DeviceRow, deviceRecord } from '../core/records/device.ts'
import { oneLine } from '../lib/one-line.ts'
import { probeSettingsText } from './address-report.ts'
import { eventText, everyText, lastText, moduleLines } from './explain-labels.ts'
import type { Cell } from './output.ts'

/** The record with its community and passwords masked. */
export function withoutDeviceSecrets(row: DeviceRow): Record<string, string | number | null> {
  return Object.fromEntries(Object.entries(deviceRecord(row)).map(([name, value]) => [name, masked(name, value)]))
}

/** A list of records as JSON text, with communities and passwords masked. */
export function withoutListedSecrets(json: string): string {
  // Safe: the store produced the text from device records.
  const rows = JSON.parse(json) as readonly Readonly<Record<string, unknown>>[]
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, masked(name, value)]))),
  )
}

const masked = <T>(name: string, value: T): T | string =>
  DEVICE_SECRETS.has(name) && value !== null && value !== '' ? '********' : value

/** A device record of a list. */
type ListedDevice = Readonly<Record<string, string | number | null>> & {
  readonly device_id: number
  readonly hostname: string
}

/** Rows of `device list`, from device records as JSON text. */
export function deviceTable(json: string): { heading: string[]; rows: Cell[][] } {
  // Safe: the store produced the text from device records.
  const devices = JSON.parse(json) as readonly ListedDevice[]
  const rows = devices.map((device) => [
    device.device_id,
    device.hostname,
    cell(device['sysName']),
    cell(device['os']),
    deviceStatus(device),
    cell(device['last_polled']),
  ])
  return { heading: ['ID', 'HOSTNAME', 'SYSNAME', 'OS', 'STATUS', 'LAST POLLED'], rows }
}

function deviceStatus(device: ListedDevice): string {
  if (device['disabled'] === 1) return 'disabled'
  if (device['status'] === 1) return 'up'
  const reason = device['status_reason']
  if (!reason && device['last_polled'] === null) return 'unknown (not polled yet)'
  return reason ? `down (${reason})` : 'down'
}

function cell(value: string | number | null | undefined): Cell {
  return value === undefined || value === '' ? null : value
}

/** Lines with the title in front of the first one. */
function titled(title: string, texts: readonly string[]): [string, string][] {
  return texts.map((text, i) => [i === 0 ? title : '', text])
}

/** The output of `device explain`. `now`: ms since 1970. */
export function explanationText(explained: DeviceExplanation, now = Date.now()): string {
  const { device, display, identity, snmp, schedule, found } = explained
  const lines: [string, string][] = [
    ['device', `${device.hostname} (id ${device.device_id}${display === device.hostname ? '' : `, ${display}`})`],
    ['status', statusText(explained)],
    ...failureLine(explained),
    ['identity', [identity.os ?? 'os unknown', identity.sysName, identity.sysDescr].filter((t) => t).join(', ')],
    ['sysObjectID', identity.sysObjectID ?? 'unknown'],
    [
      'snmp',
      snmp.disabled
        ? 'off for this device'
        : `${snmp.version} ${snmp.transport} port ${snmp.port}${snmp.anySource ? ', answers from any address and port' : ''}, ${snmp.credentials}`,
    ],
    ['settings', probeSettingsText(explained.settings)],
    ['now', nowText(explained.now)],
    ['polled', `${everyText(schedule.pollEveryS)}; ${lastText(schedule.lastPolled, schedule.lastPolledTookS, now)}`],
    ['discovered', lastText(schedule.lastDiscovered, schedule.lastDiscoveredTookS, now)],
    ['found', foundText(found)],
    ...titled(
      'not stored',
      explained.unstored.map(({ reason, since }) => `${reason}; since ${since}`),
    ),
    ...titled('modules', moduleLines(explained.modules)),
    ...titled('overrides', explained.attributes.map(attributeWords)),
    ...titled(
      'events',
      explained.events.map((event) => eventText(event, now)),
    ),
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${oneLine(text)}`).join('\n')
}

function statusText({ up, statusReason, disabled, ignored }: DeviceExplanation): string {
  const status = up ? 'up' : statusReason === '' ? 'unknown: not polled yet' : `down: ${statusReason}`
  const flags = [disabled && 'disabled: not polled', ignored && 'ignored: no alerts'].filter((flag) => flag !== false)
  return [status, ...flags].join('; ')
}

function failureLine({ failure }: DeviceExplanation): [string, string][] {
  return failure === null ? [] : [['reason', `${failureText(failure.failure)}; since ${failure.since}`]]
}

function nowText({ by, problem, ...now }: DeviceExplanation['now']): string {
  if (by === null) return contactText(now)
  return `from poller ${by}: ${problem ?? contactText(now)}`
}

function contactText({ address, ping, probe }: Contact): string {
  if (address === null) return 'the name does not resolve'
  const icmp =
    ping === null
      ? 'not pinged'
      : ping.kind === 'answer'
        ? `answers ping in ${ping.rttMs.toFixed(1)} ms`
        : ping.kind === 'silent'
          ? 'does not answer ping'
          : 'this host cannot ping'
  const snmp =
    probe === null ? 'SNMP not asked' : probe.kind === 'answer' ? 'answers SNMP' : `SNMP: ${failureText(probe.failure)}`
  return `${address} ${icmp}, ${snmp}`
}
