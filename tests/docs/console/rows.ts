import type { Store } from '../../../src/core/database/client.ts'

/** What the pages presuppose: devices, ports, groups, people and the like, with the ids that they use. */
export async function rowsOfPages({ sql }: Store): Promise<void> {
  await sql`
    insert into devices (device_id, hostname, os, disabled, last_discovered) values
      (1003, 'sw1.example.net', 'ios', 1, now()), (1004, 'core1.example.net', 'ios', 1, now()),
      (1005, 'core2.example.net', 'ios', 1, now()), (1006, 'core-1', 'ios', 1, now()),
      (1007, 'sw-1.example.net', 'ios', 1, now()), (1008, 'sw-2.example.net', 'ios', 1, now())`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifDescr", "ifOperStatus", "ifAdminStatus") values
      (812, 1003, 7, 'Gi1/0/7', 'Gi1/0/7', 'up', 'up'), (4711, 1003, 17, 'Gi1/0/17', 'Gi1/0/17', 'down', 'up')`
  await sql`insert into device_groups (name, type, rules) values ('Core', 'static', '{}'), ('Berlin', 'static', '{}')`
  await sql`insert into locations (location) values ('Lab'), ('Oslo')`
  await sql`insert into users (username, enabled, auth_type) values ('ada', 1, 'local'), ('anna', 1, 'local')`
  await sql`
    insert into bills (bill_name, bill_type, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('Customer 12', 'cdr', 'in', '', '', '')`
}

/** Found devices with the ids of the pages, at addresses with agents. */
export async function candidatesOf({ sql }: Store, addresses: readonly string[], port: number): Promise<void> {
  for (const [i, address] of addresses.entries()) {
    const id = 7 + i
    await sql`
      insert into candidates (id, address, sys_name, os, snmp_version, snmp_index, snmp_port)
      values (${id}, ${address}::inet, ${`found-${id}`}, 'ios', 'v2c', 0, ${port})`
    await sql`insert into candidate_addresses (poller_group, address, candidate_id) values (0, ${address}::inet, ${id})`
    await sql`insert into candidate_sources (candidate_id, kind, scan_id) values (${id}, 'scan', 1)`
  }
}
