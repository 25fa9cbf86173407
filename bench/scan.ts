import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSettings } from '../src/config/settings.ts'
import { SYSTEM } from '../src/core/base/actor.ts'
import type { Gateway } from '../src/core/base/gateway.ts'
import { runNow } from '../src/core/scans/run-now.ts'
import { createScanService } from '../src/core/scans/service.ts'
import { createLog } from '../src/observe/log.ts'
import { createScanner } from '../src/scanner/scanner.ts'
import { withDatabase } from './support/database.ts'
import { startFleet } from './support/fleet.ts'
import { option } from './support/option.ts'
import { cpuSeconds, memoryOf } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Scans a /16 of which 1 % answers, with one community and v2c only, at `--rate N` (500) datagrams per second; with
 * `--ping 1` also by ping, which on loopback answers for every address, so that half of the datagrams are echo requests and every
 * address is a candidate. SNMP requests are counted by the agents, echo requests by the kernel for the whole machine.
 */

const NETWORK = '127.16.0.0/16'
const ADDRESSES = 65_534
const GOAL_S = 240
const GOAL_MIB = 30

export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-bench-scan-'))
  const file = join(folder, 'requests')
  const size = ['--ports', '24', '--sensors', '4']
  const fleet = await startFleet(['--devices', String(ADDRESSES), '--dead', '99', '--stats', file, ...size])
  if (fleet === null) return []
  try {
    return await withDatabase(4, async (store) => {
      const rate = option('rate', 500)
      const ping = option('ping', 0) === 1
      const settings = createSettings({
        flags: { nets: NETWORK, 'snmp.port': String(fleet.port), 'snmp.version': 'v2c' },
      })
      const log = createLog('silent')
      const scanner = createScanner({ settings, log })
      const [scan] = await createScanService({ store, settings }).start(SYSTEM, { rate, ping }, true)
      if (scan === undefined) throw new Error('no scan')
      Bun.gc(true)
      const before = { memory: memoryOf(process.pid).own, cpu: cpuSeconds().own }
      const echoes = echoRequests()
      const watched = await watchAgents(fleet.pid, file)
      const began = performance.now()
      let highest = 0
      const growth = setInterval(() => {
        highest = Math.max(highest, memoryOf(process.pid).own)
      }, 1000)
      const deps = { store, settings, gateway: NO_GATEWAY, ask: scanner.ask, log }
      const { counts } = await runNow(deps, scan, new AbortController().signal, {})
      const seconds = (performance.now() - began) / 1000
      clearInterval(growth)
      const { sent, highestPerS } = await watched()
      const echoed = echoRequests() - echoes
      const cpu = cpuSeconds().own - before.cpu
      scanner.close()
      const mib = (highest - before.memory) / 2 ** 20
      const living = Math.ceil(ADDRESSES / 100)
      return [
        result('a /16 with 1 % answering', seconds, 's', null, { text: `${GOAL_S} s`, met: seconds <= GOAL_S }),
        result('addresses asked', counts.done, 'addresses'),
        result('devices found', counts.answeredSnmp, `of ${living}`, null, {
          text: 'all',
          met: counts.answeredSnmp >= living - 1,
        }),
        result('SNMP requests, as the agents count', sent, 'datagrams'),
        result('echo requests, as the kernel counts', echoed, 'datagrams'),
        result('most SNMP requests in a second, as the agents count', highestPerS, 'datagrams', null, {
          text: `${rate}`,
          met: highestPerS <= rate * 1.02,
        }),
        result('CPU of the whole process', cpu, 's'),
        result('growth of RSS', mib, 'MiB', null, { text: `${GOAL_MIB} MiB`, met: mib <= GOAL_MIB }),
      ]
    })
  } finally {
    await fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing is asked of pollers. */
const NO_GATEWAY: Gateway = {
  resolve: () => Promise.resolve(null),
  ping: () => Promise.resolve({ kind: 'unavailable' }),
  probe: () => Promise.resolve({ kind: 'failed', failure: { kind: 'closed' } }),
  identify: () => Promise.resolve(null),
  refresh: () => undefined,
  discover: () => Promise.reject(new Error('not in this bench')),
  poll: () => Promise.reject(new Error('not in this bench')),
  contact: () => Promise.resolve(null),
}

/** Requests that have reached the agents, by the agents' own count and clock, ms. */
async function requestsAt(pid: number, file: string): Promise<{ readonly at: number; readonly count: number }> {
  process.kill(pid, 'SIGUSR1')
  await Bun.sleep(20)
  const last = readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? ''
  if (last === '') return { at: 0, count: 0 }
  const { t, requests } = JSON.parse(last) as { readonly t: number; readonly requests: number }
  return { at: t * 1000, count: requests }
}

/** Counts the requests that reach the agents, and the most in a second. */
async function watchAgents(pid: number, file: string) {
  const first = await requestsAt(pid, file)
  const samples: { readonly at: number; readonly count: number }[] = []
  let stopped = false
  const looking = (async () => {
    while (!stopped) {
      samples.push(await requestsAt(pid, file))
      await Bun.sleep(480)
    }
  })()
  return async () => {
    stopped = true
    await looking
    let highestPerS = 0
    for (const [i, { at, count }] of samples.entries()) {
      const later = samples[i + 2]
      if (later !== undefined) highestPerS = Math.max(highestPerS, ((later.count - count) * 1000) / (later.at - at))
    }
    return { sent: (await requestsAt(pid, file)).count - first.count, highestPerS }
  }
}

/** Echo requests that left this machine. */
function echoRequests(): number {
  const [names = '', values = ''] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Icmp:'))
  return Number(values.split(' ')[names.split(' ').indexOf('OutEchos')] ?? 0)
}
