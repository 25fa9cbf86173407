/** Runs `work` with this local time zone. */
export function inZone<T>(zone: string, work: () => T): T {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return work()
  } finally {
    // the zone of `bun test`; without the variable the last one stays
    process.env['TZ'] = before ?? 'Etc/UTC'
  }
}
