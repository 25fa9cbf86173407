/** @jsxImportSource #jsx */

/** Found once per setting of TZ, because it takes longer than rendering a time. */
let kept: { readonly tz: string | undefined; readonly zone: string } | null = null

/**
 * The time zone of all pages: the server's, in which logs are searched, bills begin and images are drawn. Times are
 * entered and shown in it.
 */
export function pageZone(): string {
  const tz = process.env['TZ']
  if (kept === null || kept.tz !== tz) kept = { tz, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  return kept.zone
}

/** The zone's name beside a field for a time, or beside a range. */
export const ZoneNote = () => <span class="sub zone-note">{pageZone()}</span>
