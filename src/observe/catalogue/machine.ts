import { counter, gauge, histogram } from './declare.ts'

/** The database as seen by this process, and as reported by the database itself. */
export const DATABASE = {
  portlight_database_statement_duration_seconds: histogram(
    'Time from sending a statement to its result; statements of the main thread.',
    {
      labels: {
        statement:
          '`select`, `with`, `insert`, `update`, `delete`, `copy`, `transaction` (begin, commit, rollback, savepoints), `other`',
        outcome: '`ok`, `failed`',
      },
    },
  ),
  portlight_database_statements_waiting: gauge(
    'Transactions and statements of the main thread waiting for a connection.',
  ),
  portlight_database_look_seconds: gauge(
    'Duration of the last inspection of the database, which yields the gauges below.',
  ),
  portlight_database_look_age_seconds: gauge('Time since the last successful inspection.'),
  portlight_database_looks_failed_total: counter('Inspections of the database that failed or took too long.'),
  portlight_database_connections: gauge('Connections to this database by all programs.', {
    labels: { state: '`active`, `idle`, `idle_in_transaction`, `other`' },
  }),
  portlight_database_connections_limit: gauge('Maximum number of connections (max_connections).'),
  portlight_database_size_bytes: gauge('Size of the database on disk, without the write-ahead log.'),
  portlight_database_oldest_transaction_seconds: gauge('Age of the oldest open transaction of any program; 0: none.'),
  portlight_database_deadlocks_total: counter("Deadlocks since the server's statistics were last reset."),
  portlight_database_temp_bytes_total: counter(
    "Bytes written to temporary files since the server's statistics were last reset.",
  ),
  portlight_database_clock_skew_seconds: gauge(
    "The database's clock minus this machine's clock. Includes up to half the round trip of a statement.",
  ),
  portlight_rollup_lag_seconds: gauge('Time by which a roll-up is behind.', {
    labels: { kind: 'the kind of sample', level: '`1h`, `1d`' },
  }),
  portlight_series_problems: gauge('Failing steps of the maintenance of series; `portlight doctor` lists them.'),
  portlight_partitions_ahead_seconds: gauge(
    'Time for which partitions exist in advance, of the table with the least. Rows without a partition are refused.',
    { missing: 'where TimescaleDB creates all partitions' },
  ),
} as const

/** What the database holds, read every 10 minutes. */
export const STORAGE = {
  portlight_series_size_bytes: gauge('Size of the tables of series on disk, with indexes.', {
    labels: { level: '`samples`, `1h`, `1d`', form: '`rows`; `packed` or `columnstore`: closed chunks' },
  }),
  portlight_packed_chunks: gauge('Chunks that are packed or in the columnstore.', {
    labels: { level: '`samples`, `1h`, `1d`' },
  }),
  portlight_packing_waiting_chunks: gauge('Closed chunks that are to be packed or moved to the columnstore.', {
    labels: { level: '`samples`, `1h`, `1d`' },
  }),
  portlight_packing_oldest_seconds: gauge('Time since the start of the oldest of these chunks; 0: none waits.'),
  portlight_packing_overdue_chunks: gauge(
    'Those of them that have waited for longer than a chunk lasts: older data that is being packed, or packing fails.',
  ),
  portlight_packing_problems: gauge('Tables and chunks that could not be packed at the last attempt.'),
  portlight_database_growth_bytes: gauge('Growth of the database in a day, from its size in the last days.', {
    missing: 'until it is known',
  }),
  portlight_disk_full_seconds: gauge('Time until the disk of the database is full at this growth.', {
    missing: 'if it is not known, or not within ten years',
  }),
  portlight_disk_warning: gauge(
    'The disk of the database is filling up: full in less than 14 days, or less than 10 % free; ends at 21 days and 12 %.',
    { missing: 'if the database is not embedded' },
  ),
} as const

const OF_BACKUP = { missing: 'until there is one' } as const

/** The last backup made by `portlight backup`. */
export const BACKUP = {
  portlight_backup_age_seconds: gauge('Time since the snapshot of the last successful backup.', OF_BACKUP),
  portlight_backup_size_bytes: gauge('Size of the last successful backup.', OF_BACKUP),
  portlight_backup_duration_seconds: gauge('Duration of the last successful backup.', OF_BACKUP),
} as const

/** The replica of setting `database_read_url`. */
export const REPLICA = {
  portlight_replica_used: gauge('1: graphs and series are read from the replica; 0: from the primary.', {
    missing: 'without a replica',
  }),
  portlight_replica_lag_seconds: gauge('Time by which the replica is behind the primary.', {
    missing: 'without a replica and while it is unavailable',
  }),
} as const

const NODE = { node: 'name of the process' } as const

/** The processes that share the database. */
export const CLUSTER = {
  portlight_lead: gauge(
    '1: this process is the leader and runs what only one process may: alerts, bills, housekeeping.',
  ),
  portlight_cluster_nodes: gauge('Live processes that share the database, including this one.'),
  portlight_cluster_lead_taken_total: counter('Number of times this process became the leader.'),
  portlight_cluster_beats_total: counter('Heartbeats of this process written to the database.'),
  portlight_cluster_beats_failed_total: counter('Heartbeats that failed.'),
  portlight_cluster_moves_total: counter('Number of times devices moved between pollers.'),
  portlight_cluster_node_living: gauge('1: the process is alive; 0: it has gone.', {
    labels: { node: 'its name', roles: 'as in setting `role`', lead: '`true`, `false`' },
  }),
  portlight_cluster_node_devices: gauge('Devices that each process polls by SNMP.', { labels: NODE }),
  portlight_cluster_node_polls_waiting: gauge('Polls of each process that are due and waiting.', { labels: NODE }),
  portlight_cluster_node_polls_late: gauge('Polls that started late since the start of each process.', {
    labels: NODE,
  }),
  portlight_cluster_node_lag_seconds: gauge('Time by which the oldest waiting poll of each process is overdue.', {
    labels: NODE,
  }),
  portlight_cluster_node_samples_waiting: gauge('Sample rows in memory of each process.', { labels: NODE }),
  portlight_cluster_clock_ahead_seconds: gauge("Time by which this machine's clock is ahead of the database's."),
} as const

/** This process and its machine. */
export const PROCESS = {
  portlight_build_info: gauge('Always 1.', { labels: { version: 'of Portlight', bun: 'version of Bun' } }),
  portlight_event_loop_lag_seconds: gauge('Longest delay of a timer in the last 15 to 30 s, by thread.', {
    labels: { thread: '`main`, `snmp-0` and so on, `checks`, `listeners`' },
  }),
  portlight_event_loop_delay_seconds: histogram(
    'Delay of a 20 ms timer of the main thread: the time a request waits before this thread handles it.',
  ),
  portlight_heap_bytes: gauge('Heap in use, by thread.', {
    labels: { thread: '`main`, `snmp-0` and so on, `checks`, `listeners`' },
  }),
  portlight_descriptors_exhausted_total: counter(
    'Times that connections were refused because no descriptors were left, at most one a minute.',
  ),
  portlight_disk_free_bytes: gauge('Free space available to this user on the file system of the data folder.', {
    missing: 'where the folder does not exist',
  }),
  portlight_disk_size_bytes: gauge('Size of that file system.', { missing: 'where the folder does not exist' }),
  process_cpu_seconds_total: counter('User and system CPU time of the process.'),
  process_resident_memory_bytes: gauge('Resident memory of the process, without PostgreSQL.'),
  process_start_time_seconds: gauge('Start time of the process, seconds since 1970.'),
  process_open_fds: gauge('Open file descriptors.', { missing: 'outside Linux' }),
  process_max_fds: gauge('Maximum number of open file descriptors.', { missing: 'outside Linux' }),
} as const
