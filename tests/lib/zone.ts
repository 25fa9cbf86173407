/** Runs `work` in this local time zone. */
export function inZone<T>(zone: string, work: () => T): T {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return work()
  } finally {
    // the time zone of `bun test`; deleting the variable would keep the last one
    process.env['TZ'] = before ?? 'Etc/UTC'
  }
}
