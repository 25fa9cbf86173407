import type { NacRow } from '../../modules/nac/observation.ts'
import type { PortSecurityRow } from '../../modules/port-security/observation.ts'
import { type AdjustedValues, int2, int4, text } from './columns.ts'
import type { Event } from './events.ts'
import { difference, type KeyedTable } from './keyed.ts'
import { localPorts } from './local-ports.ts'
import type { SetOutcome } from './outcome.ts'
import type { Found, PortIds } from './table.ts'
import { deleteRows, insertRows, statement, type Tx, updateRows } from './write-rows.ts'

const NAC = {
  table: 'ports_nac',
  id: 'ports_nac_id',
  owner: 'device_id',
  key: ['port_id', 'auth_id', 'mac_address'],
  columns: {
    port_id: int4,
    auth_id: text(50),
    domain: text(50),
    username: text(50),
    mac_address: text(50),
    ip_address: text(50),
    host_mode: text(50),
    authz_status: text(50),
    authz_by: text(50),
    authc_status: text(50),
    method: text(50),
    timeout: text(50),
    time_left: text(50),
    vlan: int4,
    time_elapsed: text(50),
    historical: int2,
  },
} as const satisfies KeyedTable

/** Days that a session is kept after it was last seen. */
const NAC_DAYS = 10

/**
 * Sessions of network access control. An ended session stays as a historical row for some days and is reused if it
 * returns; `updated_at` is when it was last seen. Sessions on interfaces without a port are not stored.
 */
export async function syncNac(
  tx: Tx,
  deviceId: number,
  found: Found<NacRow>,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const portOf = await localPorts(tx, deviceId)
  const rows = found.rows.flatMap(({ local, ...row }) => {
    const port_id = portOf([local])
    return port_id === null ? [] : [{ ...row, port_id, historical: 0 }]
  })
  const { added, kept, changed, missing } = await difference(tx, NAC, deviceId, rows, adjusted)
  const over = found.complete ? missing.filter(({ before }) => before['historical'] === 0) : []
  await updateRows(tx, NAC, changed)
  await insertRows(tx, NAC, deviceId, added)
  await updateRows(
    tx,
    { ...NAC, columns: { historical: int2 } },
    over.map(({ id }) => ({ id, values: { historical: 1 } })),
  )
  const seen = [...kept, ...changed].map(({ id }) => id)
  if (seen.length > 0)
    await statement(tx, 'update ports_nac set updated_at = now() where ports_nac_id = any($1::int[])', [
      `{${seen.join(',')}}`,
    ])
  if (found.complete)
    await tx`delete from ports_nac where device_id = ${deviceId} and historical = 1
      and updated_at < now() - make_interval(days => ${NAC_DAYS})`
  return { counts: { added: added.length, changed: changed.length, removed: over.length }, events: [] }
}

const PORT_SECURITY = {
  table: 'port_security',
  id: 'id',
  owner: 'device_id',
  key: ['port_id'],
  columns: {
    port_id: int4,
    port_security_enable: int2,
    status: text(32),
    max_addresses: int4,
    address_count: int4,
    violation_action: text(32),
    violation_count: int4,
    last_mac_address: text(20),
    sticky_enable: int2,
  },
} as const satisfies KeyedTable

/** Port security. Logs an event when it shuts a port down and when the port is released. */
export async function syncPortSecurity(
  tx: Tx,
  deviceId: number,
  ports: PortIds,
  found: Found<PortSecurityRow>,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const rows = found.rows.flatMap(({ ifIndex, ...row }) => {
    const port_id = ports.get(ifIndex)
    return port_id === undefined ? [] : [{ ...row, port_id }]
  })
  const { added, changed, missing } = await difference(tx, PORT_SECURITY, deviceId, rows, adjusted)
  const gone = found.complete ? missing : []
  await deleteRows(
    tx,
    PORT_SECURITY,
    gone.map(({ id }) => id),
  )
  await updateRows(tx, PORT_SECURITY, changed)
  await insertRows(tx, PORT_SECURITY, deviceId, added)
  const events = changed.flatMap(({ before, values }): Event[] => {
    const [from, to] = [before['status'], values['status']]
    if (from === to || (from !== 'shutdown' && to !== 'shutdown')) return []
    const message = `Port security: ${from ?? ''} -> ${to ?? ''}`
    const severity = to === 'shutdown' ? 5 : 3
    return [{ deviceId, message, type: 'port_security', reference: Number(values['port_id']), severity }]
  })
  return { counts: { added: added.length, changed: changed.length, removed: gone.length }, events }
}
