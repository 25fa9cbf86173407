import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { portlight, type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { metricOf } from '../support/site.ts'
import { until } from './server.ts'

// The server under a low limit of open files, with more connections than it has descriptors.

setDefaultTimeout(240_000)

const LIMIT = 256
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
const logFile = join(folder.path, 'log')
let served: Served | null = null
const crowd = new Set<Socket>()
let crowded = true

afterAll(async () => {
  leave()
  served?.process.kill('SIGTERM')
  await served?.process.exited
  folder.remove()
})

/** Keeps `count` connections open that send nothing, or the beginning of a request, and opens them again when closed. */
function besiege(port: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const open = (): void => {
      if (!crowded) return
      const socket = connect(port, '127.0.0.1')
      crowd.add(socket)
      if (i % 3 === 0) socket.on('connect', () => socket.write('GET / HTTP/1.1\r\nHost: here\r\nX-Slow: '))
      socket
        .on('error', () => undefined)
        .on('close', () => {
          crowd.delete(socket)
          setTimeout(open, 200)
        })
    }
    open()
  }
}

function leave(): void {
  crowded = false
  for (const socket of crowd) socket.destroy()
}

const log = () => readFileSync(logFile, 'utf8')
const times = (text: string): number => log().split(text).length - 1

/** One try; null: no answer within a few seconds, for instance because others are before it in the queue of connections. */
const ask = (server: Served, path: string) =>
  fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(5000) }).catch(() => null)

/** Stores a setting from another process, and waits until the server uses it. */
async function obeys(server: Served, enabled: boolean): Promise<void> {
  const set = await portlight(['config', 'set', 'api.v1.enabled', String(enabled), '--data-dir', dataDir])
  expect(set).toMatchObject({ code: 0 })
  await until(60, `api.v1.enabled is ${enabled}`, async () => {
    if (server.process.exitCode !== null) throw new Error(`the server has ended: ${log()}`)
    const answer = await ask(server, '/api/v1/health')
    return answer?.status === (enabled ? 200 : 404)
  })
}

test('more connections than descriptors are refused; the server goes on, and its database with it', async () => {
  const limited = ['sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh']
  const args = ['--set', 'icmp_check=false', '--set', 'poller.workers=1', '--set', 'syslog.tcp=127.0.0.1:0']
  const server = await startServe(dataDir, logFile, args, limited)
  served = server
  const syslog = await until(30, 'syslog is received', async () => Number(/"syslog.tcp":(\d+)/.exec(log())?.[1]))

  besiege(Number(new URL(server.url).port), 2 * LIMIT)
  besiege(syslog, LIMIT)
  await until(60, 'connections are refused', async () => times('too many connections') > 0)
  // it obeys commands in the middle of it
  await obeys(server, true)
  expect(server.process.exitCode).toBeNull()

  leave()
  await until(60, '/readyz is 200', async () => (await ask(server, '/readyz'))?.status === 200)
  await obeys(server, false)
  expect(times('too many connections')).toBe(1)
  for (const lost of ['database server died', 'worker died', 'the watchdog failed']) expect(times(lost)).toBe(0)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metricOf(metrics, 'portlight_descriptors_exhausted_total')).toBe(1)
  expect(metricOf(metrics, 'portlight_syslog_dropped_total{reason="connections"}')).toBeGreaterThan(0)
})

test('the limit of open files is raised as far as it may be', async () => {
  const other = temporaryFolder()
  const soft = ['sh', '-c', 'ulimit -Sn 128; exec "$@"', 'sh']
  const server = await startServe(join(other.path, 'data'), join(other.path, 'log'), [], soft)
  try {
    const [, now, most] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(
      readFileSync(`/proc/${server.process.pid}/limits`, 'utf8'),
    ) ?? ['', '', '']
    expect(now).toBe(most ?? '')
  } finally {
    server.process.kill('SIGTERM')
    await server.process.exited
    other.remove()
  }
})
