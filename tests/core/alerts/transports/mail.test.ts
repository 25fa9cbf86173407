import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { temporaryFolder } from '../../../cli/support.ts'
import { makeCertificate } from './certificate.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  readonly secure: boolean
  readonly user: unknown
}

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

/** A real SMTP server on loopback. */
async function smtp(options: SMTPServerOptions = {}): Promise<{ port: number; mails: Mail[] }> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: options.key === undefined,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === SECRET ? done(null, { user: username }) : done(new Error(`wrong: ${password}`)),
    onData(stream, { envelope, secure, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const text = Buffer.concat(chunks).toString()
        mails.push({ from, to: rcptTo.map(({ address }) => address), text, secure, user })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, mails }
}

const settings = (port: number, changes = {}) => ({
  host: 'mail.example.test',
  port,
  security: 'none',
  from: 'Portlight <portlight@example.net>',
  to: 'noc@example.net, Boss <boss@example.net>',
  ...changes,
})
const names = { 'mail.example.test': ['127.0.0.1'] }
const send = (config: Readonly<Record<string, unknown>>, given = notification(), flags = {}) =>
  delivering(flags, names)({ kind: 'mail', settings: config }, given, never)

/** Header fields, unfolded, by lower-case name. */
function headersOf({ text }: Mail): Map<string, string> {
  const [head = ''] = text.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
}

test('a message has the headers that mail clients need', async () => {
  const { port, mails } = await smtp()
  expect(await send(settings(port, { bcc: 'log@example.net' }))).toEqual({ kind: 'delivered' })
  const [mail] = mails
  if (mail === undefined) throw new Error('no mail')
  expect(mail).toMatchObject({
    from: 'portlight@example.net',
    to: ['noc@example.net', 'boss@example.net', 'log@example.net'],
  })
  const headers = headersOf(mail)
  // RFC 2047
  expect(headers.get('subject')).toBe('=?UTF-8?Q?Alert=3A_core_=3C1=3E_=26_=22edge=22=3A_?= =?UTF-8?Q?Port_down?=')
  expect(headers.get('to')).toBe('noc@example.net, Boss <boss@example.net>')
  expect(headers.get('message-id')).toBe('<a1b2c3d4-0000-4000-8000-1234567890ab@example.net>')
  expect(headers.get('references')).toBe('<alert-42.portlight@example.net>')
  expect(headers.get('auto-submitted')).toBe('auto-generated')
  expect(new Date(headers.get('date') ?? '').toISOString()).toBe('2026-11-22T12:30:15.000Z')
  expect(headers.has('bcc')).toBe(false)
  expect(mail.text).toContain('ifName = Gi0/1')
})

test('HTML with inline images', async () => {
  const { port, mails } = await smtp()
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3)
  const html = '<p>Port down</p><img src="cid:graph-1">'
  await send(settings(port), notification({ html, images: [{ cid: 'graph-1', png }] }))
  const text = mails[0]?.text ?? ''
  expect(text).toContain('multipart/alternative')
  expect(text).toContain('Content-ID: <graph-1>')
  expect(text).toContain('Content-Disposition: inline')
  expect(text).toContain(Buffer.from(png).toString('base64'))
})

test('a line break in a name does not inject a header', async () => {
  const { port, mails } = await smtp()
  await send(settings(port), notification({ title: 'down\r\nBcc: evil@example.net\r\n\r\nbody' }))
  const mail = mails[0]
  if (mail === undefined) throw new Error('no mail')
  expect(mail.to).toEqual(['noc@example.net', 'boss@example.net'])
  expect(headersOf(mail).has('bcc')).toBe(false)
})

test('a huge notification', async () => {
  const { port, mails } = await smtp()
  expect(await send(settings(port), huge())).toEqual({ kind: 'delivered' })
  expect((mails[0]?.text.length ?? 0) > 100_000).toBe(true)
})

test('to the sysContact of the device', async () => {
  const { port, mails } = await smtp()
  const config = { host: 'mail.example.test', port, security: 'none', 'mail-contact': 'sysContact' }
  await send(config)
  expect(mails[0]?.to).toEqual(['noc@example.net'])
  const { device } = notification()
  const none = notification({ device: { ...device, contact: 'ask Bob' } })
  expect(await send(config, none)).toMatchObject({ kind: 'refused' })
})

test('LibreNMS settings, with the server in the settings email_*', async () => {
  const { port, mails } = await smtp()
  const flags = {
    email_smtp_host: 'mail.example.test',
    email_smtp_port: String(port),
    email_smtp_username: 'portlight',
    email_smtp_password: SECRET,
    email_from: 'nms@example.net',
  }
  const migrated = {
    'mail-contact': 'email',
    email: 'noc@example.net\nboss@example.net',
    bcc: '',
    'attach-graph': 'on',
  }
  // smtp-server accepts AUTH without TLS only with this option
  const plain = await smtp({ allowInsecureAuth: true })
  const used = { ...flags, email_smtp_port: String(plain.port) }
  expect(await send(migrated, notification(), used)).toEqual({ kind: 'delivered' })
  expect(plain.mails).toMatchObject([
    { from: 'nms@example.net', to: ['noc@example.net', 'boss@example.net'], user: 'portlight' },
  ])
  // the password belongs to that server and is not sent to another
  const other = await smtp({ allowInsecureAuth: true })
  await send({ ...migrated, host: 'mail.example.test', port: other.port, security: 'none' }, notification(), used)
  expect(other.mails).toMatchObject([{ user: undefined }])
  expect(mails).toEqual([])
  expect(await send(migrated)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('email_smtp_host') })
  expect(await send({ ...migrated, 'mail-contact': 'owners' })).toMatchObject({ kind: 'refused' })
})

test.each([
  [451, 'retry'],
  [421, 'retry'],
  [550, 'refused'],
  [554, 'refused'],
] as const)('%d: %s, without what the server said', async (code, kind) => {
  const { port } = await smtp({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error(`no ${SECRET}`), { responseCode: code })),
  })
  const delivery = await send(settings(port))
  expect(delivery).toMatchObject({ kind, reason: expect.stringContaining(String(code)) })
  expect(JSON.stringify(delivery)).not.toContain(SECRET)
})

test('a server that is down', async () => {
  const { port } = await smtp()
  await stops.pop()?.()
  expect(await send(settings(port))).toEqual({ kind: 'retry', reason: 'ECONNREFUSED' })
})

test('loopback is refused unless it is listed', async () => {
  const { port, mails } = await smtp()
  expect(await send(settings(port), notification(), { 'outgoing.allow': '' })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('loopback'),
  })
  expect(mails).toEqual([])
})

describe.skipIf(Bun.which('openssl') === null)('encrypted', () => {
  const folder = temporaryFolder()
  let tls = { key: '', cert: '' }
  beforeAll(() => {
    tls = makeCertificate(folder.path, 'mail.example.test')
  })
  afterAll(() => folder.remove())

  test.each([
    ['starttls', false],
    ['tls', true],
  ] as const)('%s', async (security, secure) => {
    const { port, mails } = await smtp({ ...tls, secure })
    const config = settings(port, { security, username: 'portlight', password: SECRET })
    // the certificate is self-signed
    const refused = await send(config)
    expect(refused).toMatchObject({ kind: 'retry' })
    expect(mails).toEqual([])
    expect(await send({ ...config, verify: 'false' })).toEqual({ kind: 'delivered' })
    expect(mails).toMatchObject([{ secure: true, user: 'portlight' }])
    expect(await send({ ...config, verify: 'false', host: '127.0.0.1' })).toEqual({ kind: 'delivered' })
    const wrong = await send({ ...config, verify: 'false', password: `${SECRET}-wrong` })
    expect(wrong).toMatchObject({ kind: 'refused', reason: expect.stringContaining('535') })
    expect(JSON.stringify(wrong)).not.toContain(SECRET)
  })

  test('starttls: a server without it gets neither mail nor password', async () => {
    const { port, mails } = await smtp()
    const config = settings(port, { security: 'starttls', username: 'portlight', password: SECRET })
    expect((await send(config)).kind).not.toBe('delivered')
    expect(mails).toEqual([])
  })
})
