/**
 * The instant `expression` as microseconds since 1970, for records that show them: a Date has only milliseconds. Null
 * stays null; exact until the year 2255.
 */
export function epochMicros(expression: string): string {
  return `(extract(epoch from ${expression}) * 1000000)::int8`
}
