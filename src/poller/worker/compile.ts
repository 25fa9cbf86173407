import { PRESENCE, type TextReading } from '@portlight/snmp/get.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import type { OidList } from '@portlight/snmp/oid-list.ts'
import type { RowPlan } from '@portlight/snmp/row-sink.ts'
import { createSharedNumbers } from '../../lib/intern-numbers.ts'
import { PRESENT, textReading } from '../../lib/text-readings.ts'
import type { PortPollColumn } from '../../modules/ports/poll.ts'
import type { PollPlan } from '../protocol.ts'
import { createTextCache, type TextCache } from './text-cache.ts'

/** A compiled poll plan: OIDs encoded, columns grouped by use. */
export interface CompiledPlan {
  /** Readings of at most 32 columns each, which run one after the other. */
  readonly rowPlans: readonly RowReading[]
  /** See PollPlan.wide. */
  readonly wide: Uint32Array
  readonly gauges: OidList
  /** How the values at these positions of `gauges` are read; null: all as numbers. */
  readonly readings: ReadonlyMap<number, TextReading> | null
  readonly texts: TextCache
}

export interface RowReading {
  readonly plan: RowPlan
  /** The role of each column. */
  readonly roles: readonly ColumnRole[]
}

export type ColumnRole =
  | { readonly kind: 'counter'; readonly counter: number; readonly narrow: boolean }
  | { readonly kind: 'admin' | 'oper' | 'highSpeed' | 'ifName' | 'ifAlias' | 'ifDescr' }

/** The columns of texts, in the order of the cache's fields. */
export const TEXT_FIELDS = ['ifName', 'ifAlias', 'ifDescr'] as const

const MAX_COLUMNS = 32

/** Columns of plans by their OIDs, shared because most devices have the same. */
const known = new Map<string, readonly Columns[]>()
const MAX_KNOWN = 256

/** At most MAX_COLUMNS columns. */
interface Columns {
  readonly oids: readonly Uint8Array[]
  readonly roles: readonly ColumnRole[]
}

function columnsOf({ columns }: PollPlan): readonly Columns[] {
  const key = columns.map((c) => c.oid).join()
  let found = known.get(key)
  if (found === undefined) {
    found = Array.from({ length: Math.ceil(columns.length / MAX_COLUMNS) }, (_, i) => {
      const part = columns.slice(i * MAX_COLUMNS, (i + 1) * MAX_COLUMNS)
      return { oids: part.map((c) => encodeOid(c.oid)), roles: part.map(roleOf) }
    })
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, found)
  }
  return found
}

function roleOf({ field, bits }: PortPollColumn): ColumnRole {
  if (typeof field === 'number') return { kind: 'counter', counter: field, narrow: bits === 32 }
  switch (field) {
    case 'ifAdminStatus':
      return { kind: 'admin' }
    case 'ifOperStatus':
      return { kind: 'oper' }
    case 'ifHighSpeed':
      return { kind: 'highSpeed' }
    default:
      return { kind: field }
  }
}

/** One copy of equal arrays, because devices of one model have many in common. */
const sharedIndexes = createSharedNumbers<Int32Array>()
const sharedBits = createSharedNumbers<Uint32Array>()
const sharedOctets = createSharedNumbers<Uint8Array>()

export function compile(plan: PollPlan): CompiledPlan {
  const indexes = sharedIndexes(plan.ifIndex)
  const onlyKnown = sparse(indexes)
  const parts = indexes.length > 0 ? columnsOf(plan) : []
  return {
    rowPlans: parts.map(({ oids, roles }) => ({ plan: { columns: oids, indexes, onlyKnown }, roles })),
    wide: sharedBits(plan.wide),
    gauges: { octets: sharedOctets(plan.gauges.octets), ends: sharedBits(plan.gauges.ends) },
    readings: readingsOf(plan),
    texts: createTextCache(indexes.length, TEXT_FIELDS.length),
  }
}

function readingsOf({ texts = [] }: PollPlan): CompiledPlan['readings'] {
  if (texts.length === 0) return null
  return new Map(
    texts.flatMap(([position, how]) => {
      const reading = how === PRESENT ? PRESENCE : textReading(how)
      return reading === null ? [] : [[position, reading] as const]
    }),
  )
}

/** True if there are many more interfaces than ports, so that the rows between them should not be read. */
function sparse(ifIndex: Int32Array): boolean {
  const first = ifIndex[0] ?? 0
  const last = ifIndex.at(-1) ?? 0
  return last - first + 1 > 4 * ifIndex.length
}
