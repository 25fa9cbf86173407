import type { ChartSpec, Range } from '../../components/chart.tsx'

interface PortSubject {
  readonly portId: number
  /** '' where the device is not granted: then no address of the API is offered. */
  readonly hostname: string
  readonly ifName: string
  /** Bits per second; null: unknown. */
  readonly speed: number | null
  readonly range: Range
}

const png = ({ hostname, ifName }: PortSubject, type: string) =>
  hostname === '' ? null : `/api/v0/devices/${encodeURIComponent(hostname)}/ports/${encodeURIComponent(ifName)}/${type}`

const sql = (portId: number, columns: string) =>
  `select "time", ${columns} from ts.port_rates where port_id = ${portId} and "time" > now() - interval '24 hours' order by "time"`

/** Traffic in bit/s: in above, out below. */
export const trafficOf = (subject: PortSubject): ChartSpec => ({
  kind: 'port',
  id: subject.portId,
  title: 'Traffic',
  unit: 'bit/s',
  lines: [
    { line: 'in_octets', label: 'In', tone: 'in', factor: 8 },
    { line: 'out_octets', label: 'Out', tone: 'out', factor: 8, below: true },
  ],
  limit: subject.speed,
  p95: true,
  height: 250,
  png: png(subject, 'port_bits'),
  sql: sql(subject.portId, 'in_bps, out_bps'),
})

/** Unicast packets a second. */
export const packetsOf = (subject: PortSubject): ChartSpec => ({
  kind: 'port',
  id: subject.portId,
  title: 'Packets',
  unit: '/s',
  lines: [
    { line: 'in_pkts', label: 'In', tone: 'in', factor: 1 },
    { line: 'out_pkts', label: 'Out', tone: 'out', factor: 1, below: true },
  ],
  limit: null,
  p95: false,
  height: 180,
  png: png(subject, 'port_upkts'),
  sql: sql(subject.portId, 'in_pps, out_pps'),
})

/** Errors above, discards below, a second. */
export const errorsOf = (subject: PortSubject): ChartSpec => ({
  kind: 'port',
  id: subject.portId,
  title: 'Errors and discards',
  unit: '/s',
  lines: [
    { line: 'in_err', label: 'Errors in', tone: 'err', factor: 1 },
    { line: 'out_err', label: 'Errors out', tone: 'err', factor: 1 },
    { line: 'in_disc', label: 'Discards in', tone: 'disc', factor: 1, below: true },
    { line: 'out_disc', label: 'Discards out', tone: 'disc', factor: 1, below: true },
  ],
  limit: null,
  p95: false,
  height: 180,
  png: png(subject, 'port_errors'),
  sql: sql(subject.portId, 'in_errs, out_errs, in_discs, out_discs'),
})
