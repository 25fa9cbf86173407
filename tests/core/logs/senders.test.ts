import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { syslogSenders } from '../../../src/core/logs/read-syslog-senders.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.drop())

test('addresses that every host has on a port do not say which device sent a message', async () => {
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, ip) values (1, 'sw-1', '192.0.2.1'), (2, '127.0.31.2', '127.0.31.2')`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName") values (1, 1, 1, 'lo'), (2, 1, 2, 'Gi0/1')`
  await sql`
    insert into ipv4_addresses (port_id, ipv4_address, ipv4_prefixlen, ipv4_network_id)
    values (1, '127.0.0.1', 8, 0), (2, '198.51.100.7', 24, 0), (2, '169.254.3.4', 16, 0)`
  await sql`
    insert into ipv6_addresses (port_id, ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_network_id, ipv6_origin)
    values (1, '0000:0000:0000:0000:0000:0000:0000:0001', '::1', 128, 0, 'manual'),
      (2, 'fe80:0000:0000:0000:0000:0000:0000:0007', 'fe80::7', 64, 0, 'linklayer'),
      (2, '2001:0db8:0000:0000:0000:0000:0000:0007', '2001:db8::7', 64, 0, 'manual')`
  const hosts = ['127.0.0.1', '198.51.100.7', '169.254.3.4', '::1', 'fe80::7', '2001:db8::7', '127.0.31.2']
  const found = await syslogSenders(database.store, { kind: 'all' }, hosts)
  const devices = Object.fromEntries([...found].map(([host, { device_id }]) => [host, device_id]))
  // one that is polled at a loopback address is known by it
  expect(devices).toEqual({ '198.51.100.7': 1, '2001:db8::7': 1, '127.0.31.2': 2 })
})
