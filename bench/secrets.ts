import { deviceListJson } from '../src/core/devices/read-list.ts'
import { loadDevicePlan } from '../src/core/polling/read-plan.ts'
import { newKeyText, parseKeys } from '../src/core/secrets/codec.ts'
import { useSecretKeys } from '../src/core/secrets/ring.ts'
import { recrypt } from '../src/core/secrets/write-recrypted.ts'
import { testDatabase } from '../tests/support/database.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/** The cost of encrypted communities: reading a long list for the first time, loading polling plans, and encrypting. */

const DEVICES = 20_000
const ROUNDS = 5

export async function run(): Promise<BenchResult[]> {
  const { store, drop } = await testDatabase()
  const { sql } = store
  const key = newKeyText()
  const [parsed] = parseKeys(key, 'bench')
  if (parsed === undefined) throw new Error('no key')
  try {
    await sql`insert into devices (hostname, community, "sysDescr")
      select 'd' || n || '.example.net', 'community-' || n, repeat('words of a device ', 10) from generate_series(1, ${DEVICES}::int) n`
    const all = { kind: 'all' } as const
    const list = async () => {
      // every row has a new version, so nothing is cached
      await sql`update devices set uptime = coalesce(uptime, 0) + 1`
      const began = performance.now()
      await deviceListJson(store, all, all, { column: 'hostname', descending: false }, { secrets: true })
      return performance.now() - began
    }
    const plans = async () => {
      const began = performance.now()
      await loadDevicePlan(store)
      return performance.now() - began
    }
    const listPlain = await median(list)
    const plansPlain = await median(plans)
    useSecretKeys([{ text: key, source: 'bench' }])
    const began = performance.now()
    await recrypt(store, parsed, () => undefined)
    const tookMs = performance.now() - began
    return [
      result(`list of ${DEVICES} changed devices, plain`, listPlain, 'ms'),
      result(`list of ${DEVICES} changed devices, encrypted`, await median(list), 'ms'),
      result(`polling plans of ${DEVICES} devices, plain`, plansPlain, 'ms'),
      result(`polling plans of ${DEVICES} devices, encrypted`, await median(plans), 'ms'),
      result(`encrypting ${DEVICES} communities`, tookMs, 'ms'),
    ]
  } finally {
    useSecretKeys([])
    await drop()
  }
}

async function median(work: () => Promise<number>): Promise<number> {
  const rounds: number[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await work())
  return rounds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
