/** A value with a nearness from here to below 1 is near its limit. */
export const NEAR = 0.9

const margin = (low: string, high: string, limit: string) =>
  `nullif(least(0.05 * nullif(greatest(${high} - ${low}, 0), 0), 0.1 * nullif(abs(${limit}), 0)), 0)`

/**
 * SQL for how near a value is to the nearer of its limits: 1 at the limit, above 1 beyond it, from `NEAR` on near it;
 * null without limits. Near means within a twentieth of the distance between the limits, but not more than a tenth of
 * the limit itself: with limits of 5 and 3000 min, 56 min is not near 5.
 */
export const nearness = (value: string, low: string, high: string): string => `greatest(
  1 - 0.1 * (${high} - ${value}) / ${margin(low, high, high)}, 1 - 0.1 * (${value} - ${low}) / ${margin(low, high, low)},
  case when ${value} > ${high} or ${value} < ${low} then 1.001 end)`
