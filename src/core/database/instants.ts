/**
 * SQL for the instant `expression` as seconds since 1970, for records that show microseconds, which a Date cannot hold.
 * Null stays null; exact to the microsecond until the year 2242.
 */
export function epochSeconds(expression: string): string {
  return `date_part('epoch', ${expression})`
}
