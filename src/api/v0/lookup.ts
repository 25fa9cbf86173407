import type { Actor } from '../../core/base/actor.ts'
import { notFound } from '../../core/base/errors.ts'
import type { DeviceKey, DeviceService } from '../../core/devices/service.ts'

/** The device given by `:hostname`: a name, an id or an address. Throws 404 with the message of the operation. */
export async function lookUpDevice(
  devices: Pick<DeviceService, 'find'>,
  actor: Actor,
  hostname: string,
  message = `Device ${hostname} does not exist`,
): Promise<DeviceKey> {
  const device = await devices.find(actor, hostname)
  if (!device) throw notFound(message)
  return device
}

/** A numeric id in a path. Invalid ids become -1, which matches nothing. */
export function rowId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : -1
  return id <= 2_147_483_647 ? id : -1
}
