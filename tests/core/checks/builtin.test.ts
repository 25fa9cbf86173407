import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { planCheck } from '../../../src/core/checks/plan.ts'
import type { CheckResult } from '../../../src/core/checks/run/result.ts'
import { createRunner, type Runner } from '../../../src/core/checks/run/run.ts'
import { certificate, hasPlugins, type Listening, PLUGINS, secured, serveTcp } from './support.ts'

setDefaultTimeout(60_000)
let runner: Runner
const servers: { close(): void }[] = []
beforeAll(() => {
  runner = createRunner()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => runner.close())

const young = certificate(100)
const old = certificate(10)

function check(
  type: string,
  param: string,
  agent: SnmpTarget | null = null,
  address = '127.0.0.1',
): Promise<CheckResult> {
  const plan = planCheck({ type, address, param }, { prefer: 'builtin', program: null })
  expect(plan.kind).toBe('builtin')
  return runner.run({ plan, timeoutMs: 20_000, agent })
}

async function serve(talk: (socket: Socket) => void, tls: typeof young = null): Promise<number> {
  const server: Listening = await serveTcp(talk, tls)
  servers.push(server)
  return server.port
}

function serveHttp(answer: (request: Request) => Response, tls: typeof young = null): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer, ...(tls !== null && { tls }) })
  servers.push({ close: () => void server.stop(true) })
  return server.port ?? 0
}

/** Replies to each line. */
function lines(socket: Socket, answer: (line: string) => string | null): void {
  let rest = ''
  socket.on('data', (data) => {
    rest += data.toString()
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      const said = answer(rest.slice(0, at).trim())
      rest = rest.slice(at + 1)
      if (said !== null) socket.write(said)
    }
  })
}

describe('tcp', () => {
  test('connects, sends and compares', async () => {
    const port = await serve((socket) => lines(socket, (line) => `echo ${line}\r\n`))
    expect(await check('tcp', `-p ${port}`)).toMatchObject({ status: 0, measured: [{ label: 'time', unit: 's' }] })
    expect(await check('tcp', `-p ${port} -E -s 'hi\\n' -e 'echo hi'`)).toMatchObject({ status: 0 })
    const odd = await check('tcp', `-p ${port} -E -s 'hi\\n' -e nothing -t 1`)
    expect(odd).toMatchObject({ status: 2, message: 'TCP CRITICAL: no answer in time' })
    expect(await check('tcp', `-p ${port} -w 0:0 -c 10`)).toMatchObject({ status: 1 })
  })
  test('an unexpected reply before the connection is closed is a warning, as with check_tcp', async () => {
    const port = await serve((socket) => socket.end('nope\n'))
    const result = await check('tcp', `-p ${port} -e yes`)
    expect(result).toMatchObject({ status: 1, message: expect.stringContaining('unexpected answer: nope') })
  })
  test('refused, and a name without an address', async () => {
    expect(await check('tcp', '-p 1')).toMatchObject({ status: 2, message: 'TCP CRITICAL: Connection refused' })
    expect(await check('tcp', '-p 1', null, 'nothing.invalid')).toMatchObject({ status: 2 })
  })
  test('an endless reply ends the check', async () => {
    const flood = Buffer.alloc(65_536, 'x')
    const port = await serve((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(flood));
      }
      socket.on('drain', more)
      more()
    })
    expect(await check('tcp', `-p ${port} -e never`)).toMatchObject({
      status: 2,
      message: 'TCP CRITICAL: the answer is too long',
    })
  })
  test.skipIf(young === null || old === null)('TLS: days until the certificate expires', async () => {
    const port = await serve((socket) => socket.write('hello\n'), old)
    expect(await check('tcp', `-p ${port} -S`)).toMatchObject({ status: 0 })
    expect(await check('tcp', `-p ${port} -S -D 5`)).toMatchObject({ status: 0 })
    expect(await check('tcp', `-p ${port} -S -D 30,5`)).toMatchObject({ status: 1 })
    const critical = await check('tcp', `-p ${port} -S -D 30,20`)
    expect(critical).toMatchObject({ status: 2, message: expect.stringContaining('certificate expires on') })
    const days = critical.measured.find(({ label }) => label === 'days')?.value ?? 0
    expect(days).toBeGreaterThan(8.9)
    expect(days).toBeLessThan(10.1)
    expect(await check('tcp', `-p ${port} -S --verify-cert`)).toMatchObject({
      status: 2,
      message: expect.stringContaining('not trusted'),
    })
  })
})

describe('http', () => {
  test('states by HTTP status, as with check_http', async () => {
    const port = serveHttp((request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/') return new Response('welcome')
      if (pathname === '/moved') return Response.redirect('/', 302)
      if (pathname === '/away') return Response.redirect('http://127.0.0.2:1/', 302)
      return new Response('x', { status: Number(pathname.slice(1)) })
    })
    const status = async (param: string) => (await check('http', `-p ${port} ${param}`)).status
    expect(await status('')).toBe(0)
    expect(await status('-u /404')).toBe(1)
    expect(await status('-u /503')).toBe(2)
    expect(await status('-u /404 -e 404')).toBe(0)
    expect(await status('-e 404')).toBe(2)
    expect(await status('-s welcome')).toBe(0)
    expect(await status('-s goodbye')).toBe(2)
    expect(await status('-u /moved')).toBe(0)
    expect(await status('-u /moved -f critical')).toBe(2)
    expect(await status('-u /moved -f follow -s welcome')).toBe(0)
    expect(await status('-u /away -f follow')).toBe(1)
  })
  test('the request that the server gets, and the measured values', async () => {
    const seen: string[] = []
    const port = serveHttp((request) => {
      seen.push(
        `${request.method} ${request.url} ${request.headers.get('authorization')} ${request.headers.get('x-a')}`,
      )
      return new Response('12345')
    })
    const result = await check('http', `-p ${port} -H www.example.net -u '/a?b=c' -a user:pass -k 'X-A: b c' -j GET`)
    expect(result.status).toBe(0)
    expect(seen).toEqual([`GET http://www.example.net:${port}/a?b=c Basic dXNlcjpwYXNz b c`])
    expect(result.measured.map(({ label, unit }) => [label, unit])).toEqual([
      ['time', 's'],
      ['size', 'B'],
    ])
  })
  test('a text that is split across chunks is found', async () => {
    const port = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwel\r\n4\r\ncome\r\n0\r\n\r\n')
    })
    expect(await check('http', `-p ${port} -s welcome`)).toMatchObject({ status: 0 })
  })
  test.each([
    'garbage\r\n\r\n',
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n',
    'HTTP/1.1 999 \r\n\r\n',
  ])('a server that sends %j does no harm', async (text) => {
    const port = await serve((socket) => socket.end(text))
    const { status } = await check('http', `-p ${port} -t 2`)
    expect(status).toBe(text.includes('200') ? 0 : 2)
  })
  test.skipIf(young === null || old === null)('https: the certificate is checked by default', async () => {
    const answer = () => new Response('ok')
    expect(await check('https', `-p ${serveHttp(answer, young)}`)).toMatchObject({ status: 0 })
    const soon = await check('https', `-p ${serveHttp(answer, old)}`)
    expect(soon).toMatchObject({ status: 1, message: expect.stringContaining('certificate expires on') })
    expect(await check('https', `-p ${serveHttp(answer, old)} -C 30,15`)).toMatchObject({ status: 2 })
    expect(await check('http', `-p ${serveHttp(answer, old)} -S`)).toMatchObject({ status: 0 })
    expect(await check('https', `-p ${serveHttp(answer)}`)).toMatchObject({ status: 2 })
  })
})

describe('ssh, smtp, imap, pop', () => {
  test('ssh: other lines may precede the banner, and its version must be supported', async () => {
    const good = await serve((socket) => socket.write('hello\r\nSSH-2.0-OpenSSH_9.2\r\n'))
    expect(await check('ssh', `-p ${good}`)).toMatchObject({
      status: 0,
      message: expect.stringContaining('SSH-2.0-OpenSSH_9.2'),
    })
    const ancient = await serve((socket) => socket.write('SSH-1.5-old\r\n'))
    expect(await check('ssh', `-p ${ancient}`)).toMatchObject({ status: 2 })
    const other = await serve((socket) => socket.end('220 ftp\r\n'))
    expect(await check('ssh', `-p ${other}`)).toMatchObject({ status: 2 })
  })
  test.skipIf(old === null)('smtp: EHLO, and STARTTLS with the certificate', async () => {
    const port = await serve((socket) => {
      const talk = (to: Socket): void =>
        lines(to, (line) => {
          if (line.startsWith('EHLO')) return '250-mail\r\n250-SIZE 1\r\n250 STARTTLS\r\n'
          if (line === 'QUIT') return '221 bye\r\n'
          return null
        })
      socket.write('220-mail\r\n220 ready\r\n')
      let rest = ''
      socket.on('data', function greet(data) {
        rest += data.toString()
        if (rest.startsWith('EHLO') && rest.endsWith('\n')) {
          rest = ''
          socket.write('250-mail\r\n250 STARTTLS\r\n')
        } else if (rest === 'STARTTLS\r\n' && old !== null) {
          socket.off('data', greet)
          socket.write('220 go\r\n')
          talk(secured(socket, old))
        }
      })
    })
    expect(await check('smtp', `-p ${port}`)).toMatchObject({ status: 0 })
    const soon = await check('smtp', `-p ${port} -S -D 30`)
    expect(soon).toMatchObject({ status: 1, message: expect.stringContaining('certificate expires on') })
  })
  test('a server that refuses', async () => {
    const port = await serve((socket) => socket.end('554 go away\r\n'))
    expect(await check('smtp', `-p ${port}`)).toMatchObject({
      status: 2,
      message: expect.stringContaining('refused: 554 go away'),
    })
  })
  test('imap and pop', async () => {
    const imap = await serve((socket) => socket.write('* OK ready\r\n'))
    expect(await check('imap', `-p ${imap}`)).toMatchObject({ status: 0 })
    const bye = await serve((socket) => socket.end('* BYE\r\n'))
    expect(await check('imap', `-p ${bye}`)).toMatchObject({ status: 2 })
    const pop = await serve((socket) => socket.write('+OK ready\r\n'))
    expect(await check('pop', `-p ${pop}`)).toMatchObject({ status: 0 })
  })
})

/** A UDP server that answers each datagram with the datagrams from `answer`. */
async function serveUdp(answer: (request: Buffer) => readonly Uint8Array[]): Promise<number> {
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(from, data, port, address) {
        for (const reply of answer(Buffer.from(data))) from.send(reply, port, address)
      },
    },
  })
  servers.push({ close: () => socket.close() })
  return socket.port
}

describe('dns', () => {
  /** Answers with these resource records, given as octets after the name. */
  const serveDns = (code: number, records: readonly number[][], id?: number) =>
    serveUdp((request) => {
      const head = Buffer.from(request.subarray(0, 12))
      if (id !== undefined) head.writeUInt16BE(id, 0)
      head.writeUInt16BE(0x8180 | code, 2)
      head.writeUInt16BE(records.length, 6)
      const rows = records.map((octets) => Buffer.from([0xc0, 12, ...octets]))
      return [Buffer.concat([head, request.subarray(12), ...rows])]
    })
  const a = (...octets: number[]) => [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...octets]

  test('answers, with and without expected ones', async () => {
    const port = await serveDns(0, [a(192, 0, 2, 7), a(192, 0, 2, 8)])
    const ok = await check('dns', `-H www.example.net -p ${port} -a 192.0.2.8`)
    expect(ok).toMatchObject({ status: 0, message: expect.stringContaining('192.0.2.7, 192.0.2.8') })
    expect(await check('dns', `-H www.example.net -p ${port} -a 192.0.2.9`)).toMatchObject({ status: 2 })
    expect(await check('dns', `-H www.example.net -p ${port} -A`)).toMatchObject({ status: 2 })
    expect(await check('dns', `-H www.example.net -p ${port} -q MX`)).toMatchObject({ status: 2 })
  })
  test('other types of records', async () => {
    const mx = await serveDns(0, [[0, 15, 0, 1, 0, 0, 0, 60, 0, 9, 0, 10, 4, 109, 97, 105, 108, 0xc0, 12]])
    expect((await check('dns', `-H example.net -q MX -p ${mx} -a '10 mail.example.net'`)).status).toBe(0)
    const six = [0, 28, 0, 1, 0, 0, 0, 60, 0, 16, 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    const aaaa = await serveDns(0, [six])
    expect((await check('dns', `-H example.net -q AAAA -p ${aaaa} -a 2001:db8::1`)).status).toBe(0)
  })
  test('errors, and responses to another query', async () => {
    const missing = await check('dns', `-H no.example.net -p ${await serveDns(3, [])}`)
    expect(missing).toMatchObject({ status: 2, message: expect.stringContaining('NXDOMAIN') })
    const forged = await check('dns', `-H no.example.net -t 1 -p ${await serveDns(0, [a(1, 2, 3, 4)], 7)}`)
    expect(forged).toMatchObject({ status: 2, message: 'DNS CRITICAL: no answer in time' })
    expect(await check('dns', '-H example.net -p 1 -t 3')).toMatchObject({
      status: 2,
      message: 'DNS CRITICAL: Connection refused',
    })
  })
  test('a name that points at itself does no harm', async () => {
    const loop = await serveDns(0, [[0, 5, 0, 1, 0, 0, 0, 60, 0, 2, 0xc0, 45]])
    expect((await check('dns', `-H www.example.net -q CNAME -t 1 -p ${loop}`)).status).toBe(2)
  })
})

describe('ntp', () => {
  const serveNtp = (change: (answer: Buffer) => void = () => undefined, ms = 0) =>
    serveUdp((request) => {
      const answer = Buffer.alloc(48)
      answer[0] = (4 << 3) | 4
      answer[1] = 2
      request.copy(answer, 24, 40, 48)
      for (const at of [32, 40]) {
        const now = (Date.now() + ms) / 1000 + 2_208_988_800
        answer.writeUInt32BE(Math.floor(now), at)
        answer.writeUInt32BE(Math.floor((now % 1) * 2 ** 32), at + 4)
      }
      change(answer)
      return [answer]
    })

  test('the offset, within limits and beyond', async () => {
    const ok = await check('ntp', `-p ${await serveNtp()}`)
    expect(ok).toMatchObject({
      status: 0,
      measured: [
        { label: 'offset', unit: 's' },
        { label: 'stratum', value: 2 },
      ],
    })
    expect(Math.abs(ok.measured[0]?.value ?? 9)).toBeLessThan(5)
    expect(await check('ntp', `-p ${await serveNtp(undefined, 90_000)}`)).toMatchObject({ status: 1 })
    expect(await check('ntp', `-p ${await serveNtp(undefined, -90_000)} -c 60`)).toMatchObject({ status: 2 })
  })
  test('a server that is not synchronized, and a response to another request', async () => {
    const loose = await serveNtp((answer) => {
      answer[0] = 0xe4
    })
    expect(await check('ntp', `-p ${loose}`)).toMatchObject({ status: 2 })
    const forged = await serveNtp((answer) => answer.fill(0, 24, 32))
    expect(await check('ntp', `-p ${forged} -t 1`)).toMatchObject({
      status: 2,
      message: 'NTP CRITICAL: no answer in time',
    })
  })
})

test('icmp', async () => {
  const result = await check('icmp', '-n 2')
  if (result.message.includes('cannot send ICMP'))
    return console.warn('SKIPPED: this host cannot send ICMP echo requests')
  expect(result).toMatchObject({
    status: 0,
    measured: [
      { label: 'rta', unit: 'ms' },
      { label: 'pl', value: 0 },
    ],
  })
  expect(await check('icmp', '-n 1 -w 0,40% -c 500,80%')).toMatchObject({ status: 1 })
})

test.skipIf(!hasPlugins())('built-in checks and Debian’s plugins agree', async () => {
  const http = serveHttp(
    (request) => new Response('x', { status: Number(new URL(request.url).pathname.slice(1)) || 200 }),
  )
  const hello = await serve((socket) => socket.write('SSH-2.0-test\r\n'))
  const greet = await serve((socket) => {
    socket.write('220 ready\r\n')
    lines(socket, (line) => (line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n'))
  })
  const cases = [
    ['tcp', `-p ${hello} -e SSH`],
    ['tcp', `-p ${hello} -e other -t 2`],
    ['tcp', '-p 1'],
    ['ssh', `-p ${hello}`],
    ['ssh', '-p 1'],
    ['smtp', `-p ${greet}`],
    ['http', `-p ${http}`],
    ['http', `-p ${http} -u /404`],
    ['http', `-p ${http} -u /500`],
    ['http', `-p ${http} -u /404 -e 404`],
    ['http', `-p ${http} -s nothing`],
    ['http', '-p 1'],
  ] as const
  const found: string[] = []
  for (const [type, param] of cases) {
    const program = `${PLUGINS}/check_${type}`
    const plan = planCheck({ type, address: '127.0.0.1', param }, { prefer: 'plugin', program })
    const theirs = await runner.run({ plan, timeoutMs: 20_000, agent: null })
    const ours = await check(type, param)
    if (theirs.status !== ours.status) found.push(`${type} ${param}: ${theirs.message} | ${ours.message}`)
    const labels = new Set(ours.measured.map(({ label }) => label))
    for (const { label } of ours.status < 2 ? theirs.measured : []) {
      if (!labels.has(label)) found.push(`${type} ${param}: no ${label}`)
    }
  }
  expect(found).toEqual([])
})
