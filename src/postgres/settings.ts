const MIB = 2 ** 20

/**
 * Server settings for a machine with `memory` octets of RAM that the server shares with this program. They are defaults:
 * what the operator writes further down in postgresql.conf, or sets with ALTER SYSTEM, wins.
 */
export function serverSettings(memory: number): Record<string, string> {
  const mib = (share: number, least: number, most: number) =>
    `${Math.round(Math.min(most, Math.max(least, (memory * share) / MIB)))}MB`
  return {
    shared_buffers: mib(1 / 8, 32, 2048),
    effective_cache_size: mib(1 / 2, 128, 65_536),
    maintenance_work_mem: mib(1 / 32, 32, 512),
    work_mem: mib(1 / 256, 4, 64),
    // Writes come from one process with a handful of connections; the rest is for people and Grafana.
    max_connections: '40',
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '0',
    // The helper processes of io_method=worker cost memory and gain nothing on local disks of this size.
    io_method: 'sync',
    jit: 'off',
    random_page_cost: '1.1',
    // Samples arrive without pause; rare checkpoints write each hot page once instead of often.
    wal_compression: 'pglz',
    wal_buffers: '16MB',
    min_wal_size: '128MB',
    max_wal_size: mib(1 / 8, 512, 2048),
    checkpoint_timeout: '15min',
    // An acknowledged write is never lost.
    synchronous_commit: 'on',
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

/** The text of the settings file that postgresql.conf includes first. */
export function settingsFile(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  return `# Written at every start. Put your own settings at the end of postgresql.conf: they win.\n${lines.join('\n')}\n`
}
