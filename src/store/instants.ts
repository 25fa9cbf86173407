/**
 * The instant `expression` as seconds since 1970, for records that show microseconds: a Date has only milliseconds.
 * Null stays null; exact to the microsecond until the year 2242.
 */
export function epochSeconds(expression: string): string {
  return `date_part('epoch', ${expression})`
}
