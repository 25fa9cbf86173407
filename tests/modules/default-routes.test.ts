import { expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { agentOf, int, ip, only, run } from './agent.ts'

const INET = '1.3.6.1.2.1.4.24.7.1.7'
const CIDR = '1.3.6.1.2.1.4.24.4.1.5'
const ROUTE = '1.3.6.1.2.1.4.21.1'
const ZEROS = '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0'
/** 2001:db8::1 as sub-identifiers. */
const HOP6 = '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1'

const routesOf = async (values: Readonly<Record<string, SnmpValue>>) =>
  only(await run('default-routes', agentOf(values)), 'default-routes')

const inet = {
  [`${INET}.1.4.0.0.0.0.0.2.0.0.1.4.192.0.2.1`]: int(3),
  // the same route with another policy, a second next hop, and other networks
  [`${INET}.1.4.0.0.0.0.0.2.0.1.1.4.192.0.2.1`]: int(3),
  [`${INET}.1.4.0.0.0.0.0.3.0.0.2.1.4.192.0.2.2`]: int(4),
  [`${INET}.1.4.0.0.0.0.8.2.0.0.1.4.192.0.2.9`]: int(3),
  [`${INET}.1.4.10.0.0.0.8.2.0.0.1.4.192.0.2.9`]: int(3),
  [`${INET}.2.16.${ZEROS}.0.2.0.0.2.16.${HOP6}`]: int(5),
  [`${INET}.2.16.${ZEROS}.64.2.0.0.2.16.${HOP6}`]: int(5),
}

test('next hops of inetCidrRouteTable, each once, of both families', async () => {
  expect(await routesOf(inet)).toEqual({
    kind: 'default-routes',
    complete: true,
    rows: [
      { next_hop: '192.0.2.1', ifIndex: 3 },
      { next_hop: '192.0.2.2', ifIndex: 4 },
      { next_hop: '2001:db8::1', ifIndex: 5 },
    ],
  })
})

test('the older tables count only without routes in the newer one', async () => {
  const cidr = { [`${CIDR}.0.0.0.0.0.0.0.0.0.192.0.2.7`]: int(7), [`${CIDR}.10.0.0.0.255.0.0.0.0.192.0.2.8`]: int(8) }
  const oldest = { [`${ROUTE}.7.0.0.0.0`]: ip('192.0.2.6'), [`${ROUTE}.2.0.0.0.0`]: int(6) }
  expect((await routesOf({ ...inet, ...cidr, ...oldest })).rows).toHaveLength(3)
  expect((await routesOf({ ...cidr, ...oldest })).rows).toEqual([{ next_hop: '192.0.2.7', ifIndex: 7 }])
  expect((await routesOf(oldest)).rows).toEqual([{ next_hop: '192.0.2.6', ifIndex: 6 }])
  expect((await routesOf({ [`${ROUTE}.7.0.0.0.0`]: ip('192.0.2.6') })).rows).toEqual([
    { next_hop: '192.0.2.6', ifIndex: null },
  ])
})

test('routes without a next hop, and interfaces that cannot be, are unknown', async () => {
  const values = {
    [`${INET}.1.4.0.0.0.0.0.2.0.0.0.0`]: int(3),
    [`${INET}.1.4.0.0.0.0.0.2.0.0.1.4.0.0.0.0`]: int(3),
    [`${INET}.1.4.0.0.0.0.0.2.0.0.1.4.192.0.2.3`]: int(0),
    [`${INET}.1.4.0.0.0.0.0.2.0.0.1.4.192.0.2.4`]: int(-1),
    [`${INET}.1.4.0.0.0.0.0.9.0`]: int(3),
  }
  expect((await routesOf(values)).rows).toEqual([
    { next_hop: '192.0.2.3', ifIndex: null },
    { next_hop: '192.0.2.4', ifIndex: null },
  ])
  expect(await routesOf({})).toEqual({ kind: 'default-routes', complete: true, rows: [] })
})

test('a router with a great many default routes keeps the first 64', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`${INET}.1.4.0.0.0.0.0.2.0.0.1.4.192.0.${i >> 8}.${i & 255}`, int(1)]),
  )
  expect((await routesOf(many)).rows).toHaveLength(64)
})
