const LEFT_OUT_TYPES = ['loopback', 'tunnel', 'virtual', 'mpls', 'ieee8023adLag', 'l2vlan', 'ppp']
const LEFT_OUT_NAMES = ['loopback', 'vlan', 'tunnel', 'bond', 'null', 'dummy']

/** What decides whether a port counts. */
interface Port {
  readonly disabled: boolean
  readonly deleted: boolean
  readonly ifType: string | null
  readonly ifName: string | null
  readonly ifDescr: string | null
}

/**
 * Whether a port counts towards its device's traffic: not disabled, not deleted, and not one that only carries traffic
 * of other ports of the device (VLANs, bundles, tunnels) or none at all. Source: contract BEHAVIOUR.md 11.
 */
export function isTrafficPort(port: Port): boolean {
  if (port.disabled || port.deleted) return false
  const type = (port.ifType ?? '').toLowerCase()
  if (LEFT_OUT_TYPES.some((t) => type.includes(t.toLowerCase()))) return false
  const names = `${port.ifName ?? ''} ${port.ifDescr ?? ''}`.toLowerCase()
  return !LEFT_OUT_NAMES.some((n) => names.includes(n))
}

/** `isTrafficPort` of ports `p` as SQL. */
export const IS_TRAFFIC_PORT = `p.deleted = 0 and p.disabled = 0
  and coalesce(p."ifType", '') !~* '${LEFT_OUT_TYPES.join('|')}'
  and concat(p."ifName", ' ', p."ifDescr") !~* '${LEFT_OUT_NAMES.join('|')}'`
