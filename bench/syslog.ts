import { join } from 'node:path'
import { startListeners } from '../src/core/logs/receive/listeners.ts'
import { createLog } from '../src/observe/log.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * A burst of syslog messages by UDP: `--rate N` a second (default 50,000) for `--seconds N` (60) from 20 devices, half
 * of the messages from one device, and 10 a second from a quiet one. Every message must be stored or counted as
 * dropped.
 */

const SOURCES = 20
const MIB = 1024 * 1024

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(2, async (store, url) => {
    await store.sql`
        insert into devices (device_id, hostname, ip, os)
        select n, 'device-' || n, ('127.0.1.' || n)::inet, 'ios' from generate_series(1, ${SOURCES}) n`
    const listeners = startListeners({
      options: {
        databaseUrl: url,
        addresses: { syslogUdp: '127.0.0.1:0', syslogTcp: '', syslogTls: '', trapsUdp: '' },
        tls: null,
        engine: { id: '80000000050102030405060708090a0b0c', boots: 1 },
        live: { filter: [], xlate: {}, relays: [], trapRelays: [], communities: [], users: [] },
      },
      log: createLog('silent'),
      stored: () => undefined,
      poll: () => undefined,
    })
    const port = (await listeners.ready)['syslog.udp'] ?? 0
    const seconds = option('seconds', 60)
    const idle = process.memoryUsage.rss()
    const cpu = process.cpuUsage()
    const lags: number[] = []
    let rss = idle
    let last = performance.now()
    const timer = setInterval(() => {
      lags.push(Math.max(0, performance.now() - last - 10))
      last = performance.now()
      rss = Math.max(rss, process.memoryUsage.rss())
    }, 10)
    const began = performance.now()
    const sender = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, 'support/syslog-sender.ts'),
        ...[port, option('rate', 50_000), seconds, SOURCES].map(String),
      ],
      { stdout: 'pipe' },
    )
    const sent: { quiet: number; flood: number; others: number } = JSON.parse(await new Response(sender.stdout).text())
    const storedDuring = listeners.counts().syslog.stored
    const took = (performance.now() - began) / 1000
    for (let calm = 0; calm < 4; ) {
      await Bun.sleep(1000)
      calm = listeners.counts().syslog.waiting === 0 ? calm + 1 : 0
    }
    clearInterval(timer)
    const counts = listeners.counts().syslog
    const dropped = Object.values(counts.dropped).reduce((sum, count) => sum + count, 0)
    const all = sent.quiet + sent.flood + sent.others
    const rows = await store.sql<{ kind: string; n: number }[]>`
        select case device_id when 1 then 'quiet' when 2 then 'flood' else 'others' end as kind, count(*)::int as n
        from syslog group by 1`
    const kept = (kind: 'quiet' | 'flood' | 'others') =>
      (100 * (rows.find((row) => row.kind === kind)?.n ?? 0)) / sent[kind]
    const { user, system } = process.cpuUsage(cpu)
    await listeners.stop(2000)
    lags.sort((a, b) => a - b)
    const reasons = Object.entries(counts.dropped).map(([reason, count]) =>
      result(`  dropped: ${reason}`, count, 'messages'),
    )
    return [
      result('sent', all / seconds, 'messages/s'),
      result('received by the program', counts.received / seconds, 'messages/s'),
      result('stored while the burst lasted', storedDuring / took, 'messages/s'),
      result('stored in the end', counts.stored, 'messages'),
      ...reasons,
      result('neither stored nor counted as dropped', all - counts.stored - dropped, 'messages', null, {
        text: '= 0',
        met: all === counts.stored + dropped,
      }),
      result('kept of the quiet device', kept('quiet'), '%', null, { text: '>= 99 %', met: kept('quiet') >= 99 }),
      result('kept of the flooding device', kept('flood'), '%'),
      result('kept of the 18 others', kept('others'), '%'),
      result('RSS at most, beyond that before', (rss - idle) / MIB, 'MiB'),
      result('lateness of the main thread, p99', lags[Math.floor(lags.length * 0.99)] ?? 0, 'ms'),
      result('CPU of the program', (user + system) / 1e6 / took, 'cores'),
    ]
  })
}
