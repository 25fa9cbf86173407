import type { Actor } from '../../domain/actor.ts'
import type { DeviceKey, DeviceService } from '../../domain/devices/service.ts'
import { notFound } from '../../domain/errors.ts'

/** The device of a `:hostname`: a name, an id or an address. Throws 404 with the words of the operation. */
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

/** A numeric id of a path. Anything that is no id a row can have is -1, which finds nothing. */
export function rowId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : -1
  return id <= 2_147_483_647 ? id : -1
}
