import type { Actor } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import type { DeviceService } from '../../../core/devices/service.ts'
import type { PortRow, PortService } from '../../../core/ports/service.ts'
import { rowId } from '../lookup.ts'
import { presentDevice } from '../records/device.ts'
import type { Port, PortModel } from './model.ts'

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
    ...asPort(row),
    ...(relation === 'vlans' && { vlans: asVlans(await ports.vlans(row.port_id)) }),
    ...(relation === 'statistics' && { statistics: asStatistics(await ports.statistics(row.port_id)) }),
    ...(relation === 'device' && {
      device: presentDevice(await devices.record(actor, { device_id: row.device_id, hostname: '' })),
    }),
  }
  return { status: 'ok', message: '', port: [port] }
}

type Info = (typeof PortModel.info.static)['port'][number]

/** Guaranteed by the column list of the port record; the tests check every answer against the model. */
const asPort = (row: PortRow) => row as unknown as Port
/** Like asPort: `untagged` is 0 or 1 in the table. */
const asVlans = (rows: unknown) => rows as NonNullable<Info['vlans']>
/** Like asPort. */
const asStatistics = (row: unknown) => row as NonNullable<Info['statistics']>
