/** A billing period, epoch seconds, both ends included. */
export interface BillingPeriod {
  readonly fromS: number
  readonly toS: number
}

/**
 * The period of a bill with this bill day at `nowS`, or `back` periods earlier. It begins at 00:00:00 local time of the
 * bill day and ends a second before the next begins. A day that a month lacks rolls over into the next month. On the
 * bill day itself the old period is still current. Source: contract BEHAVIOUR.md 14. Shifting both ends by whole
 * months, as described there, would lose a day after a month of 30 days, so here the end is always derived from the
 * next begin.
 */
export function billingPeriod(billDay: number, nowS: number, back = 0): BillingPeriod {
  const now = new Date(nowS * 1000)
  const month = now.getMonth() - (now.getDate() > billDay ? 0 : 1) - back
  const begin = (offset: number) => new Date(now.getFullYear(), month + offset, billDay).getTime() / 1000
  return { fromS: begin(0), toS: begin(1) - 1 }
}
