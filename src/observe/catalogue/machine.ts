import { counter, gauge, histogram } from './declare.ts'

/** The database, as this process sees it, and as the database says. */
export const DATABASE = {
  portlight_database_statement_duration_seconds: histogram(
    'From sending a statement to its answer; statements of the main thread.',
    {
      labels: {
        statement:
          '`select`, `with`, `insert`, `update`, `delete`, `copy`, `transaction` (begin, commit, rollback, savepoints), `other`',
        outcome: '`ok`, `failed`',
      },
    },
  ),
  portlight_database_statements_waiting: gauge(
    'Transactions and statements of the main thread that wait for a connection.',
  ),
  portlight_database_look_seconds: gauge(
    'How long the last look at the database took, which the gauges below are from.',
  ),
  portlight_database_look_age_seconds: gauge('How long ago the last look that succeeded was.'),
  portlight_database_looks_failed_total: counter('Looks at the database that failed or took too long.'),
  portlight_database_connections: gauge('Connections to this database, of all programs.', {
    labels: { state: '`active`, `idle`, `idle_in_transaction`, `other`' },
  }),
  portlight_database_connections_limit: gauge('Connections that the server accepts: max_connections.'),
  portlight_database_size_bytes: gauge('Size of the database on disk, without the write-ahead log.'),
  portlight_database_oldest_transaction_seconds: gauge('Age of the oldest open transaction of any program; 0: none.'),
  portlight_database_deadlocks_total: counter('Deadlocks, since the statistics of the server were reset.'),
  portlight_database_temp_bytes_total: counter(
    'Octets of temporary files, since the statistics of the server were reset.',
  ),
  portlight_database_clock_skew_seconds: gauge(
    'Clock of the database less clock of this machine. It includes up to half the round trip of a statement.',
  ),
  portlight_rollup_lag_seconds: gauge('What a roll-up lacks.', {
    labels: { kind: 'the kind of sample', level: '`1h`, `1d`' },
  }),
  portlight_series_problems: gauge('Steps of the maintenance of series that fail; `portlight doctor` names them.'),
  portlight_partitions_ahead_seconds: gauge(
    'How far ahead partitions exist, of the table where it is least. Without partition rows would be refused.',
    { missing: 'where TimescaleDB makes all of them' },
  ),
} as const

const OF_BACKUP = { missing: 'while there is none' } as const

/** The last backup by `portlight backup`. */
export const BACKUP = {
  portlight_backup_age_seconds: gauge('Time since the snapshot of the last successful backup.', OF_BACKUP),
  portlight_backup_size_bytes: gauge('Size of the last successful backup.', OF_BACKUP),
  portlight_backup_duration_seconds: gauge('How long the last successful backup took.', OF_BACKUP),
} as const

/** The replica of setting `database_read_url`. */
export const REPLICA = {
  portlight_replica_used: gauge('1: graphs and series are read from the replica; 0: from the primary.', {
    missing: 'without a replica',
  }),
  portlight_replica_lag_seconds: gauge('By how much the replica is behind.', {
    missing: 'without a replica and while it is away',
  }),
} as const

const NODE = { node: 'name of the process' } as const

/** The processes that share the database. */
export const CLUSTER = {
  portlight_lead: gauge('1: this process leads, so it does what runs once: alerts, bills, housekeeping.'),
  portlight_cluster_nodes: gauge('Living processes that share the database, this one included.'),
  portlight_cluster_lead_taken_total: counter('Times that this process took the lead.'),
  portlight_cluster_beats_total: counter('Reports of this process to the database.'),
  portlight_cluster_beats_failed_total: counter('Reports that failed.'),
  portlight_cluster_moves_total: counter('Times that devices moved between pollers.'),
  portlight_cluster_node_living: gauge('1: the process is living; 0: it is gone.', {
    labels: { node: 'its name', roles: 'as in setting `role`', lead: '`true`, `false`' },
  }),
  portlight_cluster_node_devices: gauge('Devices that each process polls by SNMP.', { labels: NODE }),
  portlight_cluster_node_polls_waiting: gauge('Polls of each process that are due and waiting.', { labels: NODE }),
  portlight_cluster_node_polls_late: gauge('Polls of each process that started late, since its start.', {
    labels: NODE,
  }),
  portlight_cluster_node_lag_seconds: gauge('By how much the oldest waiting poll of each process is overdue.', {
    labels: NODE,
  }),
  portlight_cluster_node_samples_waiting: gauge('Sample rows in the memory of each process.', { labels: NODE }),
  portlight_cluster_clock_ahead_seconds: gauge("Seconds by which this clock is ahead of the database's."),
} as const

/** This process and its machine. */
export const PROCESS = {
  portlight_build_info: gauge('Always 1.', { labels: { version: 'of Portlight', bun: 'version of Bun' } }),
  portlight_event_loop_lag_seconds: gauge('Longest delay of a timer in the last 15 to 30 s, by thread.', {
    labels: { thread: '`main`, `snmp-0` and further, `checks`, `listeners`' },
  }),
  portlight_event_loop_delay_seconds: histogram(
    'How late a timer of 20 ms of the main thread was: how long a request waits before this thread looks at it.',
  ),
  portlight_heap_bytes: gauge('Heap in use, by thread.', {
    labels: { thread: '`main`, `snmp-0` and further, `checks`, `listeners`' },
  }),
  portlight_disk_free_bytes: gauge('Free space that this user may use, where the data folder is.', {
    missing: 'where the folder does not exist',
  }),
  portlight_disk_size_bytes: gauge('Size of that file system.', { missing: 'where the folder does not exist' }),
  process_cpu_seconds_total: counter('User and system CPU time of the process.'),
  process_resident_memory_bytes: gauge('Resident memory of the process, without PostgreSQL.'),
  process_start_time_seconds: gauge('When the process began, seconds since 1970.'),
  process_open_fds: gauge('Open file descriptors.', { missing: 'outside Linux' }),
  process_max_fds: gauge('Maximum of open file descriptors.', { missing: 'outside Linux' }),
} as const
