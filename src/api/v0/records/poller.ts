import type { ClusterRow, PollerLogRow, PollerRow } from '../../../core/pollers/service.ts'
import { isoTime, localTime } from '../../../lib/record-times.ts'
import { twoPlaces } from './forms.ts'

export const presentPoller = (row: PollerRow) => ({ ...row, last_polled: localTime(row.last_polled) })

export const presentClusterMember = (row: ClusterRow) => ({ ...row, last_report: isoTime(row.last_report) })

/** The last poll of a device; a duration of 0 seconds means unknown. Poller group 0 has no row and is named General. */
export const presentPollerLog = (row: PollerLogRow) => ({
  ...row,
  last_polled: row.last_polled === null ? null : localTime(row.last_polled),
  last_polled_timetaken: twoPlaces(row.last_polled_timetaken ?? 0),
  poller_group: row.poller_group ?? 'General',
})
