import { DISCOVERED_TYPES } from '../../modules/load-balancers/observation.ts'
import type { SetKind } from './merge-observations.ts'
import { DISCOVERED } from './tables.ts'
import { statement, type Tx } from './write-rows.ts'

const of = (table: string, owner = 'device_id'): string => `select from "${table}" where ${owner} = $1`
const ofPorts = (table: string): string => `select from ports join ${table} using (port_id) where device_id = $1`

/** For each kind, what a complete observation without rows would change. */
const ROWS: Readonly<Record<Exclude<SetKind, 'ports'>, string>> = {
  ipv4: ofPorts('ipv4_addresses'),
  ipv6: ofPorts('ipv6_addresses'),
  'port-stack': of('ports_stack'),
  vlans: of('vlans'),
  'port-vlans': of('ports_vlans'),
  'port-switching': `${of('ports')} and coalesce("ifVlan", "ifTrunk") is not null`,
  etherlike: `${of('ports')} and etherlike <> 0`,
  fdb: of('ports_fdb'),
  arp: of('ipv4_mac'),
  nd: of('ipv6_nd'),
  links: of('links', 'local_device_id'),
  nac: of('ports_nac'),
  'port-security': of('port_security'),
  components: `${of('component')} and type in (${DISCOVERED_TYPES.map((type) => `'${type}'`).join()})`,
  ...(Object.fromEntries(Object.entries(DISCOVERED).map(([kind, { table }]) => [kind, of(table)])) as Record<
    keyof typeof DISCOVERED,
    string
  >),
}

const HELD = `select array_remove(array[${Object.entries(ROWS)
  .map(([kind, rows]) => `case when exists (${rows}) then '${kind}' end`)
  .join()}], null) as held`

/**
 * The kinds of which rows of the device are stored, in one statement. Most devices lack most tables, and there is
 * nothing to compare where neither the device nor the database has rows.
 */
export async function heldKinds(tx: Tx, deviceId: number): Promise<ReadonlySet<SetKind>> {
  const [row] = await statement<{ held: SetKind[] }[]>(tx, HELD, [deviceId])
  return new Set(row?.held ?? [])
}
