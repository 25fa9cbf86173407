import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createExchangeLog } from '../../../../src/core/alerts/transports/exchange.ts'
import { kindOf } from '../../../../src/core/alerts/transports/kinds.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { delivering, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function exchanges(kind: string, settings: Readonly<Record<string, unknown>>, flags = {}) {
  const log = createExchangeLog(kindOf(kind)?.fields ?? {}, settings)
  const delivery = await delivering(flags)({ kind, settings }, notification(), never, log.note)
  return { delivery, shown: log.exchanges() }
}

/** A mail server that refuses to sign in and quotes what it was sent. */
async function quotingMailServer(): Promise<number> {
  const server = createServer((socket) => {
    socket.write('220 mail.example.net ESMTP\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const line = data.toString().trim()
      if (/^EHLO/i.test(line)) socket.write('250-mail.example.net\r\n250 AUTH PLAIN LOGIN\r\n')
      else if (/^AUTH/i.test(line)) socket.write(`535 5.7.8 not you: ${line} (${SECRET})\r\n`)
      else socket.write('221 bye\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('mail: the head, the text and the answer, without the password in any form', async () => {
  const port = await quotingMailServer()
  const server = { email_smtp_host: '127.0.0.1', email_smtp_port: String(port), email_smtp_secure: 'none' }
  const auth = { email_smtp_username: 'portlight', email_smtp_password: SECRET }
  for (const [settings, flags] of [
    [{ to: 'noc@example.net' }, { ...server, ...auth }],
    [{ to: 'noc@example.net', host: '127.0.0.1', port: String(port), username: 'portlight', password: SECRET }, {}],
  ] as const) {
    const { delivery, shown } = await exchanges('mail', settings, flags)
    expect(delivery.kind).toBe('refused')
    expect(shown[0]?.request).toContain(`SMTP (none) to 127.0.0.1:${port}`)
    expect(shown[0]?.request).toContain('To: noc@example.net')
    expect(shown[0]?.answer).toContain('535')
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    expect(JSON.stringify(shown)).not.toContain(Buffer.from(`\0portlight\0${SECRET}`).toString('base64'))
  }
})

test('syslog and traps: what was sent; UDP has no answer', async () => {
  const syslog = await exchanges('syslog', { host: '127.0.0.1', port: '9' })
  expect(syslog.shown).toEqual([{ request: expect.stringContaining('Port down'), answer: null }])
  const trap = await exchanges('snmptrap', { host: '127.0.0.1', port: '9', community: SECRET })
  expect(trap.shown[0]?.request).toStartWith('v2c trap to 127.0.0.1:9')
  expect(trap.shown[0]?.answer).toBeNull()
  expect(trap.shown[0]?.request).toContain('Port down')
  expect(JSON.stringify(trap.shown)).not.toContain(SECRET)
})

test('scripts: the program, its input, and how it ended', async () => {
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  const path = join(folder.path, 'beacon')
  writeFileSync(path, '#!/bin/sh\ncat > /dev/null\nexit 3\n')
  chmodSync(path, 0o755)
  const { shown } = await exchanges('script', { path, arguments: 'red' }, { 'alert.script_dirs': folder.path })
  expect(shown).toEqual([
    { request: expect.stringContaining(`${path}\nred\n`), answer: 'the program ended with exit code 3' },
  ])
})
