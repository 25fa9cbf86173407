import type { ClusterRow } from './read.ts'
import type { RemotePollerRow } from './remote/read.ts'

/**
 * A remote poller as a member of the cluster. Its id is negative, to differ from those of `poller_cluster`. Its last
 * report is the time of its last answer, or that of its last stored message.
 */
export function clusterRowOf(row: RemotePollerRow): ClusterRow {
  const { name, report, reported_at, measured_at, poller_group } = row
  const id = -row.id
  const seen = (report?.answers === true ? reported_at : measured_at) ?? new Date(0)
  const load = report?.load ?? null
  return {
    id,
    node_id: name,
    poller_name: name,
    poller_version: report?.version ?? '',
    poller_groups: String(poller_group),
    last_report: seen.getTime() / 1000,
    master: 0,
    stats:
      load === null
        ? []
        : [
            {
              id,
              parent_poller: id,
              poller_type: 'poller',
              depth: load.due,
              devices: load.pollsAMinute,
              worker_seconds: load.secondsAMinute,
              workers: load.workers,
              frequency: load.intervalS,
            },
          ],
  }
}
