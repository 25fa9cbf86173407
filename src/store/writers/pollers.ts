import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** What a poller says of its last minute. */
export interface PollerReport {
  readonly name: string
  readonly devices: number
  /** Seconds of polling, all devices together. */
  readonly seconds: number
}

/** Keeps the record of a poller current (API: list_pollers). */
export function writePollerReport(store: Store, { name, devices, seconds }: PollerReport): Promise<void> {
  return guarded(
    () => store.sql`
      insert into pollers (poller_name, last_polled, devices, time_taken) values (${name}, now(), ${devices}, ${seconds})
      on conflict (poller_name) do update
      set last_polled = excluded.last_polled, devices = excluded.devices, time_taken = excluded.time_taken`,
  ).then(() => undefined)
}
