/** The text, or '' for members that clients expect to be text. */
export const orEmpty = (text: string | null): string => text ?? ''

/** A flag as 0 or 1; any other number counts as set. */
export const bit = (value: number): 0 | 1 => (value === 0 ? 0 : 1)

/** A number rounded half up to two places, as a decimal: 1.005 becomes 1.01. */
export function twoPlaces(value: number): number {
  return Math.round(Number(`${Number(value.toPrecision(15)).toFixed(10)}e2`)) / 100
}
