import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Resolver } from 'node:dns/promises'
import { asName, nameAses } from '../../../src/app/leader/as-names.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { listBgpPeers } from '../../../src/core/inventory/read-routing.ts'
import type { BgpRow } from '../../../src/modules/bgp/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice } from '../discovery/factories.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let server: Awaited<ReturnType<typeof dnsServer>>
beforeAll(async () => {
  database = await testDatabase()
  server = await dnsServer({ 'as64496.asn.cymru.com': '64496 | ZZ | iana | 2008-11-24 | EXAMPLE-NET, ZZ' })
})
afterAll(async () => {
  server.socket.close()
  await database.drop()
})

const NXDOMAIN = 3

/** A DNS server for TXT records on loopback (RFC 1035 §4.1). */
async function dnsServer(records: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(from, query, port, address) {
        const labels: string[] = []
        let at = 12
        for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
          labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'))
          at += length + 1
        }
        const name = labels.join('.').toLowerCase()
        asked.push(name)
        const text = records[name]
        const head = Buffer.from(query.subarray(0, 12))
        head.writeUInt16BE(0x8180 | (text === undefined ? NXDOMAIN : 0), 2)
        for (const [offset, count] of [1, text === undefined ? 0 : 1, 0, 0].entries())
          head.writeUInt16BE(count, 4 + offset * 2)
        const question = query.subarray(12, at + 5)
        const data = Buffer.from(text ?? '', 'latin1')
        const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length + 1, data.length])
        from.send(Buffer.concat([head, question, ...(text === undefined ? [] : [answer, data])]), port, address)
      },
    },
  })
  return { socket, asked }
}

const session = (last: number, bgpPeerRemoteAs: number, astext = ''): BgpRow => ({
  bgpPeerIdentifier: `192.0.2.${last}`,
  context_name: '',
  astext,
  bgpPeerRemoteAs,
  bgpPeerState: 'established',
})

test('names come from the DNS once, and survive the next discovery', async () => {
  const { store } = database
  const id = await newDevice(store)
  const rows = [session(1, 64496), session(2, 64497), session(3, 64512, 'Private')]
  const discover = () =>
    writeDiscovery(store, id, [{ kind: 'bgp', complete: true, rows }], { tookMs: 1, complete: true })
  const names = async () => {
    const chunks = await Array.fromAsync(listBgpPeers(store, { scope: { kind: 'all' }, deviceId: id }))
    const peers = JSON.parse(`[${chunks.map(({ json }) => json).join(',')}]`) as { astext: string }[]
    return peers.map(({ astext }) => astext)
  }
  await discover()
  expect(await names()).toEqual(['', '', 'Private'])
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers([`127.0.0.1:${server.socket.port}`])
  const ask = () => nameAses(store, (name) => resolver.resolveTxt(name))
  expect(await ask()).toBe(2)
  await discover()
  expect(await names()).toEqual(['EXAMPLE-NET, ZZ', '', 'Private'])
  expect(await ask()).toBe(0)
  expect(new Set(server.asked)).toEqual(new Set(['as64496.asn.cymru.com', 'as64497.asn.cymru.com']))
})

test('without a DNS answer nothing is stored', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [{ kind: 'bgp', complete: true, rows: [session(9, 64498)] }])
  const silent = () => Promise.reject(Object.assign(new Error('timeout'), { code: 'DNS_ETIMEOUT' }))
  expect(await nameAses(store, silent)).toBe(0)
  expect(await store.sql`select 1 from as_names where asn = 64498`).toHaveLength(0)
})

test('the name is the last field of the record', () => {
  expect(asName('23028 | US | arin | 2002-01-04 | TEAM-CYMRU, US')).toBe('TEAM-CYMRU, US')
  expect(asName('1 | A | B')).toBe('')
  expect(asName('1 | A | B | C | a\u0007b')).toBe('ab')
})
