import { testLooks } from './looks.ts'
import { finding } from './looks-addresses.ts'

/** Ids of what is stored below. */
const [KNOWN, MOVED, HEARD, SCAN] = [1001, 1002, 1003, 1001]

testLooks(
  'finding devices',
  (at) => finding(at, { scan: SCAN, candidates: [KNOWN, MOVED, HEARD] }),
  async ({ api: { store }, deviceId, portId }) => {
    const { sql } = store
    const long = 'Cisco IOS Software, C2960X Software (C2960X-UNIVERSALK9-M), Version 15.2(7)E3, RELEASE SOFTWARE (fc3)'
    await sql`
      insert into candidates (id, state, address, heard_name, sys_name, sys_descr, sys_object_id, os, hardware, ports,
        snmp_version, snmp_index, snmp_port, why, moved_from) values
      (${KNOWN}, 'new', '192.0.2.7', 'access-7', 'access-7.example.net', ${long}, '1.3.6.1.4.1.9.1.1208', 'ios',
        'WS-C2960X-48FPS-L', 52, 'v2c', 0, 161, 'No rule adds or ignores it', null),
      (${MOVED}, 'new', '192.0.2.8', null, ${'x'.repeat(200)}, ${long.repeat(2)}, null, 'generic', null, null, 'v3', 1, 161,
        'It is probably switch-1, whose address 192.0.2.1 no longer answers', ${deviceId}),
      (${HEARD}, 'new', null, 'SEP001B21000003', null, null, null, 'generic', null, null, null, null, null,
        'Its neighbours name no address of it', null)`
    await sql`
      insert into candidate_addresses (poller_group, address, candidate_id)
      select 0, ('198.51.100.' || n)::inet, ${KNOWN} from generate_series(1, 40) n`
    await sql`
      insert into candidate_sources (candidate_id, kind, scan_id, device_id, port_id, remote_name)
      values (${KNOWN}, 'lldp', null, ${deviceId}, ${portId}, 'access-7'), (${KNOWN}, 'scan', ${SCAN}, null, null, null),
        (${MOVED}, 'scan', ${SCAN}, null, null, null), (${HEARD}, 'cdp', null, ${deviceId}, ${portId}, 'SEP001B21000003')`
    await sql`insert into candidate_rules (position, action, network, platform) values
      (1, 'ignore', null, '/^Cisco IP Phone/'), (2, 'accept', '192.0.2.0/24', null)`
    await sql`
      insert into scans (id, networks, state, rate, started_by, started_at, ended_at, counts, why) values
      (${SCAN}, '{192.0.2.0/24,198.51.100.0/24}', 'stopped', 500, 'admin', now() - interval '1 min', now(),
        '{"total": 508, "done": 300, "found": 2, "silent": 298, "refused": {"wrong password": 4}}', null)`
    await sql`
      insert into links (local_port_id, local_device_id, protocol, remote_hostname, remote_port, remote_platform, remote_version)
      values (${portId}, ${deviceId}, 'lldp', 'access-7', 'Gi0/1', 'WS-C2960X', ''),
        (${portId}, ${deviceId}, 'cdp', 'a neighbour with quite a long name.example.net', 'eth0', '', '')`
    await sql`
      insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address, context_name)
      values (${portId}, ${deviceId}, '001b21000700', '192.0.2.99', '')`
  },
)
