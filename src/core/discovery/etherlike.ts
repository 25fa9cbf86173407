import type { EtherlikeRow } from '../../modules/etherlike/observation.ts'
import { counting, type SetOutcome } from './outcome.ts'
import type { Found, PortIds } from './table.ts'
import { statement, type Tx } from './write-rows.ts'

/** Marks the ports that have Ethernet counters. After a complete walk, no others have the mark. */
export async function syncEtherlike(
  tx: Tx,
  deviceId: number,
  ports: PortIds,
  { rows, complete }: Found<EtherlikeRow>,
): Promise<SetOutcome> {
  const ids = rows.flatMap(({ ifIndex }) => ports.get(ifIndex) ?? [])
  const changed = await statement<{ etherlike: number }[]>(
    tx,
    `update ports set etherlike = 1 - etherlike where device_id = $1
       and (port_id = any($2::int[])) <> (etherlike <> 0) and ($3::int = 1 or etherlike = 0)
     returning etherlike`,
    [deviceId, `{${ids.join()}}`, Number(complete)],
  )
  const added = changed.filter(({ etherlike }) => etherlike === 1).length
  return { counts: { ...counting(), added, removed: changed.length - added }, events: [] }
}
