const MIB = 2 ** 20

/**
 * Server settings for a machine with `memory` bytes of RAM, shared with this program. They are defaults: settings
 * further down in postgresql.conf, or from ALTER SYSTEM, override them. `major`: version of the server.
 */
export function serverSettings(memory: number, major: number): Record<string, string> {
  const mib = (share: number, min: number, max: number) =>
    `${Math.round(Math.min(max, Math.max(min, (memory * share) / MIB)))}MB`
  return {
    shared_buffers: mib(1 / 8, 32, 2048),
    effective_cache_size: mib(1 / 2, 128, 65_536),
    maintenance_work_mem: mib(1 / 32, 32, 512),
    work_mem: mib(1 / 256, 4, 64),
    // One process writes, with a few connections; the rest is for users and Grafana.
    max_connections: '150',
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '0',
    // io_method=worker costs memory and gains nothing on local disks.
    ...(major >= 18 && { io_method: 'sync' }),
    jit: 'off',
    random_page_cost: '1.1',
    // Samples arrive continuously; infrequent checkpoints write each hot page less often.
    wal_compression: 'pglz',
    wal_buffers: '16MB',
    // Holds the server's statistics. Otherwise they are files in /dev/shm that each new connection opens, and systemd removes
    // those of a person who logs out (RemoveIPC): then no connection could be made any more.
    min_dynamic_shared_memory: '8MB',
    min_wal_size: '128MB',
    // 20,000 devices polled every minute write this much in half an hour; a small network never does. It limits how much is
    // to be replayed after a crash.
    max_wal_size: mib(1 / 4, 512, 8192),
    checkpoint_timeout: '60min',
    // Acknowledged writes must survive a crash.
    synchronous_commit: 'on',
    // Ready means writable: after a restore to a point in time, nobody connects before the end of recovery.
    hot_standby: 'off',
    timezone: "'UTC'",
    log_timezone: "'UTC'",
    logging_collector: 'on',
    log_directory: "'log'",
    log_filename: "'postgresql-%a.log'",
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_checkpoints: 'off',
  }
}

/** The settings file that postgresql.conf includes first. `more` is an optional file beside it. */
export function settingsFile(settings: Record<string, string>, more: string): string {
  const lines = [
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    `include_if_exists = '${more}'`,
  ]
  return `# Written at every start. Put your own settings at the end of postgresql.conf: they override these.\n${lines.join('\n')}\n`
}
