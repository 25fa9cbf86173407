import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type HttpRequest, sendHttp } from '../../../../src/core/alerts/transports/http.ts'
import type { AddressLookup, SendDeps } from '../../../../src/core/alerts/transports/resolve.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { makeCertificate } from './certificate.ts'
import { never, SECRET, settingsWith } from './support.ts'

setDefaultTimeout(60_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

const deps = (lookup: AddressLookup, signal = never, flags = {}): SendDeps => ({
  settings: settingsWith(flags),
  lookup,
  signal,
  now: Date.now,
})
const to =
  (...addresses: string[]): AddressLookup =>
  () =>
    Promise.resolve(addresses)
const post = (url: string, headers = {}): HttpRequest => ({ method: 'POST', url, headers, body: '{"ü":1}' })

function serve(handler: (request: Request) => Response | Promise<Response>, hostname = '127.0.0.1') {
  const server = Bun.serve({ hostname, port: 0, fetch: handler })
  stops.push(() => server.stop(true))
  return server.port ?? 0
}

/** A server that sends exactly this text, or runs the handler. */
async function raw(answer: string | ((socket: Socket) => void)): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (typeof answer === 'string') socket.once('data', () => socket.write(answer))
    else answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('addresses', () => {
  test('the request goes to the address that was checked, with the name in Host', async () => {
    const seen: string[] = []
    const port = serve(async (request) => {
      seen.push(
        `${request.method} ${request.headers.get('host')} ${new URL(request.url).pathname} ${await request.text()}`,
      )
      return new Response('fine')
    })
    let asked = 0
    const once: AddressLookup = (host) => {
      asked++
      expect(host).toBe('hooks.example.test')
      // a second lookup gets another address
      return Promise.resolve(asked === 1 ? ['127.0.0.1'] : ['127.0.0.9'])
    }
    const answer = await sendHttp(post(`http://hooks.example.test:${port}/a/b?c=d`), deps(once))
    expect(answer).toMatchObject({ status: 200, body: 'fine' })
    expect(seen).toEqual([`POST hooks.example.test:${port} /a/b {"ü":1}`])
    expect(asked).toBe(1)
  })

  test.each([
    ['http://metadata.test/', ['169.254.169.254'], 'metadata'],
    ['http://localhost.test/', ['127.0.0.1', '::1'], 'loopback'],
    ['http://127.0.0.1:1/', [], 'loopback'],
    ['http://2130706433/', [], 'loopback'],
    ['http://0x7f.1/', [], 'loopback'],
    ['http://[::1]/', [], 'loopback'],
    ['http://[::ffff:127.0.0.1]/', [], 'loopback'],
    ['http://0/', [], 'unspecified'],
  ])('%s is refused without a connection', async (url, addresses, what) => {
    const sending = sendHttp(post(url), deps(to(...addresses), never, { 'outgoing.allow': '' }))
    await expect(sending).rejects.toMatchObject({ retry: false, message: expect.stringContaining(`(${what})`) })
  })

  test('of several addresses only allowed ones are used, the next one if a connection fails', async () => {
    const port = serve(() => new Response('v4'), '127.0.0.1')
    const lookup = to('169.254.169.254', '127.0.0.2', '127.0.0.1')
    expect(await sendHttp(post(`http://many.test:${port}/`), deps(lookup))).toMatchObject({ body: 'v4' })
  })

  test('a name that cannot be resolved is retried later', async () => {
    const failing: AddressLookup = () => Promise.reject(new Error(`no such host ${SECRET}`))
    await expect(sendHttp(post('http://gone.test/'), deps(failing))).rejects.toMatchObject({
      retry: true,
      message: 'the name of the receiver cannot be resolved',
    })
  })

  test.each(['file:///etc/passwd', 'ftp://h/', 'gopher://h/', 'javascript:1', 'nonsense'])(
    '%s is not HTTP',
    async (url) => {
      await expect(sendHttp(post(url), deps(to('127.0.0.1')))).rejects.toMatchObject({ retry: false })
    },
  )
})

describe('answers', () => {
  test('redirects are not followed', async () => {
    let second = 0
    const other = serve(() => {
      second++
      return new Response('')
    })
    const port = serve(() => Response.redirect(`http://127.0.0.1:${other}/`, 307))
    expect(await sendHttp(post(`http://127.0.0.1:${port}/`), deps(to()))).toMatchObject({ status: 307 })
    expect(second).toBe(0)
  })

  test('at most 64 KiB of a response are read', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_000).fill(97)),
    })
    const port = serve(() => new Response(endless))
    const answer = await sendHttp(post(`http://127.0.0.1:${port}/`), deps(to()))
    expect(answer.body).toHaveLength(65_536)
  })

  test('the connection to a receiver that never answers ends at the deadline', async () => {
    const abort = new AbortController()
    const port = await raw(() => abort.abort())
    await expect(sendHttp(post(`http://127.0.0.1:${port}/`), deps(to(), abort.signal))).rejects.toMatchObject({
      retry: true,
    })
  })

  test('so does one to a receiver whose response never ends', async () => {
    const abort = new AbortController()
    const begin = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'
    const port = await raw((socket) => socket.once('data', () => socket.write(begin, () => abort.abort())))
    const sending = sendHttp(post(`http://127.0.0.1:${port}/`), deps(to(), abort.signal))
    await expect(sending).rejects.toMatchObject({ retry: true })
  })

  test('a response that is not HTTP fails with a code, without the URL', async () => {
    const port = await raw('SSH-2.0-OpenSSH_9.2\r\n')
    const sending = sendHttp(post(`http://u:${SECRET}@127.0.0.1:${port}/${SECRET}`), deps(to()))
    await expect(sending).rejects.toMatchObject({ retry: true })
    expect(await sending.catch((error: unknown) => JSON.stringify([String(error), error]))).not.toContain(SECRET)
  })

  test('a header that HTTP does not allow is refused, without its value', async () => {
    const sending = sendHttp(post('http://127.0.0.1:1/', { Authorization: `a\r\nX: ${SECRET}` }), deps(to()))
    await expect(sending).rejects.toMatchObject({ retry: false })
    expect(String(await sending.catch(String))).not.toContain(SECRET)
  })

  test('user and password in the URL are sent as basic authentication', async () => {
    const port = serve((request) => new Response(request.headers.get('authorization')))
    const answer = await sendHttp(post(`http://u%40x:p%2Fw@127.0.0.1:${port}/`), deps(to()))
    expect(atob(answer.body.replace('Basic ', ''))).toBe('u@x:p/w')
  })

  test('a password in the URL with a % that begins no octet is sent as it is', async () => {
    const port = serve((request) => new Response(request.headers.get('authorization')))
    const answer = await sendHttp(post(`http://u:100%@127.0.0.1:${port}/`), deps(to()))
    expect(atob(answer.body.replace('Basic ', ''))).toBe('u:100%')
  })
})

describe.skipIf(Bun.which('openssl') === null)('certificates', () => {
  const folder = temporaryFolder()
  let port = 0
  let stop = () => {}
  beforeAll(() => {
    const { key, cert } = makeCertificate(folder.path, 'hooks.example.test')
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key, cert },
      fetch: (request) => new Response(request.headers.get('host')),
    })
    port = server.port ?? 0
    stop = () => void server.stop(true)
  })
  afterAll(() => {
    stop()
    folder.remove()
  })

  test('a self-signed certificate is refused', async () => {
    await expect(sendHttp(post(`https://hooks.example.test:${port}/`), deps(to('127.0.0.1')))).rejects.toMatchObject({
      retry: true,
      message: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY|CERT/),
    })
  })

  test('a trusted certificate is valid for its name, not for the address', async () => {
    const program = join(import.meta.dir, 'https-child.ts')
    const run = async (host: string) => {
      const child = Bun.spawn([process.execPath, program, `https://${host}:${port}/`], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem') },
        stdout: 'pipe',
        stderr: 'inherit',
      })
      return (await child.stdout.text()).trim()
    }
    expect(await run('hooks.example.test')).toBe(`200 hooks.example.test:${port}`)
    expect(await run('other.example.test')).toMatch(/^failed ERR_TLS_CERT_ALTNAME_INVALID/)
    expect(await run('127.0.0.1')).toMatch(/^failed /)
  })
})
