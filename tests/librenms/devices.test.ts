import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { SETTINGS } from '../../src/config/schema.ts'
import { writeDefinitions } from '../../src/librenms/store.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, moduleOf } from '../modules/agent.ts'
import { compiled } from './tree.ts'

/** Part of an installation, and recordings of devices with what it found on them; not in this repository. */
const SHARED = join(import.meta.dir, '../../../shared')
const TREE = join(SHARED, 'librenms-tree')
const DEVICES = join(SHARED, 'devices')
const tools = Bun.which('tar') !== null && Bun.which('zstd') !== null
const present = existsSync(TREE) && existsSync(DEVICES) && tools
if (!present) {
  console.warn(
    `no ${TREE}, ${DEVICES} or no tar and zstd: loaded definitions are not tried against a real installation`,
  )
}

const work = mkdtempSync(join(tmpdir(), 'portlight-installation-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

function installation(): string {
  const root = join(work, 'tree')
  if (existsSync(root)) return root
  cpSync(join(TREE, 'resources'), join(root, 'resources'), { recursive: true })
  const unpacked = Bun.spawnSync(['tar', '--zstd', '-xf', join(TREE, 'mibs.tar.zst'), '-C', root])
  if (unpacked.exitCode !== 0) throw new Error(unpacked.stderr.toString())
  return root
}

/** Sums of one module over the devices. */
interface Tally {
  found: number
  matched: number
  /** Values compared, and how many of them differ, by field. */
  readonly differ: Record<string, number>
}

const FIELDS = [
  'sensor_index',
  'sensor_type',
  'sensor_descr',
  'group',
  'sensor_divisor',
  'sensor_multiplier',
  'sensor_limit',
  'sensor_limit_warn',
  'sensor_limit_low',
  'sensor_limit_low_warn',
  'entPhysicalIndex',
] as const

function parse(line: string): readonly [string, SnmpValue] | null {
  const [, oid = '', tag, hex, value = ''] = /^([\d.]+)\|(\d+)(x?)\|(.*)$/s.exec(line.replace(/\r$/, '')) ?? []
  if (hex === 'x' && !/^([\da-f]{2})*$/i.test(value)) return null
  const bytes = hex === 'x' ? Uint8Array.fromHex(value) : new TextEncoder().encode(value)
  const kinds = { '2': 'Integer32', '65': 'Counter32', '66': 'Gauge32', '67': 'TimeTicks' } as const
  if (tag === '4') return [oid, { kind: 'OctetString', value: bytes }]
  if (tag === '6') return [oid, { kind: 'ObjectIdentifier', value: value.replace(/^\./, '') }]
  if (tag === '64') return [oid, { kind: 'IpAddress', value: hex === 'x' ? bytes.join('.') : value }]
  if (tag === '70') return /^\d+$/.test(value) ? [oid, { kind: 'Counter64', value: BigInt(value) }] : null
  const kind = kinds[tag as keyof typeof kinds]
  return kind === undefined || !Number.isFinite(Number(value)) ? null : [oid, { kind, value: Number(value) }]
}

function recording(name: string): Map<string, SnmpValue> {
  const values = new Map<string, SnmpValue>()
  for (const line of readFileSync(join(DEVICES, `${name}.snmprec`), 'utf8').split('\n')) {
    const parsed = parse(line)
    if (parsed !== null && !values.has(parsed[0])) values.set(parsed[0], parsed[1])
  }
  const order = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
  return new Map([...values].sort(([a], [b]) => order(a, b)))
}

function same(a: unknown, b: unknown): boolean {
  const [x, y] = [a ?? '', b ?? '']
  if (x !== '' && y !== '' && Number.isFinite(Number(x)) && Number.isFinite(Number(y))) {
    return Math.abs(Number(x) - Number(y)) <= 1e-4 * Math.max(1e-9, Math.abs(Number(x)), Math.abs(Number(y)))
  }
  return String(x).trim() === String(y).trim()
}

describe.skipIf(!present)('a real installation', () => {
  test('nearly every name of its files resolves, and every file compiles', () => {
    const { oses } = compiled(installation())
    expect(oses).toHaveLength(readdirSync(join(TREE, 'resources/definitions/os_detection')).length)
    const names = oses.reduce((sum, os) => sum + os.names, 0)
    const unknown = oses.flatMap((os) => os.unknown)
    // the remaining names are in none of its modules: misspelled, or from a module that is missing
    expect((names - unknown.length) / names).toBeGreaterThan(0.99)
  })

  test('its definitions find on recorded devices what it found with them', async () => {
    const folder = join(work, 'compiled')
    writeDefinitions(folder, compiled(installation()), TREE, new Date(0))
    const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]))
    const settings = { ...defaults, 'definitions.folder': folder }
    const modules = [moduleOf(MODULES, 'system'), moduleOf(MODULES, 'loaded-definitions')]
    const tally: Tally = { found: 0, matched: 0, differ: {} }
    const wrong: string[] = []
    for (const file of readdirSync(DEVICES).filter((name) => name.endsWith('.expected.json'))) {
      const name = file.slice(0, -'.expected.json'.length)
      const expected = JSON.parse(readFileSync(join(DEVICES, file), 'utf8')).modules
      const agent = { ...agentOf({}), values: recording(name) }
      const found = await discover(modules, agent, { settings })
      const device = expected.os?.discovery?.devices?.[0]
      const system = found.find((o) => o.kind === 'system')
      if (device !== undefined && system?.os !== device.os) wrong.push(`${name}: ${device.os}, found ${system?.os}`)
      const rows = expected.sensors?.discovery?.sensors as Record<string, unknown>[] | undefined
      if (rows === undefined) continue
      const known = Map.groupBy(rows, (row) => `${row['sensor_class']} ${String(row['sensor_oid']).replace(/^\./, '')}`)
      for (const observation of found) {
        if (observation.kind !== 'sensors') continue
        for (const row of observation.rows) {
          tally.found++
          const match = known.get(`${row.sensor_class} ${row.sensor_oid}`)?.shift()
          if (match === undefined) continue
          tally.matched++
          // no lower limit of temperature is guessed here, and nothing from a value of 0
          for (const field of FIELDS)
            if (field === 'sensor_limit_low' && row.sensor_class === 'temperature' && row[field] == null) continue
            else if (field.startsWith('sensor_limit') && row[field] == null && Number(match[field]) === 0) continue
            else if (!same(row[field], match[field])) tally.differ[field] = (tally.differ[field] ?? 0) + 1
        }
      }
    }
    expect(wrong).toEqual([])
    expect(tally.found).toBeGreaterThan(1600)
    expect(tally.matched / tally.found).toBeGreaterThan(0.995)
    for (const count of Object.values(tally.differ)) expect(count / tally.matched).toBeLessThan(0.005)
  }, 300_000)
})
