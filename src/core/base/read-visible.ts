import type { Store } from '../database/client.ts'
import { type Granted, grantedDevices } from './scope.ts'

/** Ids of the objects granted to a user. Ports of granted devices are not listed. */
export interface VisibleObjects {
  readonly devices: readonly number[]
  readonly ports: readonly number[]
}

/** What a user may see: devices, directly or through groups, and single ports. */
export async function visibleObjects({ sql }: Store, scope: Granted): Promise<VisibleObjects> {
  const [row] = await sql<{ devices: number[]; ports: number[] }[]>`
      select array(${grantedDevices(sql, scope)}) as devices,
        array(select port_id from ports_perms where user_id = ${scope.userId}) as ports`
  return row ?? { devices: [], ports: [] }
}
