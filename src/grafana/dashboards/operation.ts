import { count, type Dashboard, TO_BILL_GRAPH, TO_DEVICE } from '../description.ts'
import { DEVICE, inGroups, lines } from '../sql.ts'

const BILL = `\${bill:sqlstring}::int`
const share = (days: number, name: string) =>
  `max(a.availability_percent) filter (where a.window_s = ${days * 86_400}) as ${name}`

export const availability: Dashboard = {
  name: 'availability',
  title: 'Portlight: availability',
  description: 'How long devices were reachable, and their outages.',
  variables: ['group', 'device'],
  from: 'now-7d',
  panels: [
    {
      type: 'table',
      title: 'Availability',
      width: 24,
      height: 14,
      units: { last_day: 'percent', last_7_days: 'percent', last_30_days: 'percent', last_365_days: 'percent' },
      links: { hostname: TO_DEVICE },
      sql: `select a.hostname, ${share(1, 'last_day')}, ${share(7, 'last_7_days')}, ${share(30, 'last_30_days')}, ${share(365, 'last_365_days')}
from grafana.availability a where ${inGroups('a.hostname')} group by 1 order by 4, 1 limit 2000`,
    },
    {
      type: 'table',
      title: 'Outages',
      width: 24,
      height: 12,
      units: { outage_s: 's' },
      links: { hostname: TO_DEVICE },
      sql: `select hostname, down_at, up_at, outage_s from grafana.outages
where down_at <= $__timeTo()::timestamptz and coalesce(up_at, now()) >= $__timeFrom()::timestamptz and ${inGroups()} order by down_at desc limit 1000`,
    },
    {
      type: 'timeseries',
      title: 'Answered polls',
      width: 24,
      unit: 'percent',
      max: 100,
      sql: lines('device_polls', 'device', 'hostname', 'answered_percent', `hostname = ${DEVICE}`),
    },
  ],
}

const BILL_UNITS = {
  cdr_bits_per_s: 'bps',
  quota_octets: 'decbytes',
  rate_95th_bits_per_s: 'bps',
  average_bits_per_s: 'bps',
  total_octets: 'decbytes',
  used_percent: 'percent',
}

export const bills: Dashboard = {
  name: 'bills',
  title: 'Portlight: bills',
  description: 'Bills for traffic: the current period, past periods, and the billed traffic.',
  variables: ['bill'],
  from: 'now-30d',
  panels: [
    {
      type: 'table',
      title: 'Bills',
      width: 24,
      height: 12,
      units: BILL_UNITS,
      links: { bill: TO_BILL_GRAPH },
      hidden: ['bill_id'],
      sql: `select bill, type, customer, reference, cdr_bits_per_s, quota_octets, rate_95th_bits_per_s, direction_95th, average_bits_per_s, total_octets, used_percent, calculated_at, bill_id
from grafana.bills order by used_percent desc nulls last, bill limit 2000`,
    },
    {
      type: 'timeseries',
      title: 'Traffic',
      width: 24,
      unit: 'bps',
      sql: `select date_bin(s.step, t."time", '2000-01-03 00:00+00') as "time",
  sum(t.in_octets) * 8 / sum(t.period_s) as "in", sum(t.out_octets) * 8 / sum(t.period_s) as "out",
  max(b.cdr_bits_per_s) as "committed rate", max(b.rate_95th_bits_per_s) as "95th percentile"
from grafana.bill_traffic t join grafana.bills b on b.bill_id = t.bill_id,
  (select greatest(grafana.step_for($__timeFrom(), $__timeTo(), 400), interval '5 minutes') as step) s
where t.bill_id = ${BILL} and $__timeFilter(t."time") group by 1 order by 1`,
    },
    {
      type: 'table',
      title: 'Past periods',
      width: 24,
      units: BILL_UNITS,
      sql: `select period_from, period_to, type, cdr_bits_per_s, quota_octets, rate_95th_bits_per_s, average_bits_per_s, total_octets, used_percent
from grafana.bill_periods where bill_id = ${BILL} order by 1 desc limit 100`,
    },
  ],
}

export const poller: Dashboard = {
  name: 'poller',
  title: 'Portlight: poller',
  description: 'Polling by Portlight: duration of polls and modules, failures, roll-ups.',
  variables: ['group', 'device'],
  panels: [
    count(
      'Devices not polled for 15 minutes',
      8,
      `select count(*) as devices from grafana.poller p where coalesce(last_attempt_at, '-infinity') < now() - interval '15 minutes'
  and coalesce(own_interval_s, 0) <= 450 and ${inGroups()}`,
      1,
    ),
    count(
      'Devices with a failure',
      8,
      `select count(*) as devices from grafana.poller where failure is not null and ${inGroups()}`,
      1,
    ),
    {
      type: 'stat',
      title: 'Longest poll',
      width: 8,
      unit: 's',
      sql: `select max(last_poll_s) as seconds from grafana.poller where ${inGroups()}`,
    },
    {
      type: 'timeseries',
      title: 'Duration of polls',
      width: 12,
      unit: 'ms',
      sql: lines('device_polls', 'device', 'hostname', 'took_ms', `hostname = ${DEVICE}`),
    },
    {
      type: 'timeseries',
      title: 'Duration of modules',
      width: 12,
      unit: 'ms',
      sql: lines('module_times', 'module_time', 'module', 'took_ms', `hostname = ${DEVICE}`),
    },
    {
      type: 'table',
      title: 'Slowest devices and failures',
      width: 24,
      units: { last_poll_s: 's', last_discovery_s: 's' },
      links: { hostname: TO_DEVICE },
      sql: `select hostname, last_poll_s, last_discovery_s, last_polled_at, last_attempt_at, last_discovered_at, failure, failing_since
from grafana.poller where ${inGroups()} order by failure is null, last_poll_s desc nulls last limit 500`,
    },
    {
      type: 'table',
      title: 'Pollers',
      width: 12,
      sql: 'select poller, last_report_at, devices_per_minute, busy_s from grafana.pollers order by 1',
    },
    {
      type: 'table',
      title: 'Roll-ups',
      width: 12,
      units: { behind_s: 's' },
      sql: `select kind, level, complete_to, extract(epoch from now() - complete_to)::float8 as behind_s, extract(epoch from keep)::float8 / 86400 as kept_days
from grafana.levels where complete_to is not null order by 4 desc, 1`,
    },
  ],
}
