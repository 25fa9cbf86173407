/** A billing period, epoch seconds, both ends included. */
export interface BillingPeriod {
  readonly fromS: number
  readonly toS: number
}

/**
 * The period of a bill with this bill day at `nowS`, or `back` periods earlier. It begins at 00:00:00 local time on the
 * bill day and ends one second before the next period begins. A day that a month does not have rolls over into the next
 * month. On the bill day itself the old period is still current. Source: contract BEHAVIOUR.md 14, with two
 * differences. Shifting both ends by whole months would lose a day after a month of 30 days, so the end is always
 * derived from the next beginning. And if the bill day has rolled over, last month's period may not have begun yet (31
 * on 2 March: 3 to 30 March); the current period is always one that has begun.
 */
export function billingPeriod(billDay: number, nowS: number, back = 0): BillingPeriod {
  const now = new Date(nowS * 1000)
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const begin = (offset: number) => new Date(now.getFullYear(), now.getMonth() + offset, billDay).getTime()
  const current = [0, -1].find((offset) => begin(offset) < today) ?? -2
  return { fromS: begin(current - back) / 1000, toS: begin(current - back + 1) / 1000 - 1 }
}
