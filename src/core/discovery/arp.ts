import type { ArpRow } from '../../modules/arp/observation.ts'
import { type AdjustedValues, int4, text } from './columns.ts'
import type { Event } from './events.ts'
import { difference, type KeyedTable } from './keyed.ts'
import type { SetOutcome } from './outcome.ts'
import type { Found, PortIds } from './table.ts'
import { deleteRows, insertRows, type Tx, updateRows } from './write-rows.ts'

export const ARP = cacheTable('ipv4_mac', 'ipv4_address')
export const ND = cacheTable('ipv6_nd', 'ipv6_address')

function cacheTable(table: string, address: 'ipv4_address' | 'ipv6_address') {
  return {
    table,
    id: 'id',
    owner: 'device_id',
    address,
    key: ['port_id', address, 'context_name'],
    columns: { port_id: int4, mac_address: text(32), [address]: text(64), context_name: text(128) },
  } as const satisfies KeyedTable & { address: string }
}

/**
 * ARP and ND caches, without entries of interfaces that have no port. Entries come and go by the thousand, so only a
 * changed MAC address is logged.
 */
export async function syncArp(
  tx: Tx,
  table: typeof ARP,
  deviceId: number,
  ports: PortIds,
  found: Found<ArpRow>,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const rows = found.rows.flatMap(({ ifIndex, address, mac, context }) => {
    const port_id = ports.get(ifIndex)
    return port_id === undefined
      ? []
      : [{ port_id, mac_address: mac, [table.address]: address, context_name: context ?? '' }]
  })
  const { added, changed, missing } = await difference(tx, table, deviceId, rows, adjusted)
  const gone = found.complete ? missing : []
  await deleteRows(
    tx,
    table,
    gone.map(({ id }) => id),
  )
  await updateRows(tx, table, changed)
  await insertRows(tx, table, deviceId, added)
  const events = changed.map(
    ({ before, values }): Event => ({
      deviceId,
      message: `MAC address of ${values[table.address]}: ${before['mac_address']} -> ${values['mac_address']}`,
      type: 'arp',
      reference: Number(values['port_id']),
      severity: 3,
    }),
  )
  return { counts: { added: added.length, changed: changed.length, removed: gone.length }, events }
}
