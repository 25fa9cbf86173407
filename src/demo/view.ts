import { compareOid, encodeOid, isUnder } from '../lib/oid.ts'
import { BerWriter, TAG } from '../snmp/ber.ts'
import { agentCounter, agentNumber, writeAgentValue } from './encode.ts'
import type { Instant } from './instant.ts'
import type { AgentType, AgentTypes, Instance, Live } from './table.ts'

interface Item {
  /** BER contents octets of the OID with instance. */
  readonly oid: Uint8Array
  /** Octets that belong to the object; the rest is the instance. */
  readonly objectOctets: number
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
  /** The encoded varbind if its value never changes. */
  readonly fixed: Uint8Array | null
}

/** Maximum size of a varbind; the longest text of the fleet is a sysDescr. */
const MAX_VARBIND_OCTETS = 4096

const scratch = new BerWriter(MAX_VARBIND_OCTETS)

/** Encodes a varbind with a value. */
function encode(oid: Uint8Array, type: AgentType, value: AgentTypes[AgentType]): Uint8Array {
  scratch.begin()
  const mark = scratch.at
  writeAgentValue(scratch, type, value)
  scratch.primitive(TAG.ObjectIdentifier, oid)
  scratch.wrap(TAG.Sequence, mark)
  return scratch.finish()
}

/** Encodes a varbind without a value: NULL, or an exception of RFC 3416 §3. */
export function encodeEmpty(
  oid: Uint8Array,
  kind: 'Null' | 'noSuchObject' | 'noSuchInstance' | 'endOfMibView',
): Uint8Array {
  scratch.begin()
  const mark = scratch.at
  scratch.primitive(TAG[kind], new Uint8Array(0))
  scratch.primitive(TAG.ObjectIdentifier, oid)
  scratch.wrap(TAG.Sequence, mark)
  return scratch.finish()
}

/** All instances of an agent in order of OIDs. Positions are 0 to `size` - 1. */
export class MibView {
  private readonly items: readonly Item[]

  /** Throws RangeError if two instances have the same OID, which is an error in the device's description. */
  constructor(instances: readonly Instance[]) {
    const objects = new Map<string, number>()
    this.items = instances
      .map((i) => toItem(i, objects))
      .sort((a, b) => compareOid(a.oid, 0, a.oid.length, b.oid, 0, b.oid.length))
    for (const [i, item] of this.items.entries()) {
      const before = this.items[i - 1]
      if (before !== undefined && compareOid(before.oid, 0, before.oid.length, item.oid, 0, item.oid.length) === 0) {
        throw new RangeError(`two instances have the OID of ${instances[i]?.object}`)
      }
    }
  }

  get size(): number {
    return this.items.length
  }

  /** Position of the first instance whose OID is `bytes[start, end)` or follows it. */
  lowerBound(bytes: Uint8Array, start: number, end: number): number {
    let low = 0
    let high = this.items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const item = this.items[middle]
      if (item === undefined || compareOid(item.oid, 0, item.oid.length, bytes, start, end) >= 0) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether the instance at the position has exactly this OID. */
  isAt(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    const item = this.items[position]
    return item !== undefined && compareOid(item.oid, 0, item.oid.length, bytes, start, end) === 0
  }

  /** Whether the OID's object has any instances. `position` is the lower bound of the OID. */
  hasObject(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    return [this.items[position - 1], this.items[position]].some(
      (item) => item !== undefined && isUnder(item.oid.subarray(0, item.objectOctets), bytes, start, end),
    )
  }

  oidAt(position: number): Uint8Array {
    return this.items[position]?.oid ?? new Uint8Array(0)
  }

  /** Whether the instance is a Counter64, which does not exist for SNMPv1 (RFC 3584 §4.2.2.1). */
  isCounter64(position: number): boolean {
    return this.items[position]?.type === 'Counter64'
  }

  /** Position of the instance with this OID in dotted decimal; -1 if there is none. */
  find(oid: string): number {
    const bytes = encodeOid(oid)
    const position = this.lowerBound(bytes, 0, bytes.length)
    return this.isAt(position, bytes, 0, bytes.length) ? position : -1
  }

  /** The number a poller would read at time `t`; NaN: the instance does not exist then or is not a number. */
  numberAt(position: number, t: Instant): number {
    const item = this.items[position]
    const value = item === undefined ? null : valueAt(item, t)
    return item === undefined || value === null ? Number.NaN : agentNumber(item.type, value)
  }

  /** The counter at time `t`; null: the instance does not exist then or is not a counter. */
  counterAt(position: number, t: Instant): bigint | null {
    const item = this.items[position]
    const value = item === undefined ? null : valueAt(item, t)
    return item === undefined || value === null ? null : agentCounter(item.type, value)
  }

  /** The varbind at time `t`; null: the instance does not exist then. */
  varbindAt(position: number, t: Instant): Uint8Array | null {
    const item = this.items[position]
    if (item === undefined) return null
    if (item.fixed !== null) return item.fixed
    const value = valueAt(item, t)
    return value === null ? null : encode(item.oid, item.type, value)
  }
}

function valueAt({ value }: Item, t: Instant): AgentTypes[AgentType] | null {
  return typeof value === 'function' ? value(t) : value
}

function toItem({ object, index, type, value }: Instance, objects: Map<string, number>): Item {
  const oid = encodeOid(`${object}.${index}`)
  let objectOctets = objects.get(object)
  if (objectOctets === undefined) {
    objectOctets = encodeOid(object).length
    objects.set(object, objectOctets)
  }
  return { oid, objectOctets, type, value, fixed: typeof value === 'function' ? null : encode(oid, type, value) }
}
