import { describe, expect, test } from 'bun:test'
import { parseScrape, selfState } from '../../../src/core/checks/run/builtin/self-state.ts'
import { SELF_PARTS, type SelfPart } from '../../../src/core/checks/self-parts.ts'
import { CATALOGUE } from '../../../src/observe/catalogue.ts'
import { formatMetrics } from '../../../src/observe/metrics.ts'

const NOW_S = 1_800_000_000
const healthy: Readonly<Record<string, number>> = {
  portlight_poll_lag_seconds: 0.1,
  'portlight_event_loop_lag_seconds{thread="main"}': 0.01,
  portlight_samples_waiting: 1000,
  portlight_samples_limit: 1_000_000,
  portlight_disk_free_bytes: 50e9,
  portlight_disk_size_bytes: 100e9,
  portlight_database_up: 1,
  portlight_database_look_age_seconds: 8,
  portlight_database_look_seconds: 0.1,
  portlight_database_oldest_transaction_seconds: 3,
  portlight_partitions_ahead_seconds: 300_000,
  'portlight_rollup_lag_seconds{kind="port",level="1h"}': 0,
  'portlight_rollup_lag_seconds{kind="port",level="1d"}': 80_000,
  portlight_series_problems: 0,
  portlight_packing_problems: 0,
  portlight_packing_overdue_chunks: 0,
  portlight_alert_outbox_age_seconds: 0,
  portlight_tls_certificate_expiry_timestamp_seconds: NOW_S + 60 * 86_400,
  portlight_database_clock_skew_seconds: -0.02,
  portlight_backup_age_seconds: 86_400,
}
const scrapeOf = (values: Readonly<Record<string, number>>) =>
  parseScrape(
    Object.entries(values)
      .map(([name, value]) => `# HELP x\n${name} ${value}`)
      .join('\n'),
  )
const judged = (part: SelfPart, changed: Readonly<Record<string, number>>) =>
  selfState(part, scrapeOf({ ...healthy, ...changed }), NOW_S)

/** Part, changed metrics, and the resulting state. */
const CASES: readonly (readonly [SelfPart, Readonly<Record<string, number>>, 0 | 1 | 2])[] = [
  ['poller', { portlight_poll_lag_seconds: 30 }, 0],
  ['poller', { portlight_poll_lag_seconds: 31 }, 1],
  ['poller', { portlight_poll_lag_seconds: 301 }, 2],
  ['buffer', { portlight_samples_waiting: 250_000 }, 1],
  ['buffer', { portlight_samples_waiting: 900_000 }, 2],
  ['disk', { portlight_disk_free_bytes: 9e9 }, 1],
  ['disk', { portlight_disk_free_bytes: 1.9e9, portlight_disk_size_bytes: 3e9 }, 1],
  ['disk', { portlight_disk_free_bytes: 0.4e9, portlight_disk_size_bytes: 1e9 }, 2],
  ['disk', { portlight_disk_warning: 1, portlight_disk_full_seconds: 13 * 86_400 }, 1],
  ['disk', { portlight_disk_warning: 0, portlight_disk_free_bytes: 9e9 }, 0],
  ['disk', { portlight_disk_warning: 1, portlight_disk_free_bytes: 11e9 }, 1],
  ['disk', { portlight_disk_warning: 0, portlight_disk_free_bytes: 0.4e9 }, 2],
  ['database', { portlight_database_up: 0 }, 2],
  ['database', { portlight_database_look_age_seconds: 121 }, 2],
  ['database', { portlight_database_look_seconds: 6 }, 1],
  ['database', { portlight_database_oldest_transaction_seconds: 3601 }, 1],
  ['database', { portlight_partitions_ahead_seconds: 40_000 }, 2],
  ['rollups', { 'portlight_rollup_lag_seconds{kind="port",level="1h"}': 11_000 }, 1],
  ['rollups', { 'portlight_rollup_lag_seconds{kind="sensor",level="1h"}': 90_000 }, 2],
  ['rollups', { portlight_series_problems: 1 }, 1],
  ['packing', { portlight_packing_problems: 1 }, 1],
  ['packing', { portlight_packing_overdue_chunks: 900 }, 0],
  ['notifications', { portlight_alert_outbox_age_seconds: 901 }, 1],
  ['certificate', { portlight_tls_certificate_expiry_timestamp_seconds: NOW_S + 13 * 86_400 }, 1],
  ['certificate', { portlight_tls_certificate_expiry_timestamp_seconds: NOW_S - 1 }, 2],
  ['clock', { portlight_database_clock_skew_seconds: 6 }, 1],
  ['clock', { portlight_database_clock_skew_seconds: -61 }, 2],
  ['backup', { portlight_backup_age_seconds: 2.1 * 86_400 }, 1],
]

describe('the state of Portlight itself', () => {
  test.each(Object.keys(SELF_PARTS) as SelfPart[])('%s is ok on a healthy server', (part) => {
    expect(judged(part, {}).status).toBe(0)
    expect(CASES.some(([changed, , status]) => changed === part && status > 0)).toBe(true)
  })

  test.each(CASES)('%s with %o is %i', (part, changed, status) => {
    expect(judged(part, changed).status).toBe(status)
  })

  test('parts without metrics are unknown, except those that are optional', () => {
    const states = (Object.keys(SELF_PARTS) as SelfPart[]).map((part) => selfState(part, new Map(), NOW_S).status)
    expect(states).toEqual([3, 3, 3, 3, 3, 3, 3, 0, 3, 0])
  })

  test('the disk says when it is full, and packing what is left', () => {
    const filling = { portlight_disk_warning: 1, portlight_disk_full_seconds: 13 * 86_400 }
    expect(judged('disk', filling).text).toBe("50.0 GB free, 50 %, full in 13 d at today's rate")
    expect(judged('packing', { portlight_packing_overdue_chunks: 7 }).text).toBe(
      'older samples are being packed: 7 chunks left',
    )
  })

  test('reads only metrics that exist', () => {
    const names = [...Object.keys(healthy), ...CASES.flatMap(([, changed]) => Object.keys(changed))].map((name) =>
      name.replace(/\{.*/, ''),
    )
    expect(names.filter((name) => !(name in CATALOGUE))).toEqual([])
    const text = formatMetrics([{ name: 'a', type: 'gauge', help: '', value: 1, labels: { x: 'say "}"', y: '2' } }])
    expect(parseScrape(text).get('a')).toEqual([{ labels: { x: 'say \\"}\\"', y: '2' }, value: 1 }])
  })
})
