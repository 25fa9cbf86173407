import { parseMac } from '../../lib/mac.ts'
import { namesOfPort } from '../../lib/port-names.ts'
import type { RemoteEnd } from '../../modules/links/observation.ts'
import type { Sql } from '../database/client.ts'
import { remoteEnds } from './remote-ends.ts'
import { statement, type Tx } from './write-rows.ts'

interface OpenLink {
  readonly id: number
  readonly remote_hostname: string
  readonly remote_port: string
}

const OPEN = `links
     where local_device_id <> $1 and remote_port_id is null
       and (remote_device_id = $1 or remote_device_id = 0 and split_part(lower(remote_hostname), '.', 1) in (
         select split_part(lower(name), '.', 1) from devices, unnest(array["sysName", hostname]) as name
         where device_id = $1 and name <> ''))`

/** Whether there may be something for `adoptLinks`. */
export async function hasOpenLinks(sql: Sql, deviceId: number): Promise<boolean> {
  return (await sql.unsafe(`select from ${OPEN} limit 1`, [deviceId], { prepare: true })).length > 0
}

/**
 * Completes links of other devices whose remote end is this device and that were found before it or its ports were
 * known, without waiting for the next discovery of those devices. Skips rows locked by another discovery.
 */
export async function adoptLinks(tx: Tx, deviceId: number): Promise<void> {
  // so that neither it nor its ports are deleted before the links name them
  const there = await statement(tx, 'select from devices where device_id = $1 for key share', [deviceId])
  if (there.length === 0) return
  const open = await statement<OpenLink[]>(
    tx,
    `select id, remote_hostname, remote_port from ${OPEN}
     order by id for update skip locked`,
    [deviceId],
  )
  if (open.length === 0) return
  const rows = open.map((link) => ({ link, remote: remoteEndOf(link) }))
  const endOf = await remoteEnds(tx, rows)
  for (const { link, remote } of rows) {
    const end = endOf(remote)
    if (end?.device_id !== deviceId) continue
    await statement(
      tx,
      `update links set remote_device_id = $1, remote_port_id = (select port_id from ports where port_id = $2 for key share)
       where id = $3`,
      [deviceId, end.port_id ?? 0, link.id],
    )
  }
}

/** What the stored row still says about the remote end. */
function remoteEndOf({ remote_hostname, remote_port }: OpenLink): RemoteEnd {
  const mac = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(remote_port)
  return {
    name: remote_hostname,
    mac: parseMac(remote_hostname),
    addresses: [],
    portNames: mac ? [] : namesOfPort(remote_port),
    portMac: mac ? parseMac(remote_port) : null,
    portIndex: null,
  }
}
