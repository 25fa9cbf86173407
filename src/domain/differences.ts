/** Longer values are cut, in characters. */
const MAX_VALUE = 120

/**
 * What differs, for the audit: `delay: 300 → 60; notes: empty → in the night`. '' if nothing does. Of the members in
 * `secrets` only the name is given. A member that is absent on one side counts as empty.
 */
export function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secrets: ReadonlySet<string> = new Set(),
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => !Bun.deepEquals(plainOf(before[name]), plainOf(after[name])))
    .map((name) =>
      secrets.has(name)
        ? `${name}: a new value (not recorded)`
        : `${name}: ${auditText(before[name])} → ${auditText(after[name])}`,
    )
    .join('; ')
}

/** A value in a line of the audit. */
export function auditText(value: unknown): string {
  const plain = plainOf(value)
  const text = typeof plain === 'string' ? plain : Array.isArray(plain) ? plain.join(', ') : JSON.stringify(plain)
  const line = (text ?? '').replaceAll(/\s+/g, ' ').trim()
  if (line === '' || line === 'null') return 'empty'
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE).toWellFormed()}…` : line
}

/** The value as it is compared: nothing is nothing, whatever it is called. */
function plainOf(value: unknown): unknown {
  if (value === undefined || value === '') return null
  return value instanceof Date ? value.toISOString() : value
}
