/**
 * Finds a network of agents on loopback that has what makes finding hard: routers with 40 addresses, pairs of firewalls
 * that share an address, clones with the same snmpEngineID, agents that speak only SNMPv3, agents with other credentials,
 * and silent addresses (2,048 in all). Prints what `portlight scan` found, how often a device was found twice, seconds,
 * datagrams as the agents counted them, CPU and memory; then finds it again, when nothing is new.
 *
 * `--devices N` (300, at most 450), `--rate N` (500 datagrams a second)
 */
import { join } from 'node:path'
import { command, folderWithDatabase, portlight } from '../tests/cli/support.ts'
import { COMMUNITIES, findableNetwork, USER } from './support/findable.ts'
import type { Seen } from './support/findable-agents.ts'
import { freePort } from './support/fleet.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

const NETWORK = '127.60.0.0/21'
const NONE = (value: number) => ({ text: 'none', met: value === 0 })

export async function run(): Promise<BenchResult[]> {
  const size = option('devices', 300)
  const rate = option('rate', 500)
  const expected = findableNetwork(size).filter(({ answers }) => answers)
  const port = await freePort()
  const folder = await folderWithDatabase()
  const cli = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await portlight([...args, '--data-dir', folder.dataDir])
    if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
    return out
  }
  /** Names of the found devices, each as often as it was found. */
  const found = async () =>
    linesOf<{ name: string }>(await cli('candidate', 'list', '--json', '--limit', '500')).map(({ name }) => name)
  try {
    for (const [name, value] of [
      ['nets', [NETWORK]],
      ['snmp.port', port],
      ['snmp.community', COMMUNITIES],
      ['snmp.v3', [{ ...USER, authlevel: 'authPriv', authalgo: 'SHA', cryptoalgo: 'AES' }]],
    ] as const)
      await cli('config', 'set', name, JSON.stringify(value))
    const first = await scan(folder.dataDir, port, size, rate)
    const names = await found()
    const again = await scan(folder.dataDir, port, size, rate)
    const anew = (await found()).length - names.length
    const distinct = expected.filter(({ agent }) => names.includes(agent.name)).length
    const others = names.length - distinct
    const outside = first.seen.outside + again.seen.outside
    const addresses = new Set(expected.flatMap((placed) => placed.addresses))
    const answered = first.lines.filter(({ address, state }) => addresses.has(address) && state === 'found').length
    return [
      result(
        'devices found',
        distinct,
        'devices',
        { name: 'there are', value: expected.length },
        { text: 'all', met: distinct === expected.length },
      ),
      result('found twice, or nothing that there is', others, 'devices', null, NONE(others)),
      result('addresses that answered', answered, 'addresses', { name: 'there are', value: addresses.size }),
      result('seconds', first.tookS, 's'),
      result('datagrams at agents', first.seen.received, 'datagrams'),
      result('most datagrams at agents in a second', first.seen.mostPerSecond, 'datagrams', {
        name: 'rate',
        value: rate,
      }),
      result('datagrams outside of the network', outside, 'datagrams', null, NONE(outside)),
      result('CPU of the scan', first.cpuS, 's'),
      result('memory at most', first.rssMiB, 'MiB'),
      result('found anew by a second scan', anew, 'devices', null, NONE(anew)),
    ]
  } finally {
    await folder.remove()
  }
}

const linesOf = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

async function scan(dataDir: string, port: number, size: number, rate: number) {
  const agents = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'support', 'findable-agents.ts'), String(port), String(size)],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  )
  const said = agents.stdout.getReader()
  await said.read()
  const begun = performance.now()
  const args = ['scan', NETWORK, '--json', '--rate', String(rate), '--data-dir', dataDir]
  const child = Bun.spawn([...command, ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const tookS = (performance.now() - begun) / 1000
  if (code !== 0) throw new Error(err)
  const used = child.resourceUsage()
  agents.stdin.end()
  const { value } = await said.read()
  await agents.exited
  return {
    lines: linesOf<{ address: string; state: string }>(out),
    tookS,
    seen: JSON.parse(new TextDecoder().decode(value)) as Seen,
    cpuS: Number(used?.cpuTime.total ?? 0) / 1e6,
    rssMiB: (used?.maxRSS ?? 0) / 2 ** 20,
  }
}
