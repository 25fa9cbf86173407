import type { Actor } from '../../../core/base/actor.ts'
import type { DeviceService } from '../../../core/devices/service.ts'
import { t } from '../../elysia.ts'
import { documented } from '../envelope.ts'

export const HostnameQuery = documented(
  t.Object({ hostname: t.Optional(t.String({ description: 'hostname or device id' })) }),
)

/**
 * The id of the device given by `hostname` in the query. An unknown name, or one that the
 * actor may not see, filters nothing, as in LibreNMS.
 */
export async function deviceOf(
  devices: Pick<DeviceService, 'visible'>,
  actor: Actor,
  hostname: string | undefined,
): Promise<number | undefined> {
  return hostname === undefined ? undefined : (await devices.visible(actor, hostname))?.device_id
}
