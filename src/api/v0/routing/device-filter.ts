import { t } from 'elysia'
import type { DeviceService } from '../../../domain/devices/service.ts'
import { documented } from '../envelope.ts'

export const HostnameQuery = documented(
  t.Object({ hostname: t.Optional(t.String({ description: 'hostname or device id' })) }),
)

/** The id of the device given by `hostname` in the query. An unknown name filters nothing, as in LibreNMS. */
export async function deviceOf(
  devices: Pick<DeviceService, 'resolve'>,
  hostname: string | undefined,
): Promise<number | undefined> {
  return hostname === undefined ? undefined : (await devices.resolve(hostname))?.device_id
}
