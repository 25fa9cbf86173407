/** @jsxImportSource #jsx */
import type { OnCallNow, Person } from '../../../core/on-call/service.ts'
import { clockOf, offsetText, zoneClock } from '../../../lib/zone-clock.ts'
import { Pill } from '../../components/icon.tsx'
import { plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** A point in time in the zone of a schedule: `2026-11-26 08:00`. */
export function ZoneTime({ ms, zone }: { readonly ms: number; readonly zone: string }): Html {
  const clock = zoneClock(zone)
  return (
    <time
      datetime={new Date(ms).toISOString()}
      title={`${clockOf(clock, ms)} (${plain(zone)}, ${offsetText(clock, ms)})`}
    >
      {clockOf(clock, ms).slice(0, 16)}
    </time>
  )
}

/** A person, with what keeps notifications from reaching them. */
export function Who({
  person,
  reachable = true,
}: {
  readonly person: Person | null
  readonly reachable?: boolean
}): Html {
  if (person === null) return <Pill tone="bad">Nobody</Pill>
  return (
    <span dir="auto">
      {plain(person.name)}
      {person.enabled ? null : <span class="sub"> (disabled)</span>}
      {reachable ? null : (
        <>
          {' '}
          <Pill tone="warn">No transport</Pill>
        </>
      )}
    </span>
  )
}

/** Since when and until when, and who follows. */
export function NowText({ row }: { readonly row: OnCallNow }): Html {
  const { schedule, person, sinceMs, untilMs, next } = row
  return (
    <span class="l2">
      {person === null || sinceMs === null ? null : (
        <>
          since <ZoneTime ms={sinceMs} zone={schedule.zone} />{' '}
        </>
      )}
      {untilMs === null ? null : (
        <>
          until <ZoneTime ms={untilMs} zone={schedule.zone} />, then {next === null ? 'nobody' : plain(next.name)}
        </>
      )}
    </span>
  )
}
