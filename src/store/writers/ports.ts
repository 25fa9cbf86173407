import type { Store } from '../client.ts'
import { writeAudit } from './audit.ts'

/**
 * Sets ifAlias of a port and locks it against polling (device attribute `ifName:{ifName}` = 1), or with `null` marks it
 * `repoll` and unlocks it, so that the next poll brings back what the device says.
 */
export async function updatePortDescription(
  { sql }: Store,
  port: { readonly port_id: number; readonly device_id: number; readonly ifName: string | null },
  description: string | null,
  username: string,
): Promise<void> {
  const lock = `ifName:${port.ifName ?? ''}`
  await sql.begin(async (tx) => {
    await tx`update ports set "ifAlias" = ${description ?? 'repoll'} where port_id = ${port.port_id}`
    if (description === null) {
      await tx`delete from devices_attribs where device_id = ${port.device_id} and attrib_type = ${lock}`
    } else {
      await tx`insert into devices_attribs (device_id, attrib_type, attrib_value) values (${port.device_id}, ${lock}, '1')
        on conflict (device_id, attrib_type) do update set attrib_value = '1', updated = now()`
    }
    await writeAudit(tx, {
      deviceId: port.device_id,
      message:
        description === null
          ? `${port.ifName ?? ''} Port ifAlias cleared manually`
          : `${port.ifName ?? ''} Port ifAlias set manually: ${description}`,
      type: 'interface',
      reference: String(port.port_id),
      username,
      severity: 3,
    })
  })
}
