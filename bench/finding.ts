/**
 * Finds a network of agents on loopback that has what makes finding hard: routers with 40 addresses, pairs of firewalls
 * that share an address, clones with the same snmpEngineID, agents that speak only SNMPv3, agents with other credentials,
 * and silent addresses (2,048 in all). Prints what `portlight scan` found, how often a device was found twice, seconds,
 * datagrams as the agents counted them, CPU and memory; then finds it again, when nothing is new.
 *
 * `--devices N` (300), `--rate N` (500 datagrams a second)
 */
import { join } from 'node:path'
import { folderWithDatabase, portlight, program } from '../tests/cli/support.ts'
import { COMMUNITIES, findableNetwork, USER } from './support/findable.ts'
import type { Seen } from './support/findable-agents.ts'
import { freePort } from './support/fleet.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

const NETWORK = '127.60.0.0/21'
const GRACE_S = 20

/** A line of `portlight scan --json`. */
interface Line {
  readonly address: string
  readonly state: string
  readonly name: string | null
}

export async function run(): Promise<BenchResult[]> {
  const size = option('devices', 300)
  const rate = option('rate', 500)
  const { agents, devices } = findableNetwork(size)
  const port = await freePort()
  const folder = await folderWithDatabase()
  try {
    const set = async (name: string, value: unknown) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const { code, err } = await portlight(['config', 'set', name, text, '--data-dir', folder.dataDir])
      if (code !== 0) throw new Error(`${name}: ${err}`)
    }
    await set('nets', [NETWORK])
    await set('snmp.port', String(port))
    await set('snmp.community', COMMUNITIES)
    await set('snmp.v3', [{ ...USER, authlevel: 'authPriv', authalgo: 'SHA', cryptoalgo: 'AES' }])
    const first = await scan(folder.dataDir, port, size, rate)
    const again = await scan(folder.dataDir, port, size, rate)
    const expected = new Set(
      agents.filter(({ model }) => model.kind !== 'other credentials').flatMap((a) => a.addresses),
    )
    const answered = first.lines.filter(({ address, state }) => expected.has(address) && state !== 'silent')
    const { out } = await portlight(['candidate', 'list', '--json', '--limit', '1000', '--data-dir', folder.dataDir])
    const candidates = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { name: string })
    const names = candidates.map(({ name }) => name).filter((name) => !name.startsWith('127.'))
    const known = agents.filter(({ model }) => model.kind !== 'other credentials')
    return [
      result(
        'devices found',
        new Set(names).size,
        'devices',
        { name: 'there are', value: devices },
        {
          text: `${devices} of ${known.length}`,
          met: new Set(names).size === devices,
        },
      ),
      result('devices found twice', names.length - new Set(names).size, 'devices', null, {
        text: 'none',
        met: names.length === new Set(names).size,
      }),
      result('addresses that answered to the credentials', answered.length, 'addresses', {
        name: 'there are',
        value: expected.size,
      }),
      result('seconds', first.tookS, 's'),
      result('datagrams at agents', first.seen.received, 'datagrams'),
      result('most datagrams at agents in a second', first.seen.mostPerSecond, 'datagrams', {
        name: 'rate',
        value: rate,
      }),
      result('datagrams outside of the network', first.seen.outside + again.seen.outside, 'datagrams', null, {
        text: 'none',
        met: first.seen.outside + again.seen.outside === 0,
      }),
      result('CPU of the scan and its database', first.cpuS, 's'),
      result('memory at most', first.rssMiB, 'MiB'),
      result('found anew by a second scan', again.lines.filter(({ state }) => state === 'added').length, 'devices'),
    ]
  } finally {
    await folder.remove()
  }
}

async function scan(dataDir: string, port: number, size: number, rate: number) {
  const network = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'support', 'findable-agents.ts'), String(port), String(size)],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  const reader = network.stdout.getReader()
  await reader.read()
  const begun = performance.now()
  const child = Bun.spawn(
    [
      process.execPath,
      '--no-env-file',
      program,
      'scan',
      NETWORK,
      '--json',
      '--rate',
      String(rate),
      '--data-dir',
      dataDir,
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const tookS = (performance.now() - begun) / 1000
  if (code !== 0) console.error(err)
  const used = child.resourceUsage()
  network.stdin.end()
  let said = ''
  for (;;) {
    const { done, value } = await Promise.race([
      reader.read(),
      Bun.sleep(GRACE_S * 1000).then(() => ({ done: true, value: undefined }) as const),
    ])
    if (done) break
    said += new TextDecoder().decode(value)
  }
  await network.exited
  return {
    lines: out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line),
    tookS,
    seen: JSON.parse(said.trim().split('\n').at(-1) ?? '{}') as Seen,
    cpuS: Number(used?.cpuTime.total ?? 0) / 1e6,
    rssMiB: (used?.maxRSS ?? 0) / 2 ** 20,
  }
}
