import { count, type Dashboard, TO_DEVICE } from '../description.ts'
import { DEVICE, inGroups, lines } from '../sql.ts'

const status = (view: 'sensors' | 'wireless', title: string, word: string) =>
  count(
    title,
    8,
    `select count(*) as sensors from grafana.${view} where status = '${word}' and ${inGroups()}`,
    word === 'ok' ? undefined : 1,
  )

export const sensors: Dashboard = {
  name: 'sensors',
  title: 'Portlight: sensors over limits',
  description: 'Sensors outside their limits or in a bad state, and the sensor values of one device.',
  variables: ['group', 'device'],
  panels: [
    status('sensors', 'Critical', 'critical'),
    status('sensors', 'Warning', 'warning'),
    status('sensors', 'Within limits', 'ok'),
    {
      type: 'table',
      title: 'Over limits',
      width: 24,
      height: 12,
      links: { hostname: TO_DEVICE },
      sql: `select hostname, sensor_class, sensor, value, unit, state_name, status, limit_low, limit_low_warning, limit_high_warning, limit_high, changed_at
from grafana.sensors where status in ('warning', 'critical') and ${inGroups()} order by status, hostname, sensor_class, sensor limit 1000`,
    },
    ...(['temperature', 'power', 'voltage', 'fanspeed', 'dbm', 'current'] as const).map(
      (sensorClass) =>
        ({
          type: 'timeseries',
          title: `Class ${sensorClass}`,
          width: 12,
          sql: lines(
            'sensor_values',
            'sensor',
            "sensor || ' (' || unit || ')'",
            'value',
            `hostname = ${DEVICE} and sensor_class = '${sensorClass}'`,
          ),
        }) as const,
    ),
  ],
}

export const wireless: Dashboard = {
  name: 'wireless',
  title: 'Portlight: wireless',
  description: 'Wireless sensors: clients, signal, noise, rates.',
  variables: ['group', 'device'],
  panels: [
    {
      type: 'stat',
      title: 'Clients',
      width: 8,
      sql: `select sum(value) as clients from grafana.wireless where sensor_class = 'clients' and ${inGroups()}`,
    },
    status('wireless', 'Critical', 'critical'),
    status('wireless', 'Warning', 'warning'),
    {
      type: 'table',
      title: 'Wireless sensors',
      width: 24,
      links: { hostname: TO_DEVICE },
      sql: `select hostname, sensor_class, sensor, value, unit, status from grafana.wireless
where ${inGroups()} order by hostname, sensor_class, sensor limit 2000`,
    },
    {
      type: 'timeseries',
      title: 'Clients',
      width: 12,
      sql: lines('wireless_values', 'wireless', 'sensor', 'value', `hostname = ${DEVICE} and sensor_class = 'clients'`),
    },
    {
      type: 'timeseries',
      title: 'Levels',
      width: 12,
      sql: lines(
        'wireless_values',
        'wireless',
        "sensor_class || ' ' || sensor || ' (' || unit || ')'",
        'value',
        `hostname = ${DEVICE} and unit in ('dB', 'dBm', '%')`,
      ),
    },
  ],
}

const state = (title: string, condition: string, badFrom?: number) =>
  count(title, 8, `select count(*) as sessions from grafana.bgp_peers where ${condition} and ${inGroups()}`, badFrom)

export const bgp: Dashboard = {
  name: 'bgp',
  title: 'Portlight: BGP',
  description: 'BGP sessions: their state, prefixes and messages.',
  variables: ['group', 'device'],
  panels: [
    state('Established', "state = 'established'"),
    state('Not established', "state <> 'established' and admin_status <> 'stop'", 1),
    state('Stopped', "admin_status = 'stop'"),
    {
      type: 'table',
      title: 'Sessions',
      width: 24,
      height: 14,
      units: { state_since_s: 's' },
      links: { hostname: TO_DEVICE },
      sql: `select hostname, peer, remote_as, remote_as_name, description, vrf, state, admin_status, state_since_s, accepted_prefixes, last_error
from grafana.bgp_peers where ${inGroups()} order by state = 'established', hostname, peer limit 2000`,
    },
    {
      type: 'timeseries',
      title: 'Accepted prefixes',
      width: 12,
      sql: lines('bgp_peer_rates', 'bgp_peer', 'peer', 'accepted_prefixes', `hostname = ${DEVICE}`),
    },
    {
      type: 'timeseries',
      title: 'Updates received per second',
      width: 12,
      sql: lines('bgp_peer_rates', 'bgp_peer', 'peer', 'in_updates_per_s', `hostname = ${DEVICE}`),
    },
  ],
}
