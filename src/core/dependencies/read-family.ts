import { NOT_ASKED } from '../base/not-asked.ts'
import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** A parent or child of a device. */
export interface Relative {
  readonly device_id: number
  readonly name: string
  readonly hostname: string
  /** 0: set by hand. */
  readonly computed: number
  /** What it was computed from; '': set by hand. */
  readonly via: string
  readonly status: number
  readonly disabled: number
}

export interface DeviceFamily {
  readonly parents: readonly Relative[]
  /** At most MAX_CHILDREN. */
  readonly children: readonly Relative[]
  readonly childCount: number
  /** It was set by hand to have no parents. */
  readonly none: boolean
  /** It is unreachable rather than down, since then, because of this device; null: it is not. `name` null: not in scope. */
  readonly unreachable: { readonly since: Date; readonly device_id: number | null; readonly name: string | null } | null
  /** Nothing has asked it yet, because no poller of its remote site has connected. */
  readonly unasked: boolean
  /** Number of devices that are unreachable because this one is down. */
  readonly behind: number
}

const MAX_CHILDREN = 50
const MAX_PARENTS = 200

/** Parents and children of a device that are in scope. Throws StoreError. */
export async function readFamily({ sql }: Store, scope: Scope, deviceId: number): Promise<DeviceFamily> {
  const seen = deviceInScopeText(scope, 'o')
  const columns = `o.device_id, coalesce(nullif(o.display, ''), o.hostname) as name, o.hostname, r.computed, r.via, o.status, o.disabled`
  const [parents, children, [rest]] = await Promise.all([
    sql<Relative[]>`
      select ${sql.unsafe(columns)} from device_relationships r join devices o on o.device_id = r.parent_device_id
      where r.child_device_id = ${deviceId} and ${sql.unsafe(seen)} order by r.further, name limit ${MAX_PARENTS}`,
    sql<Relative[]>`
      select ${sql.unsafe(columns)} from device_relationships r join devices o on o.device_id = r.child_device_id
      where r.parent_device_id = ${deviceId} and ${sql.unsafe(seen)} order by r.further, name limit ${MAX_CHILDREN}`,
    sql<
      {
        none: boolean
        unasked: boolean
        children: number
        behind: number
        since: Date | null
        cause: number | null
        name: string | null
      }[]
    >`
      select d.no_parents = 1 as none, ${sql.unsafe(NOT_ASKED)} as unasked,
        (select count(*)::int from device_relationships r join devices o on o.device_id = r.child_device_id
          where r.parent_device_id = d.device_id and ${sql.unsafe(seen)}) as children,
        (select count(*)::int from device_unreachable u join devices o on o.device_id = u.device_id
          where u.cause_device_id = d.device_id and u.up_again is null and ${sql.unsafe(seen)}) as behind,
        to_timestamp(u.going_down) as since, o.device_id as cause, coalesce(nullif(o.display, ''), o.hostname) as name
      from devices d left join device_unreachable u on u.device_id = d.device_id and u.up_again is null
        left join devices o on o.device_id = u.cause_device_id and ${sql.unsafe(seen)}
      where d.device_id = ${deviceId}`,
  ])
  return {
    parents: [...parents],
    children: [...children],
    childCount: rest?.children ?? 0,
    none: rest?.none ?? false,
    unasked: rest?.unasked ?? false,
    unreachable: rest?.since ? { since: rest.since, device_id: rest.cause, name: rest.name } : null,
    behind: rest?.behind ?? 0,
  }
}
