import { clockOf, OWN_CLOCK } from '../lib/zone-clock.ts'

/** Created once per time zone, as that takes longer than the rest of the axis. */
let kept: { readonly zone: string | undefined; readonly names: Intl.DateTimeFormat } | null = null
function zoneNames(): Intl.DateTimeFormat {
  const zone = process.env['TZ']
  if (kept === null || kept.zone !== zone)
    kept = { zone, names: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }) }
  return kept.names
}

/** The range as text, in local time with its zone: `2026-11-20 01:32 - 2026-11-21 01:32 UTC`. */
export function rangeText(fromS: number, toS: number): string {
  const to = new Date(toS * 1000)
  const zone =
    zoneNames()
      .formatToParts(to)
      .find((p) => p.type === 'timeZoneName')?.value ?? ''
  return `${dateText(new Date(fromS * 1000))} – ${dateText(to)} ${zone}`.trimEnd()
}

const dateText = (t: Date): string => clockOf(OWN_CLOCK, t.getTime()).slice(0, 16)
