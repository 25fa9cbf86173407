import { compareOid, encodeOid, isUnder } from '../lib/oid.ts'
import { BerWriter, TAG } from '../snmp/ber.ts'
import { writeAgentValue } from './encode.ts'
import type { Instant } from './instant.ts'
import type { AgentType, AgentTypes, Instance, Live } from './table.ts'

interface Item {
  /** BER contents octets of the OID with instance. */
  readonly oid: Uint8Array
  /** How many of them are the object's: the rest is the instance. */
  readonly objectOctets: number
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
  /** The whole varbind, where its value never changes. */
  readonly fixed: Uint8Array | null
}

/** Longest varbind of an agent; the longest text of the fleet is a sysDescr. */
const MAX_VARBIND_OCTETS = 4096

const scratch = new BerWriter(MAX_VARBIND_OCTETS)

/** One varbind with a value of a type that the agent knows. */
function encode(oid: Uint8Array, type: AgentType, value: AgentTypes[AgentType]): Uint8Array {
  scratch.begin()
  const mark = scratch.at
  writeAgentValue(scratch, type, value)
  scratch.primitive(TAG.ObjectIdentifier, oid)
  scratch.wrap(TAG.Sequence, mark)
  return scratch.finish()
}

/** One varbind without a value: NULL, or an exception of RFC 3416 §3. */
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

/** Everything that an agent has, in the order of the OIDs. Positions are 0 to `size` - 1. */
export class MibView {
  private readonly items: readonly Item[]

  /** Throws RangeError where two instances have one OID: a mistake in the description of a device. */
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

  /** Position of the first instance whose OID is that of `bytes[start, end)` or behind it. */
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

  /** True when the instance at the position has exactly this OID. */
  isAt(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    const item = this.items[position]
    return item !== undefined && compareOid(item.oid, 0, item.oid.length, bytes, start, end) === 0
  }

  /** True when the OID is of an object that has instances, whether or not this is one. `position` is its lower bound. */
  hasObject(position: number, bytes: Uint8Array, start: number, end: number): boolean {
    return [this.items[position - 1], this.items[position]].some(
      (item) => item !== undefined && isUnder(item.oid.subarray(0, item.objectOctets), bytes, start, end),
    )
  }

  oidAt(position: number): Uint8Array {
    return this.items[position]?.oid ?? new Uint8Array(0)
  }

  /** SNMPv1 has no Counter64 (RFC 3584 §4.2.2.1): for it these instances do not exist. */
  isCounter64(position: number): boolean {
    return this.items[position]?.type === 'Counter64'
  }

  /** The varbind at the moment; `null` when the instance does not exist then. */
  varbindAt(position: number, t: Instant): Uint8Array | null {
    const item = this.items[position]
    if (item === undefined) return null
    if (item.fixed !== null) return item.fixed
    const value = typeof item.value === 'function' ? item.value(t) : item.value
    return value === null ? null : encode(item.oid, item.type, value)
  }
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
