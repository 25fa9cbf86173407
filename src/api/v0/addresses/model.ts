import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'

const Context = t.Union([t.String(), t.Null()])

const Ipv4Address = t.Object(
  {
    ipv4_address_id: whole(),
    ipv4_address: t.String(),
    ipv4_prefixlen: whole(),
    ipv4_network_id: whole(),
    port_id: whole(),
    context_name: Context,
  },
  { title: 'Ipv4Address' },
)

const Ipv6Address = t.Object(
  {
    ipv6_address_id: whole(),
    ipv6_address: t.String({ description: 'Eight groups of four digits' }),
    ipv6_compressed: t.String(),
    ipv6_prefixlen: whole(),
    ipv6_origin: t.String(),
    ipv6_network_id: whole(),
    port_id: whole(),
    context_name: Context,
  },
  { title: 'Ipv6Address' },
)

/** Addresses of a device or port: IPv4 first, then IPv6. Serves get_device_ip_addresses and get_port_ip_info. */
export const Addresses = documented(
  t.Object({
    status: Ok,
    message: t.Literal(''),
    addresses: t.Array(t.Union([Ipv4Address, Ipv6Address])),
    count: whole(),
  }),
)

const Ipv4Network = t.Object(
  {
    ipv4_network_id: whole(),
    ipv4_network: t.String({ description: 'CIDR' }),
    context_name: Context,
  },
  { title: 'Ipv4Network' },
)

const Ipv6Network = t.Object(
  {
    ipv6_network_id: whole(),
    ipv6_network: t.String({ description: 'CIDR' }),
    context_name: Context,
  },
  { title: 'Ipv6Network' },
)

const family = t.Union([t.Literal('ipv4'), t.Literal('ipv6')])
const list = t.Array(t.Union([Ipv4Address, Ipv6Address]))

export const IpModel = {
  family: documented(t.Object({ address_family: family })),
  networkFamily: documented(t.Object({ id: family })),
  network: documented(t.Object({ id: t.String({ description: 'Numeric id of a network' }) })),
  addresses: documented(t.Object({ status: Ok, ip_addresses: list, count: whole() })),
  ofNetwork: documented(t.Object({ status: Ok, addresses: list, count: whole() })),
  networks: documented(
    t.Object({ status: Ok, ip_networks: t.Array(t.Union([Ipv4Network, Ipv6Network])), count: whole() }),
  ),
}
