/** SNMPv2-TC::TruthValue (RFC 2579) as the records show it. */
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

/** What an enumeration calls a number; `undefined` for an absent value and for a number that it does not know. */
export function enumName<const E extends Readonly<Record<number, string>>>(
  names: E,
  value: number | undefined,
): E[keyof E] | undefined {
  // The lookup can only give one of the enumeration's own names, or nothing.
  return value === undefined ? undefined : (names[value] as E[keyof E] | undefined)
}
