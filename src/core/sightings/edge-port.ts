import { EDGE_MACS } from './sighting.ts'

/**
 * SQL condition: the port `port` leads to another device, as a neighbour protocol reports on it or on a member of the
 * aggregate that it is. IP phones do not count: they speak LLDP or CDP, and have a station behind them.
 */
export const isUplink = (port: string): string => `exists (
  select from links n where n.active = 1
    and (n.local_port_id = ${port} or n.local_port_id in (select k.low_port_id from ports_stack k where k.high_port_id = ${port}))
    and not (coalesce(n.remote_platform, '') ilike '%phone%' or n.remote_version ilike '%phone%'))`

/** SQL number of the MAC addresses that are on a port now; it stops counting at `most`. */
export const macsOn = (device: string, port: string, most: number): string => `(
  select count(*)::int from (select from sightings m
    where m.device_id = ${device} and m.kind = 'fdb' and m.port_id = ${port} and m.last_seen is null limit ${most}) c)`

/** SQL condition: stations are connected to the port itself, as far as is known. */
export const isEdge = (device: string, port: string): string =>
  `(not ${isUplink(port)} and ${macsOn(device, port, EDGE_MACS + 1)} <= ${EDGE_MACS})`
