import { BerWriter, TAG } from '@portlight/snmp/ber.ts'
import { compareOid, encodeOid, isUnder } from '@portlight/snmp/oid.ts'
import { type OidList, packOids, startOf } from '@portlight/snmp/oid-list.ts'
import { agentCounter, agentNumber, writeAgentValue } from './encode.ts'
import type { AgentType, AgentTypes, Instance, Live } from './instance.ts'
import type { Instant } from './instant.ts'

interface Item {
  /** Number of bytes of the encoded OID that belong to the object; the rest is the instance. */
  readonly objectOctets: number
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
}

/** Maximum size of a varbind; the longest text of the fleet is a sysDescr. */
const MAX_VARBIND_OCTETS = 4096

/** Octets of a value that count as text. */
const MAX_TEXT_OCTETS = 255

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

/** All instances of an agent in OID order. Positions are 0 to `size` - 1. */
export class MibView {
  private readonly items: readonly Item[]
  /** The OID with instance of each item. */
  private readonly oids: OidList

  /** Throws RangeError if two instances have the same OID, which is an error in the device's description. */
  constructor(instances: readonly Instance[]) {
    const objects = new Map<string, number>()
    const named = instances
      .map((instance) => ({ oid: encodeOid(`${instance.object}.${instance.index}`), instance }))
      .sort((a, b) => compareOid(a.oid, 0, a.oid.length, b.oid, 0, b.oid.length))
    for (const [i, { oid, instance }] of named.entries()) {
      const before = named[i - 1]?.oid
      if (before !== undefined && compareOid(before, 0, before.length, oid, 0, oid.length) === 0) {
        throw new RangeError(`two instances have the OID of ${instance.object}`)
      }
    }
    this.items = named.map(({ instance }) => toItem(instance, objects))
    this.oids = packOids(named.map(({ oid }) => oid))
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
      if (this.compare(middle, bytes, start, end) >= 0) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether the instance at the position has exactly this OID. */
  isAt(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    return position >= 0 && position < this.size && this.compare(position, bytes, start, end) === 0
  }

  /** Whether the OID's object has any instances. `position` is the lower bound of the OID. */
  hasObject(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    return [position - 1, position].some((at) => {
      const item = this.items[at]
      return item !== undefined && isUnder(this.oidAt(at).subarray(0, item.objectOctets), bytes, start, end)
    })
  }

  oidAt(position: number): Uint8Array {
    return this.oids.octets.subarray(startOf(this.oids, position), this.oids.ends[position] ?? 0)
  }

  private compare(position: number, bytes: Uint8Array, start: number, end: number): number {
    return compareOid(
      this.oids.octets,
      startOf(this.oids, position),
      this.oids.ends[position] as number,
      bytes,
      start,
      end,
    )
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

  /** The number that a poller would read at time `t`; NaN: the instance does not exist then or is not a number. */
  numberAt(position: number, t: Instant): number {
    const item = this.items[position]
    const value = item === undefined ? null : valueAt(item, t)
    return item === undefined || value === null ? Number.NaN : agentNumber(item.type, value)
  }

  /** A text at time `t`, with one character for each octet of octets; null: there is none then. */
  textAt(position: number, t: Instant): string | null {
    const item = this.items[position]
    const value = item === undefined ? null : valueAt(item, t)
    if (typeof value === 'string') return value
    return value instanceof Uint8Array ? String.fromCharCode(...value.subarray(0, MAX_TEXT_OCTETS)) : null
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
    const value = valueAt(item, t)
    return value === null ? null : encode(this.oidAt(position), item.type, value)
  }
}

function valueAt({ value }: Item, t: Instant): AgentTypes[AgentType] | null {
  return typeof value === 'function' ? value(t) : value
}

function toItem({ object, type, value }: Instance, objects: Map<string, number>): Item {
  let objectOctets = objects.get(object)
  if (objectOctets === undefined) {
    objectOctets = encodeOid(object).length
    objects.set(object, objectOctets)
  }
  return { objectOctets, type, value }
}
