/** SNMPv2-TC::TruthValue (RFC 2579), with the names used in records. */
export const TRUTH_VALUE = { 1: 'true', 2: 'false' } as const

/** SNMPv2-TC::RowStatus (RFC 2579). */
export const ROW_STATUS = {
  1: 'active',
  2: 'notInService',
  3: 'notReady',
  4: 'createAndGo',
  5: 'createAndWait',
  6: 'destroy',
} as const

/** The name of a value in an enumeration; `undefined` for a missing or unknown value. */
export function enumName<const E extends Readonly<Record<number, string>>>(
  names: E,
  value: number | undefined,
): E[keyof E] | undefined {
  // The lookup returns one of the enumeration's own names, or nothing.
  return value === undefined ? undefined : (names[value] as E[keyof E] | undefined)
}
