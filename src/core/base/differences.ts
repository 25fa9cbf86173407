/** Longer values are truncated, characters. */
const MAX_VALUE = 120

/**
 * The differences as text for the audit: `delay: 300 → 60; notes: empty → at night`; '' if there are none. For members
 * in `secrets` only the name is included. A member that is absent on one side counts as empty.
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

/** A value as shown in the audit. */
export function auditText(value: unknown): string {
  const plain = plainOf(value)
  const text = typeof plain === 'string' ? plain : Array.isArray(plain) ? plain.join(', ') : JSON.stringify(plain)
  const line = (text ?? '').replaceAll(/\s+/g, ' ').trim()
  if (line === '' || line === 'null') return 'empty'
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE).toWellFormed()}…` : line
}

/** The value as compared: undefined, '' and null are equal. */
function plainOf(value: unknown): unknown {
  if (value === undefined || value === '') return null
  return value instanceof Date ? value.toISOString() : value
}
