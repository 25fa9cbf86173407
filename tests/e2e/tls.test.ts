import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { get as getTls } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { portlight, type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { until } from './server.ts'

// HTTPS with the real server and certificates made by openssl.

const START_MS = 120_000
const openssl = Bun.which('openssl')
if (openssl === null) console.warn('SKIPPED: openssl is not installed; HTTPS is not tested')

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)

/** Makes a certificate for 127.0.0.1 that expires in `days` days, and its key. */
function make(name: string, days: number): void {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const out = ['-days', String(days), '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
  const made = Bun.spawnSync([openssl ?? '', ...args, ...names, ...out], { stderr: 'pipe' })
  if (!made.success) throw new Error(made.stderr.toString())
}

function use(name: string): void {
  copyFileSync(file(`${name}.key`), file('live.key'))
  copyFileSync(file(`${name}.pem`), file('live.pem'))
}

describe.skipIf(openssl === null)('HTTPS', () => {
  let server: Served
  const dataDir = file('data')
  const log = file('log')
  const flags = [
    '--set',
    'tls.hsts=31536000',
    '--set',
    `tls.cert=${file('live.pem')}`,
    '--set',
    `tls.key=${file('live.key')}`,
  ]

  beforeAll(async () => {
    make('first', 30)
    make('second', 60)
    use('first')
    server = await startServe(dataDir, log, [...flags, '--set', 'api.v1.enabled=true'])
  }, START_MS)
  afterAll(async () => {
    server?.process.kill('SIGTERM')
    await server?.process.exited
    folder.remove()
  }, START_MS)

  const port = () => Number(new URL(server.url).port)

  /** Common name in the certificate presented on a new connection. */
  const presented = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: port(), rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      })
      socket.on('error', reject)
    })

  /** The same; null: the connection was reset, because one listener was taking over from another. */
  const presentedNow = () => presented().catch(() => null)

  /** Sends a request on a separate connection that trusts only the certificate `name`. */
  async function ask(path: string, name: string, headers: Record<string, string> = {}) {
    const answer = await opened(path, name, headers)
    let text = ''
    for await (const part of answer) text += String(part)
    return { status: answer.statusCode, headers: answer.headers, text }
  }

  const opened = (path: string, name: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const ca = Bun.file(file(`${name}.pem`))
      void ca.text().then((trusted) => {
        const options = { host: '127.0.0.1', port: port(), path, headers, ca: trusted, agent: false }
        getTls(options, resolve).on('error', reject)
      })
    })

  const days = async (name: string) =>
    (Number(
      /^portlight_tls_certificate_expiry_timestamp_seconds (\S+)$/m.exec((await ask('/metrics', name)).text)?.[1],
    ) -
      Date.now() / 1000) /
    86_400

  test('is served and verified, with Strict-Transport-Security, and plain HTTP is not', async () => {
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const answer = await ask('/sign-in', 'first')
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
    const plain = await new Promise<string>((resolve) => {
      get({ host: '127.0.0.1', port: port(), path: '/healthz', agent: false }, () => resolve('an answer')).on(
        'error',
        () => resolve('no answer'),
      )
    })
    expect(plain).toBe('no answer')
    expect(await days('first')).toBeWithin(29, 30.1)
  })

  test('the cookie of a session is Secure', async () => {
    const added = ['user', 'add', 'ann', '--role', 'admin', '--password-stdin', '--data-dir', dataDir]
    expect((await portlight(added, { input: 'a quite long password' })).code).toBe(0)
    const answer = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.url },
      body: new URLSearchParams({ username: 'ann', password: 'a quite long password' }),
      tls: { ca: await Bun.file(file('first.pem')).text() },
    })
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-portlight=.*; Secure$/)
  }, 60_000)

  test(
    'a new certificate is presented after SIGHUP, and responses in progress continue',
    async () => {
      const token = (await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])).out.trim()
      const stream = await opened('/api/v1/events', 'first', { authorization: `Bearer ${token}` })
      let received = ''
      let ended = false
      stream.on('data', (part) => (received += String(part))).on('end', () => (ended = true))
      expect(stream.statusCode).toBe(200)

      use('second')
      server.process.kill('SIGHUP')
      await until(60, 'the new certificate', async () => (await presentedNow()) === 'second')
      expect((await ask('/healthz', 'second')).status).toBe(200)
      expect(await days('second')).toBeWithin(59, 60.1)

      // the stream opened with the first certificate still delivers events
      const before = received.length
      await portlight(['device', 'add', '192.0.2.7', '--force', '--community', 'public', '--data-dir', dataDir])
      await until(60, 'an event on the old connection', async () => received.length > before)
      expect(ended).toBe(false)
      stream.destroy()
    },
    START_MS,
  )

  test(
    'a certificate that cannot be used changes nothing, and the reason is logged',
    async () => {
      copyFileSync(file('first.key'), file('live.key'))
      server.process.kill('SIGHUP')
      const text = () => Bun.file(log).text()
      await until(60, 'the refusal', async () => (await text()).includes('is not the key of the certificate'))
      expect(await presented()).toBe('second')
      expect(await text()).not.toContain('PRIVATE KEY')
    },
    START_MS,
  )

  test(
    'changed files are read without a signal',
    async () => {
      use('first')
      await until(60, 'the first certificate again', async () => (await presentedNow()) === 'first')
    },
    START_MS,
  )

  test(
    'a start without a usable certificate fails with one sentence',
    async () => {
      writeFileSync(file('broken.pem'), 'nothing')
      const start = (cert: string, key: string) =>
        portlight([
          'serve',
          '--port',
          '0',
          '--data-dir',
          file('none'),
          '--set',
          `tls.cert=${cert}`,
          '--set',
          `tls.key=${key}`,
        ])
      for (const [cert, key, says] of [
        [file('absent.pem'), file('live.key'), 'tls.cert: '],
        [file('broken.pem'), file('live.key'), 'holds no certificate'],
        [file('first.pem'), file('second.key'), 'is not the key of the certificate'],
        [file('first.pem'), '', 'must both be set'],
      ] as const) {
        const { code, err } = await start(cert, key)
        expect([code, err.trim().split('\n').length, err]).toEqual([1, 1, expect.stringContaining(says)])
      }
      expect(await Bun.file(file('none')).exists()).toBe(false)
    },
    START_MS,
  )
})
