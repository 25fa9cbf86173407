import { openSession } from '@portlight/snmp/session.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import { targetAt } from '../packages/snmp/tests/support/agent.ts'
import { findSnmpd, startSnmpd } from '../packages/snmp/tests/support/snmpd.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/** hrSWInstalled of HOST-RESOURCES-MIB: thousands of varbinds that snmpd has in memory after a first walk. */
const ROOT = '1.3.6.1.2.1.25.6'
const RUNS = 11

interface Walked {
  readonly ms: number
  readonly cpuMs: number
  readonly varbinds: number
}

/** A walk by the engine and by net-snmp's `snmpbulkwalk` on the same snmpd, alternating. */
export async function run(): Promise<BenchResult[]> {
  const path = findSnmpd()
  const tool = Bun.which('snmpbulkwalk')
  if (path === null || tool === null) {
    if (tool === null) console.warn('SKIPPED: snmpbulkwalk is not installed (Debian package snmp)')
    return []
  }
  const snmpd = await startSnmpd(path, () => '')
  const transport = await createTransport()
  try {
    const target = targetAt(snmpd.port, { timeout: 5 })
    const ours = async (): Promise<Walked> => {
      const cpu = process.cpuUsage()
      const started = performance.now()
      const outcome = await openSession(transport, target).walkColumn(ROOT)
      const used = process.cpuUsage(cpu)
      if (outcome.kind !== 'complete') throw new Error(`walk: ${outcome.kind}`)
      return { ms: performance.now() - started, cpuMs: (used.user + used.system) / 1000, varbinds: outcome.cells.size }
    }
    const theirs = async (): Promise<Walked> => {
      const started = performance.now()
      const child = Bun.spawn([tool, '-v2c', '-c', 'public', '-On', '-Cr50', `127.0.0.1:${snmpd.port}`, ROOT], {
        env: { ...process.env, MIBS: '', MIBDIRS: '/nonexistent' },
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const text = await new Response(child.stdout).text()
      await child.exited
      const usage = child.resourceUsage()
      return {
        ms: performance.now() - started,
        cpuMs: Number(usage?.cpuTime.total ?? 0) / 1000,
        varbinds: text.split('\n').filter((line) => line.startsWith('.')).length,
      }
    }
    const [a, b]: [Walked[], Walked[]] = [[], []]
    await ours()
    for (let i = 0; i < RUNS; i++) {
      a.push(await ours())
      b.push(await theirs())
    }
    const median = (list: readonly Walked[], key: keyof Walked) =>
      list.map((w) => w[key]).toSorted((x, y) => x - y)[Math.floor(list.length / 2)] ?? 0
    const varbinds = median(a, 'varbinds')
    console.log(`walk of ${ROOT}: ${varbinds} varbinds; snmpbulkwalk ${median(b, 'varbinds')}, its start included`)
    const per = (list: readonly Walked[]) => median(list, 'varbinds') / (median(list, 'ms') / 1000)
    return [
      result('walk: snmpd on loopback', per(a), 'varbinds/s', { name: 'snmpbulkwalk', value: per(b) }),
      result('walk: CPU of the client', median(a, 'cpuMs'), 'ms', { name: 'snmpbulkwalk', value: median(b, 'cpuMs') }),
    ]
  } finally {
    transport.close()
    await snmpd.stop()
  }
}

if (import.meta.main) for (const r of await run()) console.log(formatResult(r))
