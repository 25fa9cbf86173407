import type { GraphItem, HealthRow, WirelessRow } from '../../../core/inventory/sensors.ts'
import { localTime } from '../../../lib/record-times.ts'

/**
 * A sensor, processor, memory pool or file system in a list of graphs; the id is called `sensor_id` for all of them.
 */
export const presentGraphItem = ({ id, descr }: GraphItem) => ({ sensor_id: id, desc: descr ?? '' })

/** A processor, memory pool, file system or sensor. */
export function presentHealth(row: HealthRow) {
  return 'lastupdate' in row ? { ...row, lastupdate: localTime(row.lastupdate) } : row
}

/** A wireless sensor, or the requested columns of one. */
export function presentWireless<T extends Partial<WirelessRow>>(row: T) {
  return { ...row, ...(row.lastupdate !== undefined && { lastupdate: localTime(row.lastupdate) }) }
}
