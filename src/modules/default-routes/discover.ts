import { formatIp } from '@portlight/addresses/ip.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { wholeUpTo } from '../../lib/whole.ts'
import { DEFAULT_ROUTES, ipRouteIfIndex, ipRouteNextHop } from '../../mibs/ip-forward-mib.ts'
import { atMost } from '../at-most.ts'
import { need, phase } from '../module.ts'
import type { DefaultRouteRow } from './observation.ts'

/** Default routes that are read of a device; a router has one for each of its uplinks. */
const MAX_ROUTES = 64
const MAX_IF_INDEX = 0x7fff_ffff
/** Next hops of routes over an interface without one. */
const NONE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/**
 * Next hops of the default route: inetCidrRouteTable (RFC 4292), else the tables it replaced. Routes over an interface
 * without a next hop are left out.
 */
export const discoverDefaultRoutes = phase({
  tables: {
    inet4: need(DEFAULT_ROUTES.inet4),
    inet6: need(DEFAULT_ROUTES.inet6),
    cidr: need(DEFAULT_ROUTES.cidr),
  },
  scalars: { nextHop: ipRouteNextHop, ifIndex: ipRouteIfIndex },
  run({ tables: { inet4, inet6, cidr }, scalars, scalarsComplete, unread }) {
    const found = new Map<string, DefaultRouteRow>()
    const add = (hop: string | null | undefined, ifIndex: number | undefined): void => {
      if (!hop || NONE.has(hop) || (found.size >= MAX_ROUTES && !found.has(hop))) return
      found.set(hop, { next_hop: hop, ifIndex: wholeUpTo(ifIndex, MAX_IF_INDEX) || null })
    }
    for (const [table, read] of [
      [DEFAULT_ROUTES.inet4, inet4],
      [DEFAULT_ROUTES.inet6, inet6],
    ] as const)
      for (const [index, row] of atMost(MAX_ROUTES, table, read.rows, unread))
        add(formatIp(decodeIndex(index, ['oid', 'inetAddress'])?.[1].octets), row.ifIndex)
    if (found.size === 0)
      for (const [index, row] of atMost(MAX_ROUTES, DEFAULT_ROUTES.cidr, cidr.rows, unread))
        add(decodeIndex(index, ['integer', 'ipAddress'])?.[1], row.ifIndex)
    if (found.size === 0) add(scalars.nextHop, scalars.ifIndex)
    const complete = inet4.complete && inet6.complete && cidr.complete && scalarsComplete
    return [{ kind: 'default-routes', complete, rows: [...found.values()] }]
  },
})
