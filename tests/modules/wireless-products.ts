import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, gauge, int, moduleOf, text } from './agent.ts'

const ENTERPRISES = '1.3.6.1.4.1'

/**
 * A vendor's device: its values by OID below enterprises, and its expected wireless sensors, taken from the vendor's
 * MIB.
 */
export interface Product {
  readonly name: string
  readonly os?: string
  readonly sysObjectID?: string
  readonly cells: Readonly<Record<string, number | string>>
  readonly sensors: readonly string[]
}

/** The wireless sensors found on a product: class, description and value, in the order of their text. */
export async function wirelessOf({ os, sysObjectID, cells }: Product): Promise<readonly string[]> {
  const values = Object.entries(cells).map(([oid, value]) => [
    `${ENTERPRISES}.${oid}`,
    typeof value === 'string' ? text(value) : value < 0 ? int(value) : gauge(value),
  ])
  const facts = { os: os ?? null, sysObjectID: sysObjectID ?? null, sysDescr: null }
  const all = await discover([moduleOf(MODULES, 'defined-health')], agentOf(Object.fromEntries(values)), facts)
  const rows = all.flatMap((o) => (o.kind === 'wireless' ? [...o.rows] : []))
  return rows.map((row) => `${row.sensor_class} ${row.sensor_descr}: ${row.sensor_current}`).toSorted()
}
