import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Columns } from '../../../src/core/discovery/columns.ts'
import { DISCOVERED } from '../../../src/core/discovery/tables.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { PORT } from '../../../src/modules/ports/observation.ts'
import { MODULES } from '../../../src/modules/registry.ts'
import { runModules } from '../../../src/modules/run.ts'
import { SYSTEM } from '../../../src/modules/system/observation.ts'
import { FACTS } from '../../modules/agent.ts'
import { arbitraryReader } from '../../modules/arbitrary.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice } from './factories.ts'

// Whatever an agent answers, what modules make of it can be stored.

setDefaultTimeout(300_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Tables that discovery fills, with the limits of their texts. */
const FILLED: readonly { readonly table: string; readonly columns: Columns }[] = [
  ...Object.values(DISCOVERED).map(({ table, columns, first }) => ({ table, columns: { ...columns, ...first } })),
  { table: 'devices', columns: SYSTEM },
  { table: 'ports', columns: PORT },
]

/** Largest row of an index, octets; in a page of 8 kB three must fit. */
const MAX_INDEXED = 2704
/** Octets of a character of UTF-8. */
const WIDEST = 4

test('no text that is indexed can be too long for its index', async () => {
  const indexes = await database.store.sql<{ index: string; table: string; columns: string[] }[]>`
    select i.relname as index, t.relname as table, array_agg(distinct a.attname::text) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_namespace n on n.oid = t.relnamespace join pg_am m on m.oid = i.relam
    -- the columns of the index itself and those within its expressions
    join pg_depend d on d.objid = i.oid and d.refobjid = t.oid and d.refobjsubid > 0
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where n.nspname = 'public' and m.amname = 'btree' group by 1, 2`
  const checked = FILLED.flatMap(({ table, columns }) =>
    indexes
      .filter((index) => index.table === table)
      .map(({ index, columns: indexed }) => {
        const octets = indexed.map((name) => {
          const column = columns[name]
          return column?.sql === 'text' ? column.limit * WIDEST : 8
        })
        return { index, octets: octets.reduce((sum, one) => sum + one, 0) }
      }),
  )
  expect(checked.length).toBeGreaterThan(FILLED.length)
  expect(checked.filter(({ octets }) => octets > MAX_INDEXED)).toEqual([])
})

/** sysObjectIDs of vendors with tables of their own; null: an agent that names none. */
const PRODUCTS = [null, '22420.1', '9.1.1', '2636.1.1', '2011.2.23.1', '6527.1.3', '41112.1.5', '14988.1', '25506.1']

test.each(PRODUCTS.map((product, n) => [product, n + 1] as const))('arbitrary answers of %s', async (product, seed) => {
  const { store } = database
  const device_id = await newDevice(store)
  const sysObjectID = product === null ? null : `1.3.6.1.4.1.${product}`
  // the second discovery changes and removes what the first has stored
  for (const round of [0, 1]) {
    for (const kind of ['discover', 'poll'] as const) {
      const found: Observation[] = []
      for (const module of MODULES) {
        const reader = arbitraryReader(seed * 1000 + round * 7 + module.name.length, 60)
        for await (const one of runModules([module], kind, { ...FACTS, deviceId: device_id, sysObjectID }, reader))
          found.push(...one.observations)
      }
      // polls store counters as samples
      const kept = structuredClone(found).filter(
        (one) => !one.kind.endsWith('_counters') || one.kind === 'bgp_counters',
      )
      const run = kind === 'discover' ? { tookMs: 1, complete: true } : undefined
      const { unstored, kinds } = await writeDiscovery(store, device_id, kept, run)
      expect(unstored).toEqual([])
      expect(Object.keys(kinds).length).toBeGreaterThan(5)
    }
  }
})
