import { type Dashboard, TO_DEVICE, TO_PORT, TO_PORT_GRAPH } from '../description.ts'
import { DEVICE, inGroups, levels, PORT } from '../sql.ts'

const ofPort = `port_id = ${PORT}`
const series = (columns: string) =>
  `select "time", ${columns}\nfrom grafana.port_series(array[${PORT}], $__timeFrom(), $__timeTo(), 400)\norder by 1`

export const port: Dashboard = {
  name: 'port',
  title: 'Portlight: port',
  description: 'One port: traffic, utilisation, packets, errors and discards.',
  variables: ['group', 'device', 'port'],
  panels: [
    {
      type: 'table',
      title: 'Port',
      width: 24,
      height: 4,
      units: { speed_bps: 'bps', mtu_octets: 'decbytes' },
      links: { port: TO_PORT_GRAPH, hostname: TO_DEVICE },
      sql: `select hostname, port, description, alias, admin_status, oper_status, speed_bps, duplex, mtu_octets, mac_address, vlan
from grafana.ports where ${ofPort} and hostname = ${DEVICE}`,
    },
    {
      type: 'stat',
      title: 'Inbound 95th percentile',
      width: 6,
      unit: 'bps',
      sql: `select in_bits_per_s from grafana.p95(${PORT}, $__timeFrom(), $__timeTo())`,
    },
    {
      type: 'stat',
      title: 'Outbound 95th percentile',
      width: 6,
      unit: 'bps',
      sql: `select out_bits_per_s from grafana.p95(${PORT}, $__timeFrom(), $__timeTo())`,
    },
    {
      type: 'stat',
      title: 'Received',
      width: 6,
      unit: 'decbytes',
      sql: `select sum(in_octets)::float8 as octets from grafana.total_traffic(array[${PORT}], $__timeFrom(), $__timeTo(), 400)`,
    },
    {
      type: 'stat',
      title: 'Sent',
      width: 6,
      unit: 'decbytes',
      sql: `select sum(out_octets)::float8 as octets from grafana.total_traffic(array[${PORT}], $__timeFrom(), $__timeTo(), 400)`,
    },
    {
      type: 'timeseries',
      title: 'Traffic',
      width: 24,
      unit: 'bps',
      sql: series(
        'in_bits_per_s as "in", out_bits_per_s as "out", in_bits_per_s_max as "in, maximum", out_bits_per_s_max as "out, maximum"',
      ),
    },
    {
      type: 'timeseries',
      title: 'Utilisation',
      width: 12,
      unit: 'percent',
      max: 100,
      sql: series('in_utilisation_percent as "in", out_utilisation_percent as "out"'),
    },
    {
      type: 'timeseries',
      title: 'Errors and discards per second',
      width: 12,
      unit: 'short',
      sql: series(
        'in_errors_per_s as "errors in", out_errors_per_s as "errors out", in_discards_per_s as "discards in", out_discards_per_s as "discards out"',
      ),
    },
    {
      type: 'timeseries',
      title: 'Packets',
      width: 24,
      unit: 'pps',
      sql: `${levels(
        'port_rates',
        'port',
        `"time", in_unicast_packets_per_s as "unicast in", out_unicast_packets_per_s as "unicast out", in_broadcast_packets_per_s as "broadcast in",
  out_broadcast_packets_per_s as "broadcast out", in_multicast_packets_per_s as "multicast in", out_multicast_packets_per_s as "multicast out"`,
        ofPort,
      )}\norder by 1`,
    },
  ],
}

export const topTalkers: Dashboard = {
  name: 'top-talkers',
  title: 'Portlight: top talkers',
  description: 'Ports with the most traffic in the time range.',
  variables: ['group'],
  panels: [
    {
      type: 'timeseries',
      title: 'Traffic of the ten busiest ports, both directions',
      width: 24,
      unit: 'bps',
      sql: `select s."time", s.hostname || ' ' || s.port as metric, s.in_bits_per_s + s.out_bits_per_s as value
from grafana.port_series(array(select t.port_id from grafana.top_ports($__timeFrom(), $__timeTo(), 1000) t
  where ${inGroups('t.hostname')} order by t.in_octets + t.out_octets desc limit 10), $__timeFrom(), $__timeTo(), 300) s
order by 1, 2`,
    },
    {
      type: 'table',
      title: 'Busiest ports',
      width: 24,
      height: 16,
      units: {
        speed_bps: 'bps',
        in_bits_per_s: 'bps',
        out_bits_per_s: 'bps',
        in_octets: 'decbytes',
        out_octets: 'decbytes',
        in_utilisation_percent: 'percent',
        out_utilisation_percent: 'percent',
      },
      links: { hostname: TO_DEVICE, port: TO_PORT, alias: TO_PORT_GRAPH },
      hidden: ['port_id'],
      sql: `select hostname, port, alias, speed_bps, in_bits_per_s, out_bits_per_s, in_utilisation_percent, out_utilisation_percent, in_octets, out_octets, port_id
from grafana.top_ports($__timeFrom(), $__timeTo(), 1000) where ${inGroups()} limit 100`,
    },
  ],
}

export const errors: Dashboard = {
  name: 'errors',
  title: 'Portlight: interfaces with errors',
  description: 'Ports with errors or discards in the time range.',
  variables: ['group'],
  panels: [
    {
      type: 'table',
      title: 'Ports with errors or discards',
      width: 24,
      height: 18,
      links: { hostname: TO_DEVICE, port: TO_PORT },
      hidden: ['port_id'],
      units: { speed_bps: 'bps' },
      sql: `select hostname, port, alias, speed_bps, in_errors, out_errors, in_discards, out_discards, port_id
from grafana.port_errors($__timeFrom(), $__timeTo(), 1000) where ${inGroups()} limit 200`,
    },
  ],
}
