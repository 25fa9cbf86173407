/** Runs `work` with this local time zone. */
export function inZone<T>(zone: string, work: () => T): T {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return work()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}
