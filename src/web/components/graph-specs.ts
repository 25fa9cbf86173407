import type { ChartLimit, ChartSpec } from './chart.tsx'
import { type Limited, limitsAlike } from './health.tsx'

/** A device as charts refer to it. */
export interface GraphDevice {
  readonly deviceId: number
  /** Name used in API addresses. */
  readonly hostname: string
}

/** Height in pixels of a page's main chart, and of one among several. */
export const TALL = 250
export const MEDIUM = 180
/** Height in pixels of the lane of a state sensor, and of the axis below the lanes. */
const LANE = 24
const LANES_AXIS = 50
const MAX_LANES = 16

/** A graph of a device by its name in the API. */
export function deviceGraph(
  { deviceId, hostname }: GraphDevice,
  type: string,
  title: string,
  more: { readonly height?: number; readonly rows?: number; readonly p95?: boolean } = {},
): ChartSpec {
  return {
    src: `/graph/device/${deviceId}/${type}`,
    title,
    height: more.height ?? MEDIUM,
    device: deviceId,
    api: `/api/v0/devices/${encodeURIComponent(hostname)}/${type}`,
    ...(more.p95 === true && { p95: true }),
    ...(more.rows !== undefined && { rows: more.rows }),
  }
}

/** A health value with the object it belongs to. */
export interface Measured extends Limited {
  readonly kind: string
  readonly id: number
}

const graphOf = ({ kind, class: name }: Measured) =>
  kind === 'wireless' ? `device_wireless_${name}` : `device_${name === 'memory' ? 'mempool' : name}`

/** A chart of all values of one class on a device; if there is only one value, with its own limits. */
export function healthGraph(device: GraphDevice, title: string, values: readonly Measured[]): ChartSpec | null {
  const [first] = values
  if (first === undefined) return null
  if (values.length === 1) return measuredGraph(device, title, first)
  const isStates = first.class === 'state'
  const lanes = Math.min(MAX_LANES, values.length)
  return {
    ...deviceGraph(device, graphOf(first), title, {
      rows: values.length + (first.kind === 'processor' ? 1 : 0),
      height: isStates ? lanes * LANE + LANES_AXIS : MEDIUM,
    }),
    limits: isStates ? [] : limitsAlike(values),
  }
}

/** A chart of one value of a device, with its limits. */
export function measuredGraph(device: GraphDevice, title: string, value: Measured): ChartSpec {
  const type = graphOf(value)
  const folder = value.kind === 'wireless' ? 'wireless' : 'health'
  const isAmount = value.kind === 'mempool' || value.kind === 'storage'
  // The limits of memory and storage are percentages, but their charts are in bytes.
  const limits: readonly ChartLimit[] = value.kind === 'processor' ? limitsAlike([value]) : []
  return {
    ...deviceGraph(device, type, title, {
      rows: isAmount ? 3 : 1,
      height: value.class === 'state' ? LANE * 2 + LANES_AXIS : MEDIUM,
    }),
    src: `/graph/device/${device.deviceId}/${type}?only=${value.id}`,
    api: `/api/v0/devices/${encodeURIComponent(device.hostname)}/graphs/${folder}/${type}/${value.id}`,
    limits,
  }
}
