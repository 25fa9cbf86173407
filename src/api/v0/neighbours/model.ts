import { t } from 'elysia'
import { Text, Whole } from '../../nullable.ts'
import { whole } from '../../whole.ts'
import { documented, Ok } from '../envelope.ts'

const Bit = t.Union([t.Literal(0), t.Literal(1)])
const Mac = t.String({ description: '12 hex digits' })
const Truth = t.Union([t.Literal('true'), t.Literal('false'), t.Null()])

const ArpEntry = t.Object({
  id: whole(),
  port_id: whole(),
  device_id: whole(),
  mac_address: Mac,
  ipv4_address: t.String(),
  context_name: Text,
})

const Link = t.Object({
  id: whole(),
  local_port_id: Whole,
  local_device_id: whole(),
  remote_port_id: Whole,
  active: Bit,
  protocol: Text,
  remote_hostname: t.String(),
  remote_device_id: whole({ description: '0: the neighbour is not monitored' }),
  remote_port: t.String(),
  remote_platform: Text,
  remote_version: t.String(),
})

const Nac = t.Object({
  ports_nac_id: whole(),
  auth_id: t.String(),
  device_id: whole(),
  port_id: whole(),
  domain: t.String(),
  username: t.String(),
  mac_address: Mac,
  ip_address: t.String(),
  host_mode: t.String(),
  authz_status: t.String(),
  authz_by: t.String(),
  authc_status: t.String(),
  method: t.String(),
  timeout: t.String({ description: 'Seconds, as are time_left and time_elapsed' }),
  time_left: Text,
  vlan: Whole,
  time_elapsed: Text,
  created_at: t.String({ description: 'ISO 8601, UTC' }),
  updated_at: t.String({ description: 'ISO 8601, UTC' }),
  historical: Bit,
})

const PortSecurity = t.Object({
  id: whole(),
  port_id: whole(),
  device_id: whole(),
  cpsIfPortSecurityEnable: Truth,
  cpsIfPortSecurityStatus: Text,
  cpsIfMaxSecureMacAddr: Whole,
  cpsIfCurrentSecureMacAddrCount: Whole,
  cpsIfViolationAction: Text,
  cpsIfViolationCount: Whole,
  cpsIfSecureLastMacAddress: Text,
  cpsIfStickyEnable: Truth,
  port_security_enable: t.Union([t.Boolean(), t.Null()]),
  status: Text,
  max_addresses: Whole,
  address_count: Whole,
  violation_action: Text,
  violation_count: Whole,
  last_mac_address: Text,
  sticky_enable: t.Union([t.Boolean(), t.Null()]),
})

/** Answers and inputs of ARP, links, network access control and port security. */
export const NeighbourModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  arpParams: documented(t.Object({ query: t.String({ description: 'IPv4 address, MAC address or `all`' }) })),
  arpNetworkParams: documented(t.Object({ query: t.String(), cidr: t.String({ description: 'Prefix length' }) })),
  arpQuery: documented(
    t.Object({ device: t.Optional(t.String({ description: 'With `all`: hostname or id of a device' })) }),
  ),
  arp: documented(t.Object({ status: Ok, message: t.Literal(''), arp: t.Array(ArpEntry), count: whole() })),
  linkParams: documented(t.Object({ id: t.String() })),
  links: documented(t.Object({ status: Ok, links: t.Array(Link), count: whole() })),
  /** Both the documented member and the one LibreNMS sends. */
  link: documented(t.Object({ status: Ok, links: t.Array(Link), link: t.Array(Link), count: whole() })),
  nacParams: documented(t.Object({ mac: t.String() })),
  nac: documented(t.Object({ status: Ok, ports_nac: t.Array(Nac), count: whole() })),
  portParams: documented(t.Object({ port_id: t.String() })),
  /** Member names and column spellings of both the documentation and LibreNMS. */
  portSecurity: documented(
    t.Object({
      status: Ok,
      message: t.Literal(''),
      ports: t.Array(PortSecurity),
      port: t.Array(PortSecurity),
      count: whole(),
    }),
  ),
}
