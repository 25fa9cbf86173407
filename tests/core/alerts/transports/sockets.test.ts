import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { temporaryFolder } from '../../../cli/support.ts'
import { eventually } from '../../../support/eventually.ts'
import { makeCertificate } from './certificate.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

interface TrapReceived {
  readonly pdu: {
    readonly type: number
    readonly varbinds: readonly { readonly oid: string; readonly type: number; readonly value: unknown }[]
  }
}

interface NetSnmp {
  createReceiver(
    options: object,
    callback: (error: Error | null, data: TrapReceived) => void,
  ): {
    getAuthorizer(): { addCommunity(name: string): void; addUser(user: object): void }
    close(): void
  }
  readonly SecurityLevel: { readonly authPriv: number }
  readonly AuthProtocols: { readonly sha256: number }
  readonly PrivProtocols: { readonly aes: number }
}

/** An independent SNMP engine, which has no types. */
const snmp = createRequire(import.meta.url)('net-snmp') as NetSnmp

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

const deliver = delivering()
const come = (seen: () => boolean) => eventually(() => Promise.resolve(seen() || null))

describe('syslog', () => {
  const FORM = /^<(\d+)>1 (\S+) (\S+) portlight (\d+) (\w+) \[origin software="Portlight"\] \ufeff(.*)$/

  /** A UDP receiver, and the datagrams that arrived. */
  async function udp(): Promise<{ port: number; arrived: string[] }> {
    const arrived: string[] = []
    const socket = createSocket('udp4', (message) => arrived.push(message.toString()))
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    stops.push(() => socket.close())
    return { port: socket.address().port, arrived }
  }

  test('an RFC 5424 message in a datagram', async () => {
    const { port, arrived } = await udp()
    expect(await deliver({ kind: 'syslog', settings: { host: '127.0.0.1', port } }, notification(), never)).toEqual({
      kind: 'delivered',
    })
    await come(() => arrived.length === 1)
    const [, priority, time, host, , id, text] = FORM.exec(arrived[0] ?? '') ?? []
    expect({ priority, time, id, text }).toEqual({
      priority: String(3 * 8 + 2),
      time: '2026-11-22T12:30:15.250Z',
      id: 'alert',
      text: 'Alert: core <1> & "edge": Port down; device=core1; rule=Port down that was up; severity=critical',
    })
    expect(host).not.toBe('')
  })

  test('LibreNMS settings; severities; line breaks and length', async () => {
    const { port, arrived } = await udp()
    const settings = { 'syslog-host': '127.0.0.1', 'syslog-port': String(port), 'syslog-facility': '23' }
    for (const given of [
      notification({ kind: 'recovery', state: 0 }),
      notification({ severity: 'warning', title: 'two\nlines' }),
      huge(),
    ])
      expect(await deliver({ kind: 'syslog', settings }, given, never)).toEqual({ kind: 'delivered' })
    await come(() => arrived.length === 3)
    expect(arrived.map((message) => FORM.exec(message)?.[1])).toEqual([
      String(23 * 8 + 5),
      String(23 * 8 + 4),
      String(23 * 8 + 2),
    ])
    expect(arrived[1]).toContain('\ufefftwo lines;')
    expect(Buffer.byteLength(arrived[2] ?? '')).toBeLessThanOrEqual(1400)
  })

  const collect = (arrived: string[]) => (socket: Socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('end', () => {
      arrived.push(text)
      socket.end()
    })
  }

  test('over TCP with octet counting', async () => {
    const arrived: string[] = []
    const server = createServer(collect(arrived))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(() => server.close())
    const { port } = server.address() as { port: number }
    const settings = { host: '127.0.0.1', port, protocol: 'tcp', facility: 'local7' }
    expect(await deliver({ kind: 'syslog', settings }, notification({ title: 'é' }), never)).toEqual({
      kind: 'delivered',
    })
    await come(() => arrived.length === 1)
    const [, count, message = ''] = /^(\d+) (.*)$/s.exec(arrived[0] ?? '') ?? []
    expect(Number(count)).toBe(Buffer.byteLength(message))
    expect(message).toMatch(FORM)
  })

  test('over TCP without a receiver', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const settings = { host: '127.0.0.1', port, protocol: 'tcp' }
    expect(await deliver({ kind: 'syslog', settings }, notification(), never)).toEqual({
      kind: 'retry',
      reason: 'ECONNREFUSED',
    })
  })

  test.skipIf(Bun.which('openssl') === null)('over TLS, only to a receiver with a valid certificate', async () => {
    const folder = temporaryFolder()
    stops.push(() => folder.remove())
    const arrived: string[] = []
    const server = createTlsServer(makeCertificate(folder.path, 'log.example.test'), collect(arrived))
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(() => server.close())
    const { port } = server.address() as { port: number }
    const settings = { host: 'log.example.test', port, protocol: 'tls' }
    const names = { 'log.example.test': ['127.0.0.1'] }
    expect(await delivering({}, names)({ kind: 'syslog', settings }, notification(), never)).toMatchObject({
      kind: 'retry',
    })
    expect(arrived.filter((text) => text !== '')).toEqual([])
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'syslog-child.ts'), String(port)], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem') },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    expect((await child.stdout.text()).trim()).toBe('delivered retry')
    await come(() => arrived.some((text) => /^\d+ </.test(text)))
  })
})

describe('snmptrap', () => {
  /** The notification receiver of net-snmp. */
  async function receiver(): Promise<{ port: number; arrived: TrapReceived[] }> {
    const arrived: TrapReceived[] = []
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const { port } = socket.address()
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    const made = snmp.createReceiver({ port, address: '127.0.0.1', transport: 'udp4' }, (error, data) => {
      if (error === null) arrived.push(data)
    })
    stops.push(() => made.close())
    const authorizer = made.getAuthorizer()
    authorizer.addCommunity(SECRET)
    authorizer.addUser({
      name: 'portlight',
      level: snmp.SecurityLevel.authPriv,
      authProtocol: snmp.AuthProtocols.sha256,
      authKey: SECRET,
      privProtocol: snmp.PrivProtocols.aes,
      privKey: `p${SECRET}`,
    })
    return { port, arrived }
  }

  const texts = ({ pdu }: TrapReceived) => new Map(pdu.varbinds.map(({ oid, value }) => [oid, value]))
  const column = (id: number) => `1.3.6.1.2.1.192.1.2.1.${id}.42`

  function check(arrived: TrapReceived | undefined): void {
    if (arrived === undefined) throw new Error('nothing arrived')
    const values = texts(arrived)
    expect(values.get('1.3.6.1.6.3.1.1.4.1.0')).toBe('1.3.6.1.2.1.192.0.1')
    expect([...values.keys()].slice(0, 2)).toEqual(['1.3.6.1.2.1.1.3.0', '1.3.6.1.6.3.1.1.4.1.0'])
    expect([...values.keys()].slice(2)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(column))
    expect(values.get(column(2))).toBe(3)
    expect(values.get(column(3))).toBe(2)
    expect(String(values.get(column(7)))).toBe('portlight')
    expect(String(values.get(column(9)))).toBe('alert')
    expect(String(values.get(column(11)))).toContain('Alert: core <1> & "edge": Port down; device=core1')
    // 2026-11-22 12:30:15.250000 +00:00
    expect([...(values.get(column(5)) as Buffer)]).toEqual([0x07, 0xea, 11, 22, 12, 30, 15, 3, 0xd0, 0x90, 0x2b, 0, 0])
  }

  test.each([
    ['a v2c trap', {}, 0xa7],
    ['a v2c inform', { inform: 'true' }, 0xa6],
    [
      'a v3 inform',
      {
        version: 'v3',
        inform: 'true',
        user: 'portlight',
        auth: 'SHA-256',
        auth_password: SECRET,
        privacy: 'AES',
        privacy_password: `p${SECRET}`,
      },
      0xa6,
    ],
  ])('%s', async (_name, more, type) => {
    const { port, arrived } = await receiver()
    const settings = { host: '127.0.0.1', port, community: SECRET, ...more }
    expect(await deliver({ kind: 'snmptrap', settings }, notification(), never)).toEqual({ kind: 'delivered' })
    await come(() => arrived.length > 0)
    expect(arrived[0]?.pdu.type).toBe(type)
    check(arrived[0])
  })

  test('a huge notification fits', async () => {
    const { port, arrived } = await receiver()
    const settings = { host: '127.0.0.1', port, community: SECRET }
    expect(await deliver({ kind: 'snmptrap', settings }, huge(), never)).toEqual({ kind: 'delivered' })
    await come(() => arrived.length > 0)
  })

  test('an inform that is not acknowledged is retried', async () => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    stops.push(() => socket.close())
    const settings = { host: '127.0.0.1', port: socket.address().port, inform: 'on', community: SECRET }
    const delivery = await deliver({ kind: 'snmptrap', settings }, notification(), AbortSignal.timeout(500))
    expect(delivery.kind).toBe('retry')
    expect(JSON.stringify(delivery)).not.toContain(SECRET)
  })
})
