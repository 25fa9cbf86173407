import { IPV4_ADDRESS, IPV4_NETWORK, IPV6_ADDRESS, IPV6_NETWORK } from '../../../core/records/tables.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'
import { listModel } from '../records/model.ts'

const Ipv4Address = listModel(IPV4_ADDRESS, 'Ipv4Address')
const Ipv6Address = listModel(IPV6_ADDRESS, 'Ipv6Address')
const Ipv4Network = listModel(IPV4_NETWORK, 'Ipv4Network')
const Ipv6Network = listModel(IPV6_NETWORK, 'Ipv6Network')

/** Addresses of a device or port: IPv4 first, then IPv6. Serves get_device_ip_addresses and get_port_ip_info. */
export const Addresses = documented(
  t.Object({
    status: Ok,
    message: t.Literal(''),
    addresses: t.Array(t.Union([Ipv4Address, Ipv6Address])),
    count: whole(),
  }),
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
