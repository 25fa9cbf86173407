import { bool, list, number, text } from './kinds.ts'

/** Settings of a process among several that share a database. */
export const CLUSTER_SETTINGS = {
  role: list(
    ['all'],
    'Roles of this process: all, or one or more of api, poller and ingest (receives syslog and traps); or only remote-poller, a poller without a database at a site that cannot reach one. Any number of processes of each role can share a database.',
    'start',
  ),
  'cluster.lead': bool(
    true,
    'Whether this process may be the leader: do the work that only one of the processes sharing a database does, which is alerts, notifications, service checks, bills and roll-ups.',
    'start',
  ),
  'poller.groups': list(
    [],
    'Ids of the poller groups whose devices this poller polls. Devices of these groups are polled only by pollers that list them here. Empty: all groups that no poller lists.',
    'start',
  ),
  database_read_url: text(
    '',
    'URL of a replica of the database, which is read for graphs and series. The primary is read instead while the replica is unavailable or too far behind.',
    'start',
  ),
  database_read_lag: number(10, 'Seconds by which the replica in database_read_url may be behind.', 'live', 0, 3600),
} as const
