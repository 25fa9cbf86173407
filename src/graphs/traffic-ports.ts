import type { GraphPort } from './series-source.ts'

const LEFT_OUT_TYPES = ['loopback', 'tunnel', 'virtual', 'mpls', 'ieee8023adLag', 'l2vlan', 'ppp'].map((t) =>
  t.toLowerCase(),
)
const LEFT_OUT_NAMES = ['loopback', 'vlan', 'tunnel', 'bond', 'null', 'dummy']

/**
 * Whether a port counts in `device_bits`: not disabled, not deleted, and not one that only carries traffic of other
 * ports of the device (VLANs, bundles, tunnels) or none at all. Source: contract BEHAVIOUR.md 11.
 */
export function isTrafficPort(port: GraphPort): boolean {
  if (port.disabled || port.deleted) return false
  const type = (port.ifType ?? '').toLowerCase()
  if (LEFT_OUT_TYPES.some((t) => type.includes(t))) return false
  const names = `${port.ifName ?? ''} ${port.ifDescr ?? ''}`.toLowerCase()
  return !LEFT_OUT_NAMES.some((n) => names.includes(n))
}
