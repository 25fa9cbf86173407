import { count, type Dashboard, TO_DEVICE, TO_PORT } from '../description.ts'
import { DEVICE, GROUP_PORTS, inGroups, lines } from '../sql.ts'

export const fleet: Dashboard = {
  name: 'fleet',
  title: 'Portlight: fleet',
  description: 'All devices, or those in selected groups: what is down, traffic, alerts and events.',
  variables: ['group'],
  panels: [
    count('Devices up', 4, `select count(*) as devices from grafana.devices where status = 'up' and ${inGroups()}`),
    count(
      'Devices down',
      4,
      `select count(*) as devices from grafana.devices where status = 'down' and not ignored and ${inGroups()}`,
      1,
    ),
    count(
      'Ports up',
      4,
      `select count(*) as ports from grafana.ports where oper_status = 'up' and not deleted and not disabled and ${inGroups()}`,
    ),
    count(
      'Ports down',
      4,
      `select count(*) as ports from grafana.ports where oper_status = 'down' and admin_status = 'up' and not deleted and not ignored and not disabled and ${inGroups()}`,
    ),
    count('Alerts', 4, `select count(*) as alerts from grafana.alerts where state <> 'ok' and ${inGroups()}`, 1),
    count(
      'Sensors over limits',
      4,
      `select count(*) as sensors from grafana.sensors where status in ('warning', 'critical') and ${inGroups()}`,
      1,
    ),
    {
      type: 'timeseries',
      title: 'Traffic of all ports',
      width: 24,
      unit: 'bps',
      sql: `select "time", in_bits_per_s as "in", out_bits_per_s as "out"
from grafana.total_traffic(${GROUP_PORTS}, $__timeFrom(), $__timeTo(), 300)
order by 1`,
    },
    {
      type: 'table',
      title: 'Devices',
      width: 24,
      height: 14,
      units: { uptime_s: 's', last_ping_ms: 'ms' },
      links: { hostname: TO_DEVICE },
      sql: `select hostname, display_name, status, status_reason, os, version, hardware, location, groups, uptime_s, last_ping_ms, last_polled_at
from grafana.devices where ${inGroups()} order by status, hostname limit 5000`,
    },
    {
      type: 'table',
      title: 'Alerts',
      width: 12,
      links: { hostname: TO_DEVICE },
      sql: `select changed_at, hostname, rule, severity, state, note from grafana.alerts
where state <> 'ok' and ${inGroups()} order by changed_at desc limit 500`,
    },
    {
      type: 'table',
      title: 'Events',
      width: 12,
      links: { hostname: TO_DEVICE },
      sql: `select "time", hostname, type, message, severity from grafana.events
where $__timeFilter("time") and ${inGroups()} order by 1 desc limit 500`,
    },
  ],
}

const ofDevice = `hostname = ${DEVICE}`

export const device: Dashboard = {
  name: 'device',
  title: 'Portlight: device',
  description: 'One device: its ports, load, memory and sensors.',
  variables: ['group', 'device'],
  panels: [
    {
      type: 'table',
      title: 'Device',
      width: 24,
      height: 4,
      units: { uptime_s: 's', last_ping_ms: 'ms' },
      sql: `select display_name, ip, status, status_reason, os, version, hardware, serial, location, groups, uptime_s, last_ping_ms, last_polled_at
from grafana.devices where ${ofDevice}`,
    },
    {
      type: 'timeseries',
      title: 'Inbound traffic of the busiest ports',
      width: 12,
      unit: 'bps',
      sql: busiest('in'),
    },
    { type: 'timeseries', title: 'Outbound traffic of the busiest ports', width: 12, unit: 'bps', sql: busiest('out') },
    {
      type: 'table',
      title: 'Ports',
      width: 24,
      units: { speed_bps: 'bps' },
      links: { port: TO_PORT },
      hidden: ['hostname', 'port_id'],
      sql: `select port, alias, admin_status, oper_status, speed_bps, duplex, vlan, mac_address, hostname, port_id
from grafana.ports where ${ofDevice} and not deleted order by if_index`,
    },
    {
      type: 'timeseries',
      title: 'Processors',
      width: 8,
      unit: 'percent',
      max: 100,
      sql: lines('processor_usage', 'processor', "processor || ' ' || processor_id", 'usage_percent', ofDevice),
    },
    {
      type: 'timeseries',
      title: 'Memory',
      width: 8,
      unit: 'percent',
      max: 100,
      sql: lines('memory_usage', 'mempool', 'mempool', 'used_percent', ofDevice),
    },
    {
      type: 'timeseries',
      title: 'Storage',
      width: 8,
      unit: 'percent',
      max: 100,
      sql: lines('storage_usage', 'storage', 'storage', 'used_percent', ofDevice),
    },
    {
      type: 'timeseries',
      title: 'Round-trip time',
      width: 12,
      unit: 'ms',
      sql: lines('icmp_rounds', 'icmp', "'average'::text", 'rtt_avg_ms', ofDevice),
    },
    {
      type: 'timeseries',
      title: 'Lost echo requests',
      width: 12,
      unit: 'percent',
      max: 100,
      sql: lines('icmp_rounds', 'icmp', "'lost'::text", 'loss_percent', ofDevice),
    },
    {
      type: 'table',
      title: 'Sensors',
      width: 12,
      sql: `select sensor_class, sensor, value, unit, state_name, status, limit_low, limit_high
from grafana.sensors where ${ofDevice} order by sensor_class, sensor`,
    },
    {
      type: 'table',
      title: 'Supplies',
      width: 12,
      units: { level_percent: 'percent' },
      sql: `select supply_type, supply, level_percent from grafana.supplies where ${ofDevice} order by 1, 2`,
    },
    {
      type: 'table',
      title: 'Events',
      width: 24,
      sql: `select "time", type, message, severity from grafana.events
where $__timeFilter("time") and ${ofDevice} order by 1 desc limit 500`,
    },
  ],
}

/** The ports with the most traffic in the last hour of the range: looking at the whole range would cost more. */
function busiest(way: 'in' | 'out'): string {
  return `select s."time", s.port as metric, s.${way}_bits_per_s as value
from grafana.port_series(array(
    select r.port_id from grafana.port_rates r
    where r.${ofDevice} and r."time" > $__timeTo()::timestamptz - interval '1 hour' and r."time" <= $__timeTo()
    group by 1 order by sum(r.${way}_octets) desc nulls last limit 10), $__timeFrom(), $__timeTo(), 400) s
order by 1, 2`
}
