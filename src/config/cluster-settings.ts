import { bool, list, number, text } from './kinds.ts'

/** Settings of a process among several that share a database. */
export const CLUSTER_SETTINGS = {
  role: list(
    ['all'],
    'What this process does: api, poller, ingest (receives syslog and traps), several of them, or all; or remote-poller alone: a poller without a database, at a site that cannot reach one. Any number of processes of each role may share a database.',
    'start',
  ),
  'cluster.lead': bool(
    true,
    'This process may do what runs once for all that share the database: alerts, notifications, service checks, bills, roll-ups.',
    'start',
  ),
  'poller.groups': list(
    [],
    'Ids of the poller groups whose devices this poller polls, and no other poller that does not name them. Empty: the groups that no poller names.',
    'start',
  ),
  database_read_url: text(
    '',
    'Replica of the database for graphs and series. The primary is read while the replica is away or too far behind.',
    'start',
  ),
  database_read_lag: number(10, 'Seconds by which the replica of database_read_url may be behind.', 'live', 0, 3600),
} as const
