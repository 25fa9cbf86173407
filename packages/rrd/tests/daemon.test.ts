import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DaemonError, openDaemon, type RrdDaemon } from '../src/daemon.ts'
import { readRrd } from '../src/file.ts'
import { createRrd, RRDTOOL, rrdtool } from './rrdtool.ts'

const RRDCACHED = Bun.which('rrdcached', { PATH: `${process.env['PATH']}:/usr/sbin:/usr/bin` })
const folders: string[] = []
const closing: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'portlight-cached-'))
  folders.push(made)
  return made
}

/** A daemon that delays updates for an hour. */
async function startDaemon(base: string, listen: string): Promise<void> {
  mkdirSync(join(base, 'files'), { recursive: true })
  const args = [
    '-g',
    '-l',
    listen,
    '-b',
    join(base, 'files'),
    '-B',
    '-R',
    '-w',
    '3600',
    '-f',
    '7200',
    '-p',
    join(base, 'pid'),
  ]
  const child = Bun.spawn([RRDCACHED ?? 'rrdcached', ...args], { stdout: 'ignore', stderr: 'ignore' })
  closing.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
}

/** Retries until the daemon listens. */
async function opened(address: string): Promise<RrdDaemon> {
  const until = Date.now() + 20_000
  for (;;) {
    try {
      const daemon = await openDaemon(address)
      closing.push(() => daemon.close())
      return daemon
    } catch (error) {
      if (Date.now() > until) throw error
      await Bun.sleep(50)
    }
  }
}

async function listening(answer: (line: string) => string | null): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const text = answer(data.toString())
      if (text === null) socket.destroy()
      else socket.write(text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe.skipIf(RRDCACHED === null || RRDTOOL === null)('rrdcached', () => {
  for (const kind of ['a Unix socket', 'TCP'] as const) {
    test(`writes pending updates, over ${kind}`, async () => {
      const base = folder()
      const port = 20_000 + Math.floor(Math.random() * 20_000)
      const address = kind === 'TCP' ? `127.0.0.1:${port}` : `unix:${join(base, 'socket')}`
      await startDaemon(base, address)
      const daemon = await opened(address)
      const startS = Math.floor(Date.now() / 300_000) * 300 - 3000
      const path = join(base, 'files', 'my host', 'uptime.rrd')
      createRrd({ path, startS, dataSets: ['DS:uptime:GAUGE:600:0:U'] })
      // rrdtool looks for the file itself before it asks a daemon on the same machine.
      rrdtool(
        'update',
        '--daemon',
        address,
        kind === 'TCP' ? 'my host/uptime.rrd' : path,
        `${startS + 300}:5`,
        `${startS + 600}:6`,
      )
      const written = () => readRrd(path, ({ header }) => header.lastUpdateS)
      expect(written()).toBe(startS)
      expect(await daemon.flush('my host/uptime.rrd')).toBe(true)
      expect(written()).toBe(startS + 600)
      expect(await daemon.flush('my host/uptime.rrd')).toBe(true)
      expect(await daemon.flush('no host/uptime.rrd')).toBe(false)
      expect(statSync(path).size).toBeGreaterThan(0)
    }, 60_000)
  }
})

describe('something that is not the daemon', () => {
  test('gives an error that names it', async () => {
    await expect(openDaemon('unix:/nonexistent/socket')).rejects.toThrow(DaemonError)
    await expect(openDaemon('ftp://example.net/')).rejects.toThrow('expected unix:PATH or HOST:PORT')
    const port = await listening(() => 'HTTP/1.1 400 Bad Request\r\n\r\n')
    const daemon = await opened(`127.0.0.1:${port}`)
    await expect(daemon.flush('a/b.rrd')).rejects.toThrow('refused to flush')
    await expect(daemon.flush('a/b.rrd')).rejects.toThrow(DaemonError)
  })

  test('that closes the connection or never ends a line is given up', async () => {
    const closed = await opened(`127.0.0.1:${await listening(() => null)}`)
    await expect(closed.flush('a/b.rrd')).rejects.toThrow('closed the connection')
    const endless = await opened(`127.0.0.1:${await listening(() => '0'.repeat(100_000))}`)
    await expect(endless.flush('a/b.rrd')).rejects.toThrow('a line that is too long')
  })
})
