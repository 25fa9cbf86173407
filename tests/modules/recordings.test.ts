import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { SETTINGS } from '../../src/config/schema.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { discover } from './agent.ts'
import { load } from './recorded.ts'

/** Recordings of real devices with the results of another monitoring system; not in this repository. */
const FOLDER = join(import.meta.dir, '../../../shared/devices')
const present = existsSync(FOLDER)
if (!present) console.warn(`no device recordings in ${FOLDER}: modules are not tried against real devices`)

/** The other SNMP contexts in the recording. */
function contextsOf(name: string): Readonly<Record<string, ReadonlyMap<string, SnmpValue>>> {
  const files = readdirSync(FOLDER).filter((file) => file.startsWith(`${name}@`) && file.endsWith('.snmprec'))
  return Object.fromEntries(
    files.map((file) => {
      const context = file.slice(name.length + 1, -'.snmprec'.length)
      return [context, load(FOLDER, `${name}@${context}`)]
    }),
  )
}

type Expected = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Rows of a table after polling, else after discovery; null if the other system did not read it. */
function expectedRows(modules: Expected, module: string, table: string): readonly Record<string, unknown>[] | null {
  const found = modules[module]
  if (found === undefined) return null
  for (const name of ['poller', 'discovery']) {
    const tables = found[name]
    if (typeof tables === 'object' && tables !== null && table in tables) {
      return (tables as Record<string, Record<string, unknown>[]>)[table] ?? []
    }
  }
  return []
}

interface Judged {
  readonly name: string
  readonly module: string
  readonly table: string
  readonly expected: (row: Record<string, unknown>) => string | null
  readonly found: (observations: readonly Observation[]) => readonly string[]
  /** Percentage of the expected records that are found, and of the found records that are expected. */
  readonly recall: number
  readonly precision: number
}

/** Rows of the observations of a kind. */
function rowsOf<K extends Observation['kind']>(observations: readonly Observation[], kind: K) {
  const ofKind = observations.filter((o): o is Extract<Observation, { kind: K }> => o.kind === kind)
  return ofKind.flatMap((o) => ('rows' in o ? [...o.rows] : []) as RowOf<K>[])
}
type RowOf<K> = Extract<Observation, { kind: K; rows: readonly unknown[] }>['rows'][number]

function portIndexes(observations: readonly Observation[]): ReadonlySet<number> {
  return new Set(rowsOf(observations, 'ports').map((row) => row.ifIndex))
}

const JUDGED: readonly Judged[] = [
  {
    name: 'ports',
    module: 'ports',
    table: 'ports',
    expected: (row) =>
      row['deleted'] === 1 ? null : `${row['ifIndex']} ${row['ifDescr'] ?? ''} ${row['ifType'] ?? ''}`,
    found: (all) => rowsOf(all, 'ports').map((row) => `${row.ifIndex} ${row.ifDescr ?? ''} ${row.ifType ?? ''}`),
    recall: 98,
    precision: 98,
  },
  {
    name: 'IPv4 addresses',
    module: 'ipv4-addresses',
    table: 'ipv4_addresses',
    expected: (row) => `${row['ipv4_address']}/${row['ipv4_prefixlen']} ${row['ifIndex']}`,
    found: (all) =>
      rowsOf(all, 'ipv4')
        .filter((row) => portIndexes(all).has(row.ifIndex))
        .map((row) => `${row.address}/${row.prefixLen} ${row.ifIndex}`),
    recall: 99,
    precision: 98,
  },
  {
    name: 'inventory',
    module: 'entity-physical',
    table: 'entPhysical',
    expected: (row) => `${row['entPhysicalIndex']} ${row['entPhysicalClass'] ?? ''}`,
    found: (all) => rowsOf(all, 'inventory').map((row) => `${row.entPhysicalIndex} ${row.entPhysicalClass ?? ''}`),
    recall: 95,
    precision: 99,
  },
  {
    name: 'VLANs',
    module: 'vlans',
    table: 'vlans',
    expected: (row) => `${row['vlan_domain'] ?? ''} ${row['vlan_vlan']} ${row['vlan_name']} ${row['vlan_state']}`,
    found: (all) =>
      rowsOf(all, 'vlans').map((r) => `${r.vlan_domain ?? ''} ${r.vlan_vlan} ${r.vlan_name} ${r.vlan_state}`),
    recall: 95,
    precision: 98,
  },
  {
    name: 'VLANs on ports',
    module: 'vlans',
    table: 'ports_vlans',
    expected: (row) => (row['baseport'] === 0 ? null : `${row['vlan']} ${row['baseport']} ${row['untagged']}`),
    found: (all) =>
      rowsOf(all, 'port-vlans')
        .filter((row) => row.baseport !== 0 && portIndexes(all).has(row.ifIndex))
        .map((row) => `${row.vlan} ${row.baseport} ${row.untagged}`),
    recall: 97,
    precision: 97,
  },
  {
    name: 'processors',
    module: 'processors',
    table: 'processors',
    expected: (row) => (row['processor_type'] === 'hr' ? `${row['processor_oid']} ${row['processor_usage']}` : null),
    found: (all) =>
      rowsOf(all, 'processors')
        .filter((row) => row.processor_type === 'hr')
        .map((row) => `.${row.processor_oid} ${row.processor_usage}`),
    recall: 98,
    precision: 95,
  },
]

describe.skipIf(!present)('recordings of real devices', () => {
  test(
    'everything in the standard MIBs is found, and little else',
    async () => {
      const tally = new Map(JUDGED.map((judged) => [judged, { expected: 0, found: 0, matched: 0 }]))
      const settings = {
        bad_if: SETTINGS.bad_if.default,
        bad_if_regexp: SETTINGS.bad_if_regexp.default,
        bad_iftype: SETTINGS.bad_iftype.default,
      }
      for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.expected.json'))) {
        const name = file.slice(0, -'.expected.json'.length)
        const document = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { readonly modules: Expected }
        const observations = await discover(
          MODULES,
          { values: load(FOLDER, name), contexts: contextsOf(name), asked: [] },
          { settings },
        )
        for (const [judged, count] of tally) {
          const rows = expectedRows(document.modules, judged.module, judged.table)
          if (rows === null) continue
          const expected = new Set(rows.map(judged.expected).filter((key) => key !== null))
          const found = new Set(judged.found(observations))
          count.expected += expected.size
          count.found += found.size
          count.matched += expected.intersection(found).size
        }
      }
      for (const [{ name, recall, precision }, count] of tally) {
        const share = (of: number) => Math.round((10_000 * count.matched) / of) / 100
        expect({ name, recall: share(count.expected) >= recall, ...count }).toMatchObject({ name, recall: true })
        expect({ name, precision: share(count.found) >= precision, ...count }).toMatchObject({ name, precision: true })
      }
    },
    { timeout: 300_000 },
  )
})
