// Written by `bun run docs` from the names of the files.
import m0001 from './migrations/0001_inventory.sql' with { type: 'text' }
import m0002 from './migrations/0002_switching.sql' with { type: 'text' }
import m0003 from './migrations/0003_neighbours.sql' with { type: 'text' }
import m0004 from './migrations/0004_routing.sql' with { type: 'text' }
import m0005 from './migrations/0005_states.sql' with { type: 'text' }
import m0006 from './migrations/0006_optics_wireless.sql' with { type: 'text' }
import m0007 from './migrations/0007_device_modules.sql' with { type: 'text' }
import m0008 from './migrations/0008_groups.sql' with { type: 'text' }
import m0009 from './migrations/0009_alerts.sql' with { type: 'text' }
import m0010 from './migrations/0010_maintenance.sql' with { type: 'text' }
import m0011 from './migrations/0011_services_components_bills.sql' with { type: 'text' }
import m0013 from './migrations/0013_as_names.sql' with { type: 'text' }
import m0014 from './migrations/0014_statistics.sql' with { type: 'text' }
import m0017 from './migrations/0017_device_failures.sql' with { type: 'text' }
import m0022 from './migrations/0022_module_times.sql' with { type: 'text' }
import m0023 from './migrations/0023_bill_counting.sql' with { type: 'text' }
import m0024 from './migrations/0024_alert_engine.sql' with { type: 'text' }
import m0026 from './migrations/0026_service_checks.sql' with { type: 'text' }
import m0027 from './migrations/0027_log_partitions.sql' with { type: 'text' }
import m0028 from './migrations/0028_sessions.sql' with { type: 'text' }
import m0029 from './migrations/0029_events_maintenance.sql' with { type: 'text' }
import m0031 from './migrations/0031_port_search.sql' with { type: 'text' }
import m0032 from './migrations/0032_token_scope.sql' with { type: 'text' }
import m0033 from './migrations/0033_outbox_order.sql' with { type: 'text' }
import m0036 from './migrations/0036_imports.sql' with { type: 'text' }
import m0037 from './migrations/0037_alert_storms.sql' with { type: 'text' }
import m0038 from './migrations/0038_trap_senders.sql' with { type: 'text' }
import m0040 from './migrations/0040_user_identities.sql' with { type: 'text' }
import m0041 from './migrations/0041_cluster.sql' with { type: 'text' }
import m0044 from './migrations/0044_remote_pollers.sql' with { type: 'text' }
import m0046 from './migrations/0046_last_backup.sql' with { type: 'text' }
import m0047 from './migrations/0047_secret_keys.sql' with { type: 'text' }
import m0058 from './migrations/0058_log_totals.sql' with { type: 'text' }
import m0064 from './migrations/0064_lead_lock.sql' with { type: 'text' }
import m0065 from './migrations/0065_gone_objects.sql' with { type: 'text' }
import m0070 from './migrations/0070_discovery_failures.sql' with { type: 'text' }
import m0075 from './migrations/0075_guessed_limits.sql' with { type: 'text' }
import m0076 from './migrations/0076_answers_from_anywhere.sql' with { type: 'text' }
import m0080 from './migrations/0080_syslog_clock.sql' with { type: 'text' }
import m0085 from './migrations/0085_location_grants.sql' with { type: 'text' }
import m0098 from './migrations/0098_natural_order.sql' with { type: 'text' }
import m0099 from './migrations/0099_etherlike.sql' with { type: 'text' }
import m0100 from './migrations/0100_candidates.sql' with { type: 'text' }
import m0101 from './migrations/0101_scans.sql' with { type: 'text' }
import m0102 from './migrations/0102_dependencies.sql' with { type: 'text' }
import m0103 from './migrations/0103_sightings.sql' with { type: 'text' }
import m0104 from './migrations/0104_faults.sql' with { type: 'text' }
import m0105 from './migrations/0105_fault_events.sql' with { type: 'text' }
import m0106 from './migrations/0106_fault_words.sql' with { type: 'text' }
import m0107 from './migrations/0107_alert_operations.sql' with { type: 'text' }
import m0109 from './migrations/0109_on_call.sql' with { type: 'text' }
import m0110 from './migrations/0110_used_alert_links.sql' with { type: 'text' }
import m0111 from './migrations/0111_push_subscriptions.sql' with { type: 'text' }
import m0112 from './migrations/0112_messages.sql' with { type: 'text' }
import m0113 from './migrations/0113_notification_paths.sql' with { type: 'text' }
import m0114 from './migrations/0114_learned_values.sql' with { type: 'text' }
import m0115 from './migrations/0115_maintenance_of_parts.sql' with { type: 'text' }
import m0116 from './migrations/0116_spanning_tree.sql' with { type: 'text' }
import m0117 from './migrations/0117_isis_adjacencies.sql' with { type: 'text' }
import m0118 from './migrations/0118_alert_keys.sql' with { type: 'text' }
import m0119 from './migrations/0119_alert_writes.sql' with { type: 'text' }
import m0120 from './migrations/0120_qos_classes.sql' with { type: 'text' }
import m0122 from './migrations/0122_outbox_plans.sql' with { type: 'text' }
import m0124 from './migrations/0124_quiet_hours.sql' with { type: 'text' }
import m0126 from './migrations/0126_default_routes.sql' with { type: 'text' }
import m0127 from './migrations/0127_device_doubles.sql' with { type: 'text' }
import m0128 from './migrations/0128_natural_order_faster.sql' with { type: 'text' }

/** One change of the relational schema. Applied once, in order of `number`, never edited after a release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
}

/** Every file of db/migrations; a test compares this list with the folder. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'inventory', text: m0001 },
  { number: 2, name: 'switching', text: m0002 },
  { number: 3, name: 'neighbours', text: m0003 },
  { number: 4, name: 'routing', text: m0004 },
  { number: 5, name: 'states', text: m0005 },
  { number: 6, name: 'optics_wireless', text: m0006 },
  { number: 7, name: 'device_modules', text: m0007 },
  { number: 8, name: 'groups', text: m0008 },
  { number: 9, name: 'alerts', text: m0009 },
  { number: 10, name: 'maintenance', text: m0010 },
  { number: 11, name: 'services_components_bills', text: m0011 },
  { number: 13, name: 'as_names', text: m0013 },
  { number: 14, name: 'statistics', text: m0014 },
  { number: 17, name: 'device_failures', text: m0017 },
  { number: 22, name: 'module_times', text: m0022 },
  { number: 23, name: 'bill_counting', text: m0023 },
  { number: 24, name: 'alert_engine', text: m0024 },
  { number: 26, name: 'service_checks', text: m0026 },
  { number: 27, name: 'log_partitions', text: m0027 },
  { number: 28, name: 'sessions', text: m0028 },
  { number: 29, name: 'events_maintenance', text: m0029 },
  { number: 31, name: 'port_search', text: m0031 },
  { number: 32, name: 'token_scope', text: m0032 },
  { number: 33, name: 'outbox_order', text: m0033 },
  { number: 36, name: 'imports', text: m0036 },
  { number: 37, name: 'alert_storms', text: m0037 },
  { number: 38, name: 'trap_senders', text: m0038 },
  { number: 40, name: 'user_identities', text: m0040 },
  { number: 41, name: 'cluster', text: m0041 },
  { number: 44, name: 'remote_pollers', text: m0044 },
  { number: 46, name: 'last_backup', text: m0046 },
  { number: 47, name: 'secret_keys', text: m0047 },
  { number: 58, name: 'log_totals', text: m0058 },
  { number: 64, name: 'lead_lock', text: m0064 },
  { number: 65, name: 'gone_objects', text: m0065 },
  { number: 70, name: 'discovery_failures', text: m0070 },
  { number: 75, name: 'guessed_limits', text: m0075 },
  { number: 76, name: 'answers_from_anywhere', text: m0076 },
  { number: 80, name: 'syslog_clock', text: m0080 },
  { number: 85, name: 'location_grants', text: m0085 },
  { number: 98, name: 'natural_order', text: m0098 },
  { number: 99, name: 'etherlike', text: m0099 },
  { number: 100, name: 'candidates', text: m0100 },
  { number: 101, name: 'scans', text: m0101 },
  { number: 102, name: 'dependencies', text: m0102 },
  { number: 103, name: 'sightings', text: m0103 },
  { number: 104, name: 'faults', text: m0104 },
  { number: 105, name: 'fault_events', text: m0105 },
  { number: 106, name: 'fault_words', text: m0106 },
  { number: 107, name: 'alert_operations', text: m0107 },
  { number: 109, name: 'on_call', text: m0109 },
  { number: 110, name: 'used_alert_links', text: m0110 },
  { number: 111, name: 'push_subscriptions', text: m0111 },
  { number: 112, name: 'messages', text: m0112 },
  { number: 113, name: 'notification_paths', text: m0113 },
  { number: 114, name: 'learned_values', text: m0114 },
  { number: 115, name: 'maintenance_of_parts', text: m0115 },
  { number: 116, name: 'spanning_tree', text: m0116 },
  { number: 117, name: 'isis_adjacencies', text: m0117 },
  { number: 118, name: 'alert_keys', text: m0118 },
  { number: 119, name: 'alert_writes', text: m0119 },
  { number: 120, name: 'qos_classes', text: m0120 },
  { number: 122, name: 'outbox_plans', text: m0122 },
  { number: 124, name: 'quiet_hours', text: m0124 },
  { number: 126, name: 'default_routes', text: m0126 },
  { number: 127, name: 'device_doubles', text: m0127 },
  { number: 128, name: 'natural_order_faster', text: m0128 },
]
