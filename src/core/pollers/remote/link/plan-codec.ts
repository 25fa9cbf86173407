import { zstdCompressSync } from 'node:zlib'
import { isId } from '../../../base/ids.ts'
import type { DevicePlan } from '../../../polling/read-plan.ts'
import { isRecord, isTime, MessageError } from './checks.ts'
import { unpack } from './message.ts'

/** A value in a poller's bucket, before it is sealed. */
export interface BucketEntry<T> {
  /** When the centre wrote it, epoch ms. An older entry never replaces a newer one. */
  readonly at: number
  readonly value: T
}

const VERSION = 1

export function encodeEntry(entry: BucketEntry<unknown>): Uint8Array {
  return Buffer.concat([Uint8Array.of(VERSION), zstdCompressSync(Buffer.from(JSON.stringify(entry)))])
}

/** Reverses `encodeEntry`. Throws MessageError for anything that a centre of this version would not write. */
export function decodeEntry(octets: Uint8Array): BucketEntry<unknown> {
  if (octets[0] !== VERSION) throw new MessageError('version', 'the entry has another version')
  const value: unknown = JSON.parse(Buffer.from(unpack(octets.subarray(1))).toString('utf8'))
  if (!isRecord(value) || !isTime(value['at'])) throw new MessageError('garbled', 'the entry is garbled')
  return { at: value['at'], value: value['value'] }
}

/** The plan in an entry. Throws MessageError if it is for another device. */
export function planOf(deviceId: number, value: unknown): DevicePlan {
  if (
    !isRecord(value) ||
    !isId(value['device_id']) ||
    value['device_id'] !== deviceId ||
    !Array.isArray(value['ports'])
  )
    throw new MessageError('garbled', 'the plan is for another device')
  const discovered = value['last_discovered']
  // safe: only the centre can seal an entry, and it wrote a DevicePlan, whose time is the only value that is not JSON
  return {
    ...(value as unknown as DevicePlan),
    last_discovered: typeof discovered === 'string' ? new Date(discovered) : null,
  }
}
