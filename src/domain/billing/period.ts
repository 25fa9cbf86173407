/** A billing period, epoch seconds; both ends belong to it. */
export interface BillingPeriod {
  readonly fromS: number
  readonly toS: number
}

/**
 * The period that a bill of this day of the month is in at `nowS`, or `back` periods before it. It begins at 00:00:00
 * local time of the bill day and ends a second before the next one begins; a day that a month does not have rolls into
 * the next month. On the bill day itself the old period is still current.
 * Source: contract BEHAVIOUR.md 14. Where that shifts both ends by whole months, a period after a month of 30 days would
 * lose a day, so here the end is always the day before the next begin.
 */
export function billingPeriod(billDay: number, nowS: number, back = 0): BillingPeriod {
  const now = new Date(nowS * 1000)
  const month = now.getMonth() - (now.getDate() > billDay ? 0 : 1) - back
  const begin = (offset: number) => new Date(now.getFullYear(), month + offset, billDay).getTime() / 1000
  return { fromS: begin(0), toS: begin(1) - 1 }
}
