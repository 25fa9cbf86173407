import { failureText, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import { type ModuleSwitch, moduleSwitch } from '../../config/switches.ts'
import { isoTime, localTime } from '../../lib/record-times.ts'
import type { Contact, Gateway, SnmpTarget } from '../base/gateway.ts'
import { SECRET_ATTRIBUTE } from '../base/secret-attributes.ts'
import type { Store } from '../database/client.ts'
import type { DeviceRow } from '../records/device.ts'
import { type ProbeSetting, probeSettings } from './probe-settings.ts'
import type { DeviceKey } from './read.ts'
import { type DeviceSummary, deviceFacts } from './read-facts.ts'
import { readDevice } from './read-record.ts'

export { failureText }

/** Explains why a device is or is not monitored. Contains no secrets. */
export interface DeviceExplanation {
  readonly device: DeviceKey
  readonly display: string
  readonly up: boolean
  /** Failing checks, '' when up. */
  readonly statusReason: string
  /**
   * The reason the last polls were incomplete, and since when (local time); null: they were complete, or there were
   * none.
   */
  readonly failure: { readonly since: string; readonly failure: SnmpFailure } | null
  /** What it reported and could not be stored, and since when (local time). */
  readonly unstored: readonly { readonly since: string; readonly reason: string }[]
  readonly disabled: boolean
  readonly ignored: boolean
  readonly identity: { os: string | null; sysName: string; sysDescr: string | null; sysObjectID: string | null }
  readonly snmp: {
    version: string
    port: number
    transport: string
    disabled: boolean
    /** Answers are accepted from any address and port. */
    anySource: boolean
    credentials: string
  }
  /** Result of contacting the device now, from this process or the poller that has it. */
  readonly now: Contact & {
    /** Name of the other poller that tried; null: this process did. */
    readonly by: string | null
    /** The reason that poller did not answer; null: it did. */
    readonly problem: string | null
  }
  readonly schedule: {
    readonly pollEveryS: number
    readonly lastPolled: string | null
    readonly lastPolledTookS: number
    readonly lastDiscovered: string | null
    readonly lastDiscoveredTookS: number
  }
  /** Those of this process that decide how devices are contacted. */
  readonly settings: readonly ProbeSetting[]
  readonly found: DeviceSummary['found']
  readonly modules: DeviceSummary['modules']
  readonly attributes: DeviceSummary['attributes']
  /** Latest first; times are local. */
  readonly events: readonly (Omit<DeviceSummary['events'][number], 'datetime'> & { readonly datetime: string })[]
}

const NOT_TRIED: Contact = { address: null, ping: null, probe: null }

/** What of a device an explanation says. */
interface ExplanationParts {
  /** Contact it, or only say what is stored. */
  readonly live: boolean
  /** Name the user of SNMPv3, which is part of the credentials. */
  readonly userName: boolean
  /** Say what happened. */
  readonly events: boolean
}

const SECRET = new RegExp(SECRET_ATTRIBUTE, 'i')

/** Combines stored facts with a ping and an SNMP probe of the device. */
export async function explainDevice(
  { store, settings, gateway }: { store: Store; settings: Settings; gateway: Gateway },
  device: DeviceKey,
  { live, userName, events }: ExplanationParts,
): Promise<DeviceExplanation> {
  const [record, facts] = await Promise.all([
    readDevice(store, device.device_id, { secrets: true }),
    deviceFacts(store, device.device_id),
  ])
  const text = (name: keyof DeviceRow) => (typeof record?.[name] === 'string' ? record[name] : null)
  const number = (name: keyof DeviceRow) => Number(record?.[name] ?? 0)
  const transport = text('transport') ?? 'udp'
  const snmpDisabled = number('snmp_disable') === 1
  async function here(): Promise<Contact> {
    const address = text('overwrite_ip') || device.hostname
    const resolved = await gateway.resolve(address, transport.endsWith('6') ? 6 : 'any')
    const [ping, probe] = await Promise.all([
      resolved === null ? null : gateway.ping(resolved),
      resolved === null || snmpDisabled
        ? null
        : gateway.probe({ ...target(resolved, text, record), ...(facts.anySource && { anySource: true }) }),
    ])
    return { address: resolved, ping, probe }
  }
  async function tried(): Promise<DeviceExplanation['now']> {
    if (!live) return { ...NOT_TRIED, by: null, problem: null }
    const elsewhere = await gateway.contact(device.device_id)
    if (elsewhere === null) return { ...(await here()), by: null, problem: null }
    const { by, result } = elsewhere
    return typeof result === 'string' ? { ...NOT_TRIED, by, problem: result } : { ...result, by, problem: null }
  }
  const version = text('snmpver') ?? 'v2c'
  return {
    device,
    display: text('display') ?? '',
    up: number('status') === 1,
    statusReason: text('status_reason') ?? '',
    failure: facts.failure && { ...facts.failure, since: localTime(facts.failure.since) },
    unstored: facts.unstored.map(({ reason, since }) => ({ reason, since: localTime(since) })),
    disabled: number('disabled') === 1,
    ignored: number('ignore') === 1,
    identity: {
      os: text('os'),
      sysName: text('sysName') ?? '',
      sysDescr: text('sysDescr'),
      sysObjectID: text('sysObjectID'),
    },
    snmp: {
      version,
      port: number('port'),
      transport,
      disabled: snmpDisabled,
      anySource: facts.anySource,
      credentials:
        version === 'v3'
          ? `${text('authlevel') ?? 'noAuthNoPriv'} ${userNameText(text('authname') ?? '', userName)}`
          : text('community') === null
            ? 'no community'
            : 'community stored',
    },
    now: await tried(),
    schedule: {
      pollEveryS: facts.pollInterval ?? settings.get('poller.interval'),
      lastPolled: iso(record?.last_polled),
      lastPolledTookS: number('last_polled_timetaken'),
      lastDiscovered: iso(record?.last_discovered),
      lastDiscoveredTookS: number('last_discovered_timetaken'),
    },
    settings: probeSettings(settings),
    found: facts.found,
    modules: withSwitches(facts, text('os'), settings),
    attributes: facts.attributes.map(({ name, value }) => ({ name, value: SECRET.test(name) ? 'hidden' : value })),
    events: events ? facts.events.map((event) => ({ ...event, datetime: localTime(event.datetime) })) : [],
  }
}

const userNameText = (name: string, told: boolean): string =>
  name === '' ? 'no user name' : told ? name : 'user name stored'

const iso = (epochS: number | null | undefined) => (epochS == null ? null : isoTime(epochS))

/** Adds to the note of each disabled module what disabled it. */
function withSwitches(facts: DeviceSummary, os: string | null, settings: Settings): DeviceSummary['modules'] {
  const switches = Object.fromEntries(facts.attributes.map(({ name, value }) => [name, isYes(value)]))
  return facts.modules.map((row) => {
    const device = { os, switches, groups: facts.groups }
    const discover = moduleSwitch(row.module, 'discover', device, settings)
    const poll = moduleSwitch(row.module, 'poll', device, settings)
    const notes = [
      row.note,
      discover.on || row.module === 'system' ? '' : `not discovered: ${offBy(discover)}`,
      poll.on ? '' : `not polled: ${offBy(poll)}`,
    ]
    return { ...row, note: notes.filter((note) => note !== '').join('; ') }
  })
}

const offBy = ({ by }: ModuleSwitch): string => (by === null ? 'off by default' : `switched off by ${by}`)

/** Interprets an attribute as the poller does. */
function isYes(value: string): boolean {
  return ['1', 'true'].includes(value.toLowerCase())
}

function target(address: string, text: (name: keyof DeviceRow) => string | null, record: DeviceRow | null): SnmpTarget {
  const version = text('snmpver')
  const level = text('authlevel')
  return {
    address,
    port: record?.port ?? 161,
    transport: address.includes(':') ? 'udp6' : 'udp',
    snmpver: version === 'v1' || version === 'v3' ? version : 'v2c',
    community: text('community'),
    authlevel: level === 'noAuthNoPriv' || level === 'authNoPriv' || level === 'authPriv' ? level : null,
    authname: text('authname'),
    authpass: text('authpass'),
    authalgo: text('authalgo'),
    cryptopass: text('cryptopass'),
    cryptoalgo: text('cryptoalgo'),
    timeout: record?.timeout ?? null,
    retries: record?.retries ?? null,
  }
}
