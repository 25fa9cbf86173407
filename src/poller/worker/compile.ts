import { encodeOid } from '../../lib/oid.ts'
import type { OidList } from '../../lib/oid-list.ts'
import { textReading } from '../../lib/text-readings.ts'
import type { PortPollColumn } from '../../modules/ports/poll.ts'
import type { TextReading } from '../../snmp/get.ts'
import type { RowPlan } from '../../snmp/row-sink.ts'
import type { PollPlan } from '../protocol.ts'
import { createTextCache, type TextCache } from './text-cache.ts'

/** A compiled poll plan: OIDs encoded, columns grouped by use. */
export interface CompiledPlan {
  /** Readings of at most 32 columns each, done one after the other. */
  readonly rowPlans: readonly RowReading[]
  /** See PollPlan.wide. */
  readonly wide: Uint32Array
  readonly gauges: OidList
  /** How the answers at these positions of `gauges` are read; null: all as numbers. */
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
  | { readonly kind: 'admin' | 'oper' | 'highSpeed' | 'ifName' | 'ifAlias' }

const MAX_COLUMNS = 32

/** Columns of plans by their OIDs: most devices have the same. */
const known = new Map<string, Columns>()
const MAX_KNOWN = 256

interface Columns {
  readonly oids: readonly Uint8Array[]
  readonly roles: readonly ColumnRole[]
}

function columnsOf({ columns }: PollPlan): Columns {
  const key = columns.map((c) => c.oid).join()
  let found = known.get(key)
  if (found === undefined) {
    found = { oids: columns.map((c) => encodeOid(c.oid)), roles: columns.map(roleOf) }
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

export function compile(plan: PollPlan): CompiledPlan {
  const { oids, roles } = columnsOf(plan)
  const rowPlans: RowReading[] = []
  if (plan.ifIndex.length > 0) {
    for (let from = 0; from < oids.length; from += MAX_COLUMNS) {
      const to = from + MAX_COLUMNS
      rowPlans.push({
        plan: { columns: oids.slice(from, to), indexes: plan.ifIndex, onlyKnown: sparse(plan.ifIndex) },
        roles: roles.slice(from, to),
      })
    }
  }
  return {
    rowPlans,
    wide: plan.wide,
    gauges: plan.gauges,
    readings: readingsOf(plan),
    texts: createTextCache(plan.ifIndex.length, 2),
  }
}

function readingsOf({ texts = [] }: PollPlan): CompiledPlan['readings'] {
  if (texts.length === 0) return null
  return new Map(
    texts.flatMap(([position, how]) => {
      const reading = textReading(how)
      return reading === null ? [] : [[position, reading] as const]
    }),
  )
}

/** Many more interfaces than ports: do not read the rows in between. */
function sparse(ifIndex: Int32Array): boolean {
  const first = ifIndex[0] ?? 0
  const last = ifIndex.at(-1) ?? 0
  return last - first + 1 > 4 * ifIndex.length
}
