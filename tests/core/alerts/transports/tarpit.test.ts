import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../cli/support.ts'
import { eventually } from '../../../support/eventually.ts'
import { makeCertificate } from './certificate.ts'
import { delivering, notification } from './support.ts'
import { VENDORS } from './vendors.ts'

// Receivers that never come to an end: an attempt ends in time, and leaves no connection behind.

setDefaultTimeout(60_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

/** What a receiver does with a connection. */
type Behaviour = (socket: Socket) => void

/** Writes again and again until the connection is closed; `everyMs` 0: as fast as it is read. */
function keepSending(socket: Socket, part: string | Uint8Array, everyMs: number): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(part), everyMs)
    socket.on('close', () => clearInterval(timer))
    return
  }
  const more = () => {
    for (let n = 0; n < 64 && !socket.destroyed; n++) if (!socket.write(part)) return
    if (!socket.destroyed) setImmediate(more)
  }
  socket.on('drain', more)
  more()
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

/** 100 MB in 100 kB. */
const BOMB = gzipSync(Buffer.alloc(100 << 20))

const SILENT: Behaviour = () => undefined

const HTTP: Readonly<Record<string, Behaviour>> = {
  'says nothing': SILENT,
  'sends headers without end': (socket) => {
    socket.write(OK)
    keepSending(socket, `X-More: ${'x'.repeat(4000)}\r\n`, 0)
  },
  'sends a header line without end': (socket) => {
    socket.write(`${OK}X-More: `)
    keepSending(socket, 'x'.repeat(4000), 0)
  },
  'sends a header every moment': (socket) => {
    socket.write(OK)
    keepSending(socket, 'X: 1\r\n', 50)
  },
  'continues for ever': (socket) => keepSending(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 20),
  'sends a body without end': (socket) => {
    socket.write(CHUNKED)
    keepSending(socket, `1000\r\n${'x'.repeat(4096)}\r\n`, 0)
  },
  'sends an octet of the body every moment': (socket) => {
    socket.write(CHUNKED)
    keepSending(socket, '1\r\nx\r\n', 50)
  },
  'sends a body that grows a thousandfold': (socket) => {
    socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`)
    socket.write(BOMB)
  },
  'redirects to itself': (socket) =>
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n'),
  'is no HTTP server': (socket) => keepSending(socket, '\0\xff220 hello\r\n', 20),
}

const SMTP: Readonly<Record<string, Behaviour>> = {
  'says nothing': SILENT,
  'greets for ever': (socket) => keepSending(socket, '220-x\r\n', 50),
  'greets in one line without end': (socket) => keepSending(socket, '2'.repeat(4000), 0),
  'sends lines as fast as it can': (socket) => keepSending(socket, '220-x\r\n'.repeat(500), 0),
  'answers every command for ever': (socket) => {
    socket.write('220 x\r\n')
    socket.once('data', () => keepSending(socket, '250-x\r\n', 50))
  },
}

/** A server that counts its open connections. */
async function listen(behave: Behaviour, tls: { cert: string; key: string } | null = null) {
  const open = new Set<Socket>()
  let accepted = 0
  const accept = (socket: Socket) => {
    accepted++
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('end', () => socket.destroy())
  }
  const server: Server =
    tls === null
      ? createServer((socket) => {
          accept(socket)
          socket.resume()
          behave(socket)
        })
      : createTlsServer(tls, (socket) => {
          accept(socket)
          socket.resume()
          behave(socket)
        })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, open, accepted: () => accepted }
}

const deliver = delivering({}, { 'receiver.example.test': ['127.0.0.1'] })
const ATTEMPT_MS = 700

async function attempt(
  kind: string,
  settings: Readonly<Record<string, unknown>>,
  server: Awaited<ReturnType<typeof listen>>,
) {
  const outcome = await deliver({ kind, settings }, notification(), AbortSignal.timeout(ATTEMPT_MS))
  expect(server.accepted()).toBeGreaterThan(0)
  await eventually(() => Promise.resolve(server.open.size === 0 || null))
  return outcome
}

describe.each(Object.entries(HTTP))('a receiver that %s', (what, behave) => {
  test('webhook', async () => {
    const server = await listen(behave)
    const outcome = await attempt('webhook', { url: `http://127.0.0.1:${server.port}/x` }, server)
    // the answer says that the notification arrived, whatever follows
    const isAnswered = what === 'sends a body without end' || what === 'sends a body that grows a thousandfold'
    expect(outcome.kind === 'delivered').toBe(isAnswered)
    // words, not the names of errors
    if ('reason' in outcome) expect(outcome.reason).not.toMatch(/^[A-Z]/)
    expect(server.accepted()).toBe(1)
  })
})

test('webhook: TLS that never begins', async () => {
  const server = await listen(SILENT)
  const outcome = await attempt('webhook', { url: `https://127.0.0.1:${server.port}/x` }, server)
  expect(outcome.kind).toBe('retry')
})

test.each(VENDORS.map(({ kind, settings }) => [kind, settings] as const))(
  '%s: an answer without end',
  async (kind, settings) => {
    const server = await listen((socket) => {
      socket.write(CHUNKED)
      keepSending(socket, '1\r\nx\r\n', 50)
    })
    const outcome = await attempt(kind, settings(`http://127.0.0.1:${server.port}`), server)
    expect(outcome.kind).not.toBe('delivered')
  },
)

const mailTo = (port: number, security: string) => ({
  host: 'receiver.example.test',
  port,
  security,
  verify: false,
  to: 'a@example.net',
  from: 'b@example.net',
})

test.each(Object.entries(SMTP))('a mail server that %s', async (_, behave) => {
  const server = await listen(behave)
  const outcome = await attempt('mail', mailTo(server.port, 'none'), server)
  expect(outcome.kind).toBe('retry')
  if ('reason' in outcome) expect(outcome.reason).not.toMatch(/E[A-Z]{4,}/)
})

test.each(['tls', 'starttls'])('mail with %s that never begins', async (security) => {
  const server = await listen((socket) => {
    if (security === 'tls') return
    socket.write('220 x\r\n')
    let said = 0
    socket.on('data', () => {
      if (said++ === 0) socket.write('250-x\r\n250 STARTTLS\r\n')
      else if (said === 2) socket.write('220 go\r\n')
    })
  })
  expect((await attempt('mail', mailTo(server.port, security), server)).kind).toBe('retry')
})

test('mail: lines without end over TLS', async () => {
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  const server = await listen((socket) => keepSending(socket, '220-x\r\n', 50), makeCertificate(folder.path, 'x.test'))
  expect((await attempt('mail', mailTo(server.port, 'tls'), server)).kind).toBe('retry')
})
