import type { ChartSpec } from '../../components/chart.tsx'
import { MEDIUM, TALL } from '../../components/graph-specs.ts'

interface PortSubject {
  readonly portId: number
  /** null: not granted; the chart then has no API address and no marks. */
  readonly device: { readonly deviceId: number; readonly hostname: string } | null
  readonly ifName: string
  /** Bits per second; null: unknown. */
  readonly speed: number | null
}

const graph = (
  { portId, device, ifName }: PortSubject,
  type: string,
  title: string,
  height: number,
  rows: number,
): ChartSpec => ({
  src: `/graph/port/${portId}/${type}`,
  title,
  height,
  rows,
  device: device?.deviceId ?? null,
  port: portId,
  api:
    device === null
      ? null
      : `/api/v0/devices/${encodeURIComponent(device.hostname)}/ports/${encodeURIComponent(ifName)}/${type}`,
})

/** Traffic in bit/s: in above, out below. */
export const trafficOf = (subject: PortSubject): ChartSpec => ({
  ...graph(subject, 'port_bits', 'Traffic', TALL, 2),
  p95: true,
  limits: subject.speed === null ? [] : [{ label: 'port speed', value: subject.speed, severe: true, mirrored: true }],
})

/** Unicast packets per second. */
export const packetsOf = (subject: PortSubject): ChartSpec => graph(subject, 'port_upkts', 'Packets', MEDIUM, 2)

/** Broadcast and multicast packets per second. */
export const othersOf = (subject: PortSubject): ChartSpec =>
  graph(subject, 'port_nupkts', 'Broadcast and multicast', MEDIUM, 6)

/** Ethernet errors and collisions per second, a line for each counter. */
export const ethernetOf = (subject: PortSubject): ChartSpec =>
  graph(subject, 'port_etherlike', 'Ethernet errors', MEDIUM, 13)

/** Errors (above) and discards (below) per second. */
export const errorsOf = (subject: PortSubject): ChartSpec =>
  graph(subject, 'port_errors', 'Errors and discards', MEDIUM, 6)
