import { isoTime, localTime } from '../../lib/record-times.ts'
import type { DeviceRow } from './read-record.ts'

const iso = (epochS: number | null) => (epochS === null ? null : isoTime(epochS))

/**
 * A device as shown by the API and the command line: flags are 0/1, texts and durations are not null, times are ISO
 * 8601.
 */
export function deviceRecord(row: DeviceRow) {
  const attempted = row.last_poll_attempted
  return {
    ...row,
    sysName: row.sysName ?? '',
    hardware: row.hardware ?? '',
    ip: row.ip ?? '',
    inserted: iso(row.inserted),
    last_polled: iso(row.last_polled),
    // the one time that LibreNMS does not convert to ISO 8601
    last_poll_attempted: attempted === null ? null : localTime(new Date(attempted * 1000)),
    last_discovered: iso(row.last_discovered),
    last_ping: iso(row.last_ping),
    last_polled_timetaken: row.last_polled_timetaken ?? 0,
    last_discovered_timetaken: row.last_discovered_timetaken ?? 0,
  }
}
