import type { Store } from '../database/client.ts'
import { type DeviceListRow, type DeviceTraffic, deviceTraffic } from './read-device-list.ts'

/** Devices whose traffic is remembered. */
const REMEMBERED = 20_000

/**
 * Reads the traffic of devices at their last poll, by device; absent: unknown. It is remembered until the device is
 * polled again.
 */
export function createTraffic(store: Store) {
  const traffic = new Map<number, { readonly polledMs: number; readonly traffic: DeviceTraffic }>()
  return async (
    devices: readonly Pick<DeviceListRow, 'device_id' | 'last_polled'>[],
  ): Promise<ReadonlyMap<number, DeviceTraffic>> => {
    const polled = devices.flatMap(({ device_id, last_polled }) =>
      last_polled === null ? [] : [{ device_id, polledMs: last_polled.getTime() }],
    )
    const stale = polled.filter(({ device_id, polledMs }) => traffic.get(device_id)?.polledMs !== polledMs)
    const read = new Map(
      (
        await deviceTraffic(
          store,
          stale.map((d) => d.device_id),
        )
      ).map((row) => [row.device_id, row]),
    )
    if (traffic.size > REMEMBERED) traffic.clear()
    for (const { device_id, polledMs } of stale) {
      traffic.set(device_id, { polledMs, traffic: read.get(device_id) ?? { device_id, in_bps: null, out_bps: null } })
    }
    return new Map(
      polled.flatMap(({ device_id }) => {
        const known = traffic.get(device_id)
        return known === undefined ? [] : [[device_id, known.traffic] as const]
      }),
    )
  }
}
