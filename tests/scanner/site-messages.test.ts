import { expect, setDefaultTimeout, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createSettings } from '../../src/config/settings.ts'
import { createLog } from '../../src/observe/log.ts'
import { createScanner, jobOptions } from '../../src/scanner/scanner.ts'
import { askAtSite } from '../../src/scanner/sites/ask-at-site.ts'
import { serveScans } from '../../src/scanner/sites/serve-scans.ts'
import {
  MAX_ADDRESSES,
  packAnswer,
  packRequest,
  type SiteScanAnswer,
  unpackAnswer,
  unpackRequest,
} from '../../src/scanner/sites/site-messages.ts'
import { probeTarget, silentAt } from './support.ts'

setDefaultTimeout(30_000)

const options = jobOptions(createSettings({ flags: { nets: '127.0.0.0/8', 'snmp.community': 'a,b' } }), { ping: false })
const identity = {
  ...{ sysName: 'core-1', sysDescr: null, sysObjectId: '1.3.6.1', engineId: '80001f88', serials: ['S1'] },
  ...{ baseMac: '02aa00000001', macs: ['02aa00000001'], addresses: ['192.0.2.1', '2001:db8::1'], os: 'ios' },
  ...{ hardware: null, ports: 24 },
}
const host = (at: number, over: object = {}) => ({
  ...{ at, pingMs: 1.5, failure: null },
  snmp: { credentials: { version: 'v2c', index: 1, port: 161 } as const, identity: { ...identity, ...over } },
})
const packed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64')

test('requests and answers arrive as they were sent', () => {
  const request = { job: 'j', options, addresses: ['127.0.0.1', '::1'] }
  expect(unpackRequest(packRequest(request))).toEqual(request)
  const refused = { at: 1, pingMs: null, snmp: null, failure: { kind: 'refused', reason: 'wrongDigest' } } as const
  const answer: SiteScanAnswer = { answered: [host(0), refused], silent: [2], outside: [3] }
  expect(unpackAnswer(packAnswer(answer), 4)).toEqual(answer)
})

test('an answer that would be too large leaves hosts for the next one, and always has one', () => {
  const macs = Array.from({ length: 512 }, () => '02aa00000001')
  const sysDescr = 'x'.repeat(1000)
  const answered = Array.from({ length: 2000 }, (_, at) => host(at, { macs, sysDescr }))
  const text = packAnswer({ answered, silent: [], outside: [] })
  expect(text.length).toBeLessThan(700_000)
  const some = unpackAnswer(text, 2000)?.answered.length ?? 0
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(2000)
})

test('what is not a request or an answer is refused, whatever it is', () => {
  const request = { job: 'j', options, addresses: ['127.0.0.1'] }
  for (const wrong of [
    { ...request, addresses: Array.from({ length: MAX_ADDRESSES + 1 }, () => '127.0.0.1') },
    ...[1e9, 1e300, 0, -1, 1.5, Number.NaN].map((rate) => ({ ...request, options: { ...options, rate } })),
    ...[1e9, 0, -1, Number.NaN].map((timeoutMs) => ({ ...request, options: { ...options, timeoutMs } })),
    ...[1e300, 0, -1, 65_536].map((port) => ({ ...request, options: { ...options, port } })),
    { ...request, options: { ...options, own: '0.0.0.0/0' } },
    { ...request, job: '' },
  ])
    expect(unpackRequest(packed(wrong))).toBeNull()
  for (const wrong of [
    { answered: [host(4)], silent: [], outside: [] },
    ...[1e300, -1, 1.5].map((ports) => ({ answered: [host(0, { ports })], silent: [], outside: [] })),
    ...[1e300, -1].map((pingMs) => ({ answered: [{ ...host(0), pingMs }], silent: [], outside: [] })),
    { answered: [], silent: [-1], outside: [] },
    { answered: [host(0, { macs: ['zz'] })], silent: [], outside: [] },
    { answered: [host(0, { addresses: ['nowhere'] })], silent: [], outside: [] },
    { answered: [host(0, { sysDescr: 'x'.repeat(5000) })], silent: [], outside: [] },
  ])
    expect(unpackAnswer(packed(wrong), 4)).toBeNull()
  // 50 MB in 50 KB
  expect(unpackAnswer(gzipSync(Buffer.alloc(50_000_000, 32)).toString('base64'), 4)).toBeNull()
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((json) => gzipSync(json).toString('base64')),
      ),
      (text) => {
        expect([unpackRequest(text), unpackAnswer(text, 4)]).toEqual([null, null])
      },
    ),
  )
})

test('an answer that is lost is sent again, without another datagram to the host', async () => {
  const counter = await silentAt('127.86.0.1')
  const settings = createSettings({
    flags: { nets: '127.86.0.0/16', 'snmp.version': 'v2c', 'snmp.timeout': '0.2', 'snmp.port': String(counter.port) },
  })
  const log = createLog('silent')
  const scanner = createScanner({ settings, log })
  const served = serveScans({ scanner, log })
  let lost = 0
  const site = {
    poller: 'oslo',
    status: async () => ({ version: '1', scans: true }),
    async scan(text: string) {
      const answer = await served.answer(text)
      if (lost++ < 2) throw new Error('the remote poller oslo does not answer')
      return answer
    },
  }
  try {
    const hosts = await Array.fromAsync(
      askAtSite(
        site,
        [probeTarget('127.86.0.1')],
        new AbortController().signal,
        jobOptions(settings, { ping: false }),
        10_000,
      ),
    )
    expect(hosts.map(({ target, snmp }) => [target.address, snmp])).toEqual([['127.86.0.1', null]])
    expect(counter.received.length).toBe(1)
  } finally {
    served.stop()
    scanner.close()
    counter.close()
  }
})

test('a stop ends the asking at the site', async () => {
  const settings = createSettings({
    flags: { nets: '127.87.0.0/16', 'snmp.version': 'v2c', 'snmp.timeout': '0.2', 'autodiscovery.rate': '20' },
  })
  const log = createLog('silent')
  const scanner = createScanner({ settings, log })
  const served = serveScans({ scanner, log })
  const requests: number[] = []
  const site = {
    poller: 'oslo',
    status: async () => ({ version: '1', scans: true }),
    scan(text: string) {
      requests.push(unpackRequest(text)?.addresses.length ?? -1)
      return served.answer(text)
    },
  }
  const stop = new AbortController()
  try {
    const targets = Array.from({ length: 250 }, (_, i) => probeTarget(`127.87.0.${i + 1}`))
    let hosts = 0
    for await (const _ of askAtSite(site, targets, stop.signal, jobOptions(settings, { ping: false }))) {
      hosts++
      stop.abort()
    }
    expect(hosts).toBe(1)
    expect(requests.at(-1)).toBe(0)
  } finally {
    served.stop()
    scanner.close()
  }
})
