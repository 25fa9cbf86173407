import type { Settings } from '../../../config/schema.ts'
import type { Actor } from '../../base/actor.ts'
import { differences } from '../../base/differences.ts'
import { invalid } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { limitsOf, MAX_PER_MINUTE, MAX_WINDOW_S, type StoredLimits, sendingDefaults } from '../messages/limits.ts'
import { type Grouping, groupingOf } from './grouping.ts'
import type { TransportRow } from './write.ts'
import { updateLimits } from './write.ts'

/** How a transport sends, for display. */
export interface ShownSending {
  /** Whether its kind groups. */
  readonly kind: Grouping
  /** What is stored: true or false; null: as usual for its kind. */
  readonly grouping: boolean | null
  /** Seconds; null: alert.group_window. */
  readonly window: number | null
  /** Messages a minute, 0: no limit; null: alert.rate. */
  readonly rate: number | null
  /** What follows from these, its kind and the settings. Seconds, and messages a minute (0: no limit). */
  readonly now: { readonly grouped: boolean; readonly window: number; readonly rate: number }
}

/** Changes to how a transport sends; absent: unchanged, null: as usual. */
export interface SendingChanges {
  readonly grouping?: boolean | null | undefined
  readonly window?: number | null | undefined
  readonly rate?: number | null | undefined
}

export function shownSending(row: TransportRow, settings: Settings): ShownSending {
  const limits = limitsOf(row.transport_type, row, sendingDefaults(settings))
  return {
    kind: groupingOf(row.transport_type),
    grouping: row.grouping === null ? null : row.grouping === 1,
    window: row.group_window,
    rate: row.rate_per_minute,
    now: { grouped: limits.grouped, window: limits.windowMs / 1000, rate: limits.perMinute },
  }
}

interface Deps {
  readonly store: Store
  /** The transport with a name or id; throws `not_found`. */
  readonly named: (ref: string) => Promise<TransportRow>
  readonly record: (by: Actor, name: string, message: string) => Promise<void>
}

export function createTransportLimits({ store, named, record }: Deps) {
  return {
    /** Changes how a transport sends. Throws `not_found`, `invalid`. */
    async limit(ref: string, changes: SendingChanges, by: Actor): Promise<void> {
      const row = await named(ref)
      if (changes.grouping === true && groupingOf(row.transport_type) === 'never')
        throw invalid(
          `Transports of kind ${row.transport_type} do not group: their receivers keep an incident or a state for each alert`,
        )
      const before = limitsIn(row)
      const after: StoredLimits = {
        grouping: changes.grouping === undefined ? before.grouping : flagOf(changes.grouping),
        group_window:
          changes.window === undefined ? before.group_window : within('window', changes.window, MAX_WINDOW_S),
        rate_per_minute:
          changes.rate === undefined ? before.rate_per_minute : within('rate', changes.rate, MAX_PER_MINUTE),
      }
      await updateLimits(store, row.transport_id, after)
      const what = differences({ ...before }, { ...after })
      if (what !== '') await record(by, row.transport_name, `Transport ${row.transport_name}: ${what}`)
    },
  }
}

const flagOf = (value: boolean | null) => (value === null ? null : value ? 1 : 0)

const limitsIn = ({ grouping, group_window, rate_per_minute }: TransportRow): StoredLimits => ({
  grouping,
  group_window,
  rate_per_minute,
})

function within(name: 'window' | 'rate', value: number | null, most: number): number | null {
  if (value === null || (Number.isInteger(value) && value >= 0 && value <= most)) return value
  throw invalid(`${name}: expected a whole number from 0 to ${most}`)
}
