import type { Schedule } from '../scheduler.ts'
import type { PingSchedule } from './ping-schedule.ts'

/** When devices are polled, discovered and pinged next. */
export interface Schedules {
  readonly polls: Schedule
  readonly discoveries: Schedule
  readonly pings: PingSchedule
}

/** Takes a device out of all of them. */
export function unschedule({ polls, discoveries, pings }: Schedules, id: number): void {
  for (const schedule of [polls, discoveries, pings]) schedule.remove(id)
}
