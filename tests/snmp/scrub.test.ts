import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { scrub, withoutSecrets } from '@portlight/snmp/scrub.ts'
import { snmprecLine } from '@portlight/snmp/snmprec.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { portlight } from '../cli/support.ts'

setDefaultTimeout(60_000)

const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const octets = (hex: string): SnmpValue => ({ kind: 'OctetString', value: Uint8Array.fromHex(hex) })
const address = (value: string): SnmpValue => ({ kind: 'IpAddress', value })

const FOUND: readonly Varbind[] = [
  { oid: '1.3.6.1.2.1.1.1.0', value: text('Switch core.acme at 192.0.2.7, serial FCW1234X') },
  { oid: '1.3.6.1.2.1.1.5.0', value: text('core.acme') },
  { oid: '1.3.6.1.2.1.2.2.1.6.1', value: octets('001122aabbcc') },
  { oid: '1.3.6.1.2.1.4.20.1.1.192.0.2.7', value: address('192.0.2.7') },
  { oid: '1.3.6.1.2.1.4.20.1.3.192.0.2.7', value: address('255.255.255.0') },
  { oid: '1.3.6.1.2.1.4.22.1.2.1.192.0.2.9', value: octets('001122aabbcc') },
  { oid: '1.3.6.1.2.1.4.22.1.3.1.192.0.2.9', value: address('192.0.2.9') },
  { oid: '1.3.6.1.2.1.17.4.3.1.2.0.17.34.170.187.204', value: { kind: 'Integer32', value: 5 } },
  { oid: '1.3.6.1.2.1.31.1.1.1.6.1', value: { kind: 'Counter64', value: 18_446_744_073_709_551_615n } },
  { oid: '1.3.6.1.2.1.47.1.1.1.1.11.1', value: text('FCW1234X') },
  { oid: '1.3.6.1.6.3.18.1.1.1.2.1', value: text('s3cret') },
]

test('nothing identifying is left, and references still match', () => {
  const lines = scrub(FOUND, () => 0.5).map(snmprecLine)
  const all = lines.join('\n')
  for (const secret of ['core.acme', 'FCW1234X', '192.0.2.', 'aabbcc', '170.187.204', 's3cret']) {
    expect(all).not.toContain(secret)
  }
  const own = /^1\.3\.6\.1\.2\.1\.4\.20\.1\.1\.([\d.]+)\|64\|([\d.]+)$/m.exec(all)
  expect(own?.[1]).toBe(own?.[2] ?? 'absent')
  // mask, vendor and counter stay; the neighbour is in the same network; the text agrees with the table
  expect(all).toContain(`1.3.6.1.2.1.4.20.1.3.${own?.[1]}|64|255.255.255.0`)
  expect(all).toContain('|4x|001122')
  expect(all).toContain('|70|18446744073709551615')
  expect(all).toContain(`4.22.1.3.1.${own?.[1]?.replace(/\.7$/, '.9')}|64|`)
  expect(all).toContain(`4|Switch host-1 at ${own?.[1]}, serial serial-1`)
  const mac = /2\.2\.1\.6\.1\|4x\|(\w+)/.exec(all)?.[1] ?? ''
  expect(all).toContain(`1.3.6.1.2.1.17.4.3.1.2.${[...Uint8Array.fromHex(mac)].join('.')}|2|5`)
})

test('addresses only in an index are replaced as well', () => {
  const integer: SnmpValue = { kind: 'Integer32', value: 1 }
  const global = '32.1.4.112.0.1.0.2.2.17.34.255.254.170.187.204'
  const lines = scrub(
    [
      { oid: '1.3.6.1.2.1.4.35.1.4.3.1.4.198.51.100.8', value: integer },
      { oid: `1.3.6.1.2.1.4.35.1.4.3.2.16.${global}`, value: integer },
      { oid: '1.3.6.1.2.1.14.10.1.6.198.51.100.9.0', value: integer },
      { oid: '1.3.6.1.2.1.17.7.1.2.2.1.2.20.0.17.34.170.187.204', value: integer },
      { oid: '1.0.8802.1.1.2.1.4.1.1.5.0.1.1', value: octets('001122aabbcc') },
    ],
    () => 0.5,
  ).map(snmprecLine)
  const all = lines.join('\n')
  for (const secret of ['198.51.100', '32.1.4.112', '170.187.204', 'aabbcc']) expect(all).not.toContain(secret)
  // an IPv6 network stays one network, and an address has the same replacement in all tables
  expect(all).toMatch(/4\.35\.1\.4\.3\.2\.16\.32\.1\.13\.184\./)
  const mac = /4\.1\.1\.5\.0\.1\.1\|4x\|(\w+)/.exec(all)?.[1] ?? ''
  expect(all).toContain(`2.20.${[...Uint8Array.fromHex(mac)].join('.')}|2|1`)
})

test('credentials are always removed', () => {
  expect(withoutSecrets(FOUND)).toEqual(FOUND.slice(0, -1))
})

let agent: DemoAgent
beforeAll(async () => {
  agent = await openDemoAgent('access-2')
})
afterAll(() => agent?.stop())

test('an agent is recorded completely and in order, and every line can be read back', async () => {
  const args = ['device', 'record', agent.address, '--port', String(agent.port), '-c', agent.community]
  const { code, out, err } = await portlight(args)
  expect({ code, err: err.split('\n')[0] }).toEqual({
    code: 0,
    err: expect.stringContaining('objects recorded, scrubbed'),
  })
  const lines = out.trim().split('\n')
  expect(lines.length).toBeGreaterThan(500)
  for (const line of lines) expect(line).toMatch(/^[\d.]+\|\d+x?\|/)
  expect(out).not.toContain(agent.hostname)
  expect(out).not.toContain('Headquarters')
})
