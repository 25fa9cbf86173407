import type { Store } from '../../database/client.ts'
import type { Condition, Group } from '../../rules/builder.ts'
import type { RuleReader } from '../../rules/compile.ts'
import { replayOf, usualOf } from '../../rules/over/learned.ts'
import { learnsOf } from '../../rules/over/learns.ts'
import { measureOf } from '../../rules/over/measures.ts'
import { spreadsTest } from '../../rules/over/spreads.ts'
import { concernedBy } from './learning.ts'
import { concernedThings, pastHours, withinTime } from './read-past.ts'

/** How often a condition on what is usual would have been true in the last month. */
export interface PastFirings {
  /** Things of which the past was read, and those of them with enough of a past to know what is usual. */
  readonly things: number
  readonly known: number
  /** There are more things than were read. */
  readonly isPart: boolean
  /** How often it would have begun, on how many things, and for how many hours in all. */
  readonly times: number
  readonly on: number
  readonly hours: number
}

/** Things of which the past is read. */
const MOST_THINGS = 100
const MONTH_S = 30 * 86_400
const TIMEOUT_MS = 3000

/**
 * What a rule with one condition on what is usual would have done in the last month; null: it has none or several, or its
 * past takes too long to read. `devices`: those that it applies to, null for all.
 */
export async function pastFirings(
  store: Store,
  group: Group,
  reader: RuleReader | null,
  devices: readonly number[] | null,
  nowS: number,
): Promise<PastFirings | null> {
  const conditions = unusualOf(group)
  const [condition, second] = conditions
  const isTrue = condition === undefined || second !== undefined ? null : spreadsTest(condition)
  const learns = learnsOf(group).find(
    ({ what, line }) => what === 'usual' && line === measureOf(condition?.field ?? '')?.line,
  )
  if (isTrue === null || learns === undefined) return null
  return await withinTime(store, TIMEOUT_MS, async (at) => {
    const concerned = concernedBy(group, learns, null, reader)
    const found = await concernedThings(at, concerned, learns, { most: MOST_THINGS + 1, devices })
    const ids = found.slice(0, MOST_THINGS).map(({ id }) => id)
    const past = await pastHours(at, learns, ids)
    const replays = ids.flatMap((id) => {
      const hours = past.get(id) ?? []
      const usual = usualOf(hours)
      if (usual.spread.every((spread) => spread === null)) return []
      return [
        replayOf(
          hours.filter((one) => one.at > nowS - MONTH_S),
          usual,
          isTrue,
        ),
      ]
    })
    return {
      things: ids.length,
      known: replays.length,
      isPart: found.length > MOST_THINGS,
      times: replays.reduce((sum, { times }) => sum + times, 0),
      on: replays.filter(({ times }) => times > 0).length,
      hours: replays.reduce((sum, { hours }) => sum + hours, 0),
    }
  })
}

/** The conditions on what is usual. */
function unusualOf(group: Group): Condition[] {
  return group.rules.flatMap((rule) =>
    rule.kind === 'group' ? unusualOf(rule) : rule.over?.kind === 'unusual' ? [rule] : [],
  )
}
