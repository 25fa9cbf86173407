import inventory from './migrations/0001_inventory.sql' with { type: 'text' }
import switching from './migrations/0002_switching.sql' with { type: 'text' }
import neighbours from './migrations/0003_neighbours.sql' with { type: 'text' }
import routing from './migrations/0004_routing.sql' with { type: 'text' }
import states from './migrations/0005_states.sql' with { type: 'text' }
import opticsWireless from './migrations/0006_optics_wireless.sql' with { type: 'text' }
import deviceModules from './migrations/0007_device_modules.sql' with { type: 'text' }
import groups from './migrations/0008_groups.sql' with { type: 'text' }
import alerts from './migrations/0009_alerts.sql' with { type: 'text' }
import maintenance from './migrations/0010_maintenance.sql' with { type: 'text' }
import servicesBills from './migrations/0011_services_components_bills.sql' with { type: 'text' }
import asNames from './migrations/0013_as_names.sql' with { type: 'text' }
import statistics from './migrations/0014_statistics.sql' with { type: 'text' }
import deviceFailures from './migrations/0017_device_failures.sql' with { type: 'text' }
import moduleTimes from './migrations/0022_module_times.sql' with { type: 'text' }
import billCounting from './migrations/0023_bill_counting.sql' with { type: 'text' }
import alertEngine from './migrations/0024_alert_engine.sql' with { type: 'text' }
import serviceChecks from './migrations/0026_service_checks.sql' with { type: 'text' }
import logPartitions from './migrations/0027_log_partitions.sql' with { type: 'text' }
import sessions from './migrations/0028_sessions.sql' with { type: 'text' }
import eventsMaintenance from './migrations/0029_events_maintenance.sql' with { type: 'text' }
import portSearch from './migrations/0031_port_search.sql' with { type: 'text' }
import tokenScope from './migrations/0032_token_scope.sql' with { type: 'text' }
import outboxOrder from './migrations/0033_outbox_order.sql' with { type: 'text' }
import imports from './migrations/0036_imports.sql' with { type: 'text' }
import alertStorms from './migrations/0037_alert_storms.sql' with { type: 'text' }
import trapSenders from './migrations/0038_trap_senders.sql' with { type: 'text' }
import userIdentities from './migrations/0040_user_identities.sql' with { type: 'text' }
import cluster from './migrations/0041_cluster.sql' with { type: 'text' }
import remotePollers from './migrations/0044_remote_pollers.sql' with { type: 'text' }
import lastBackup from './migrations/0046_last_backup.sql' with { type: 'text' }
import secretKeys from './migrations/0047_secret_keys.sql' with { type: 'text' }
import logTotals from './migrations/0058_log_totals.sql' with { type: 'text' }
import leadLock from './migrations/0064_lead_lock.sql' with { type: 'text' }
import goneObjects from './migrations/0065_gone_objects.sql' with { type: 'text' }
import discoveryFailures from './migrations/0070_discovery_failures.sql' with { type: 'text' }
import guessedLimits from './migrations/0075_guessed_limits.sql' with { type: 'text' }
import answersFromAnywhere from './migrations/0076_answers_from_anywhere.sql' with { type: 'text' }
import syslogClock from './migrations/0080_syslog_clock.sql' with { type: 'text' }
import locationGrants from './migrations/0085_location_grants.sql' with { type: 'text' }
import naturalOrder from './migrations/0098_natural_order.sql' with { type: 'text' }
import etherlike from './migrations/0099_etherlike.sql' with { type: 'text' }

/** One change of the relational schema. Applied once, in order of `number`, never edited after a release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
}

/** Every file of db/migrations; a test compares this list with the folder. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'inventory', text: inventory },
  { number: 2, name: 'switching', text: switching },
  { number: 3, name: 'neighbours', text: neighbours },
  { number: 4, name: 'routing', text: routing },
  { number: 5, name: 'states', text: states },
  { number: 6, name: 'optics_wireless', text: opticsWireless },
  { number: 7, name: 'device_modules', text: deviceModules },
  { number: 8, name: 'groups', text: groups },
  { number: 9, name: 'alerts', text: alerts },
  { number: 10, name: 'maintenance', text: maintenance },
  { number: 11, name: 'services_components_bills', text: servicesBills },
  { number: 13, name: 'as_names', text: asNames },
  { number: 14, name: 'statistics', text: statistics },
  { number: 17, name: 'device_failures', text: deviceFailures },
  { number: 22, name: 'module_times', text: moduleTimes },
  { number: 23, name: 'bill_counting', text: billCounting },
  { number: 24, name: 'alert_engine', text: alertEngine },
  { number: 26, name: 'service_checks', text: serviceChecks },
  { number: 27, name: 'log_partitions', text: logPartitions },
  { number: 28, name: 'sessions', text: sessions },
  { number: 29, name: 'events_maintenance', text: eventsMaintenance },
  { number: 31, name: 'port_search', text: portSearch },
  { number: 32, name: 'token_scope', text: tokenScope },
  { number: 33, name: 'outbox_order', text: outboxOrder },
  { number: 36, name: 'imports', text: imports },
  { number: 37, name: 'alert_storms', text: alertStorms },
  { number: 38, name: 'trap_senders', text: trapSenders },
  { number: 40, name: 'user_identities', text: userIdentities },
  { number: 41, name: 'cluster', text: cluster },
  { number: 44, name: 'remote_pollers', text: remotePollers },
  { number: 46, name: 'last_backup', text: lastBackup },
  { number: 47, name: 'secret_keys', text: secretKeys },
  { number: 58, name: 'log_totals', text: logTotals },
  { number: 64, name: 'lead_lock', text: leadLock },
  { number: 65, name: 'gone_objects', text: goneObjects },
  { number: 70, name: 'discovery_failures', text: discoveryFailures },
  { number: 75, name: 'guessed_limits', text: guessedLimits },
  { number: 76, name: 'answers_from_anywhere', text: answersFromAnywhere },
  { number: 80, name: 'syslog_clock', text: syslogClock },
  { number: 85, name: 'location_grants', text: locationGrants },
  { number: 98, name: 'natural_order', text: naturalOrder },
  { number: 99, name: 'etherlike', text: etherlike },
]
