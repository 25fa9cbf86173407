import type { Actor } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import type { DeviceService } from '../../../core/devices/service.ts'
import type { PortService } from '../../../core/ports/service.ts'
import { rowId } from '../lookup.ts'
import { presentDevice } from '../records/device.ts'
import type { PortModel } from './model.ts'

/**
 * The answer of get_port_info: a list with the port and, as requested by `with`, its VLANs, device or other counters.
 */
export async function portInfo(
  { devices, ports }: { readonly devices: DeviceService; readonly ports: PortService },
  actor: Actor,
  portid: string,
  relation: string | undefined,
): Promise<typeof PortModel.info.static> {
  const row = await ports.record(actor, rowId(portid))
  if (!row) throw notFound(`Port ${portid} does not exist`)
  const port = {
    ...row,
    ...(relation === 'vlans' && { vlans: await ports.vlans(row.port_id) }),
    ...(relation === 'statistics' && { statistics: await ports.statistics(row.port_id) }),
    ...(relation === 'device' && {
      device: presentDevice(await devices.record(actor, { device_id: row.device_id, hostname: '' })),
    }),
  }
  return { status: 'ok', message: '', port: [port] }
}
