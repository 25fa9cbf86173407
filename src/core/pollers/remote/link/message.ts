import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { detailOf, failureFrom, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Observation } from '../../../../modules/observation.ts'
import type { PortStatus } from '../../../../modules/ports/observation.ts'
import { PORT_STATUSES } from '../../../../modules/ports/observation.ts'
import type { SampleBatch } from '../../../../series/samples.ts'
import type { StatusChange } from '../../../availability/write.ts'
import { isId } from '../../../base/ids.ts'
import type { FailureChange } from '../../../devices/write-failures.ts'
import type { DiscoveryRun, PortChange } from '../../../discovery/write.ts'
import type { ModuleReport } from '../../../polling/read-modules.ts'
import { isRecord, isTime, MessageError } from './checks.ts'
import { decodeSamples, encodeSamples } from './samples-codec.ts'

/** What a remote poller delivers: everything that `Centre` accepts. Each message is stored in one transaction. */
export type Delivery =
  | { readonly kind: 'samples'; readonly batch: SampleBatch }
  | {
      readonly kind: 'discovery'
      readonly deviceId: number
      readonly observations: readonly Observation[]
      /** Null: observed by a poll. */
      readonly ended: { readonly run: DiscoveryRun; readonly modules: readonly ModuleReport[] } | null
    }
  | { readonly kind: 'ports'; readonly deviceId: number; readonly changes: readonly PortChange[] }
  | ({ readonly kind: 'status' } & Omit<StatusChange, 'considerMaintenance'>)
  | ({ readonly kind: 'failure' } & Required<FailureChange>)
  | { readonly kind: 'reboot'; readonly deviceId: number; readonly beforeS: number; readonly at: number }
  | {
      readonly kind: 'event'
      readonly deviceId: number
      readonly message: string
      readonly severity: 1 | 4 | 5
      readonly at: number
    }

/** Version of the encoding, the first byte of each message. A centre reads its own version and earlier ones. */
export const MESSAGE_VERSION = 1
/** Maximum bytes of a message uncompressed, and compressed. */
const MAX_UNPACKED = 64 * 1024 * 1024
export const MAX_PACKED = 16 * 1024 * 1024
const SAMPLES = 1
const JSON_TEXT = 2
const MAX_TEXT = 1000
const MAX_LIST = 500_000

/** Encodes a delivery: a byte for the version, one for the form, and the compressed content. */
export function encodeDelivery(delivery: Delivery): Uint8Array {
  const samples = delivery.kind === 'samples'
  const plain = samples ? encodeSamples(delivery.batch) : Buffer.from(JSON.stringify(jsonOf(delivery)))
  return Buffer.concat([Uint8Array.of(MESSAGE_VERSION, samples ? SAMPLES : JSON_TEXT), zstdCompressSync(plain)])
}

/** Reverses `encodeDelivery`. Throws MessageError for anything that a poller of this version would not write. */
export function decodeDelivery(octets: Uint8Array): Delivery {
  const [version, form] = octets
  if (version !== MESSAGE_VERSION)
    throw new MessageError(
      'version',
      `the message has version ${version}, but this program reads version ${MESSAGE_VERSION}`,
    )
  const plain = unpack(octets.subarray(2))
  if (form === SAMPLES) return { kind: 'samples', batch: decodeSamples(plain) }
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(plain).toString('utf8'))
  } catch {
    throw garbled('not JSON')
  }
  return deliveryOf(value)
}

/** Decompresses. Throws MessageError. */
export function unpack(packed: Uint8Array): Uint8Array {
  if (packed.length > MAX_PACKED) throw new MessageError('too_large', 'the message is too large')
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_UNPACKED })
  } catch {
    throw garbled('it cannot be decompressed, or is too large')
  }
}

/** A failure is written as stored kind and detail, so that either end may know more kinds than the other. */
function jsonOf(delivery: Exclude<Delivery, { kind: 'samples' }>): unknown {
  if (delivery.kind !== 'failure') return delivery
  const { failure } = delivery
  return { ...delivery, failure: failure === null ? null : [failure.kind, detailOf(failure)] }
}

function deliveryOf(value: unknown): Delivery {
  if (!isRecord(value) || !isId(value['deviceId'])) throw garbled('no device')
  const { kind, deviceId, at, observations, ended, changes, up, reason, failure, event, beforeS, message, severity } =
    value
  switch (kind) {
    case 'discovery':
      return { kind, deviceId, observations: list(observations).map(observationOf), ended: endedOf(ended) }
    case 'ports':
      return { kind, deviceId, changes: list(changes).map(portChangeOf) }
    case 'status':
      if (typeof up !== 'boolean' || !isText(reason) || !isTime(at)) throw garbled('status')
      return { kind, deviceId, up, reason, at }
    case 'failure':
      if (typeof event !== 'boolean' || !isTime(at)) throw garbled('failure')
      return { kind, deviceId, failure: failureOf(failure), event, at }
    case 'reboot':
      if (typeof beforeS !== 'number' || !(beforeS >= 0 && beforeS < 2 ** 40) || !isTime(at)) throw garbled('reboot')
      return { kind, deviceId, beforeS, at }
    case 'event':
      if (!isText(message) || (severity !== 4 && severity !== 5) || !isTime(at)) throw garbled('event')
      return { kind, deviceId, message, severity, at }
    default:
      throw garbled('unknown kind')
  }
}

function failureOf(value: unknown): SnmpFailure | null {
  if (value === null) return null
  const [kind, detail] = list(value)
  if (!isText(kind) || !isText(detail)) throw garbled('failure')
  return failureFrom(kind, detail)
}

/** Checks only the form: the inventory writer checks each value of the rows, as it does for those of an agent. */
function observationOf(value: unknown): Observation {
  if (!isRecord(value) || !isText(value['kind'])) throw garbled('observation')
  const { kind, complete, rows, malformed } = value
  if (kind !== 'system' && (typeof complete !== 'boolean' || !list(rows).every(isRecord))) throw garbled('observation')
  if (malformed !== undefined && !list(malformed).every(isText)) throw garbled('observation')
  // safe: the writer stores known columns by name and kinds by declaration; a wrong type fails the transaction
  return value as unknown as Observation
}

function endedOf(value: unknown): { run: DiscoveryRun; modules: ModuleReport[] } | null {
  if (value === null) return null
  if (!isRecord(value) || !isRecord(value['run'])) throw garbled('discovery')
  const { tookMs, complete } = value['run']
  if (!isAmount(tookMs) || typeof complete !== 'boolean') throw garbled('discovery')
  const modules = list(value['modules']).map((module): ModuleReport => {
    if (!isRecord(module)) throw garbled('module')
    const { name, rows, requests, tookMs, note, complete } = module
    if (!isText(name) || !isText(note) || !isAmount(rows) || !isAmount(requests) || !isAmount(tookMs))
      throw garbled('module')
    return { name, rows, requests, tookMs, note, complete: complete === true }
  })
  return { run: { tookMs, complete }, modules }
}

const STATUSES: ReadonlySet<unknown> = new Set(PORT_STATUSES.filter((status) => status !== null))

function portChangeOf(value: unknown): PortChange {
  if (!isRecord(value) || !isId(value['port_id'])) throw garbled('change of a port')
  const { port_id, ifAdminStatus, ifOperStatus, ifSpeed, ifHighSpeed, ifName, ifAlias } = value
  return {
    port_id,
    ...optional('ifAdminStatus', ifAdminStatus, isStatus),
    ...optional('ifOperStatus', ifOperStatus, isStatus),
    ...optional('ifSpeed', ifSpeed, isAmount),
    ...optional('ifHighSpeed', ifHighSpeed, isAmount),
    ...optional('ifName', ifName, isText),
    ...optional('ifAlias', ifAlias, isText),
  }
}

function optional<K extends string, T>(
  name: K,
  value: unknown,
  check: (value: unknown) => value is T,
): { readonly [P in K]?: T } {
  if (value === undefined) return {}
  if (!check(value)) throw garbled('change of a port')
  return { [name]: value } as { readonly [P in K]?: T }
}

function isStatus(value: unknown): value is PortStatus {
  return STATUSES.has(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 53
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_LIST) throw garbled('list')
  return value
}

function garbled(what: string): MessageError {
  return new MessageError('garbled', `the message is garbled: ${what}`)
}
