import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type CopyType, copyRows } from '../../../src/core/series/copy-rows.ts'
import { packRows } from '../../../src/core/series/pack-rows.ts'
import { KIND_LIST } from '../../../src/series/kinds.ts'
import { type Rng, rng } from '../../random/rng.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// Rows that this process packs are what the server makes of the same rows, form for form.

setDefaultTimeout(120_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

type Shape = (r: Rng, i: number) => number
const UNKNOWN = Number.NaN
const SHAPES: readonly Shape[] = [
  () => 0,
  () => UNKNOWN,
  (r) => r.below(100),
  (r) => (r.chance(0.1) ? UNKNOWN : r.below(70_000)),
  (r) => r.below(2_000_000_000),
  (r) => (r.chance(0.2) ? UNKNOWN : r.below(2_000_000_000) * 30_000),
  (r) => r.below(1000) / 10,
  (r) => r.below(100_000) / 100 - 300,
  (r) => (r.chance(0.2) ? UNKNOWN : r.below(3_000_000) / 1000),
  (r) => r.next() * 1e9,
  (r) => r.next(),
  (_, i) => [32_767, -32_768, 0, 32_768, -32_769][i % 5] ?? 0,
  (_, i) => [32_767, -32_768, 0][i % 3] ?? 0,
  (_, i) => [2_147_483_647, -2_147_483_648, -1][i % 3] ?? 0,
  (_, i) => [2_147_483_648, 0, 70_368_744_177_663][i % 3] ?? 0,
  (_, i) => [70_368_744_177_664, 1, UNKNOWN][i % 3] ?? 0,
  (_, i) => [-1, 4_294_967_296, Number.MAX_SAFE_INTEGER, 2 ** 60][i % 4] ?? 0,
  (_, i) => [0, -0][i % 2] ?? 0,
  (_, i) => [Number.POSITIVE_INFINITY, UNKNOWN, 1, 1e-30, 1e30, 1e300][i % 6] ?? 0,
  (_, i) => [23.150000000000002, 23.15, 0.0625, 31.5, 0.05][i % 5] ?? 0,
  (_, i) => [1_999_999, 2_000_000, 3276.8, 32.768, 1999.9995][i % 5] ?? 0,
]

const TYPES: Readonly<Record<string, CopyType>> = {
  int4: 'int',
  int8: 'bigint',
  float4: 'real',
  float8: 'float8',
  _int8: 'bigint[]',
}
const RELS = KIND_LIST.flatMap(({ name }) => (['samples', '1h', '1d'] as const).map((level) => ({ name, level })))

/** Times in epoch ms that begin shortly before the end of a chunk, ascending. */
function times(r: Rng, endMs: number): readonly number[] {
  const stepMs = r.pick([1000, 5000, 60_000, 300_000, 3_600_000])
  const jitterMs = r.pick([0, 0, 1, 999])
  const count = r.pick([1, 2, 3, 24, 289])
  const begin = endMs - r.below(count) * stepMs
  return Array.from({ length: count }, (_, i) => begin + i * stepMs + r.below(jitterMs + 1)).filter(
    () => !r.chance(0.05),
  )
}

describe.each(RELS)('$name $level', ({ name, level }) => {
  test('is packed as the server packs it', async () => {
    const rel = `ts.${name}_${level}`
    const [chunks] = await database.store.sql<{ key: string; time: string; width: number; wide: boolean }[]>`
      select s.key_col as key, s.time_col as time, extract(epoch from p.width)::float8 * 1000 as width, p.wide
      from ts.prepare_packing(${name}) p join ts.series s on s.base = ${name} and s.level = p.level where p.level = ${level}`
    if (chunks === undefined) throw new Error(`${rel} is not packed`)
    const columns = await database.store.sql<{ name: string; type: string }[]>`
      select name, type from ts.value_columns(${rel}::text::regclass)`
    const { key, time, width: widthMs, wide } = chunks
    const originMs = Date.UTC(2000, 0, 3)
    for (const seed of [1, 2, 3, 4]) {
      const r = rng(seed * 7919 + rel.length)
      const [timeMs, id]: [number[], number[]] = [[], []]
      const cells = columns.map((): number[] => [])
      for (let subject = 1; subject <= 8; subject++) {
        const shapes = columns.map(() => r.pick(SHAPES))
        times(r, originMs + 20 * widthMs).forEach((at, i) => {
          timeMs.push(at)
          id.push(subject)
          columns.forEach(({ name: column, type }, c) => {
            for (let n = 0; n < (type === '_int8' ? 3 : 1); n++)
              cells[c]?.push(column === 'n' || column === 'period_ms' ? 300 + r.below(2) : (shapes[c]?.(r, i) ?? 0))
          })
        })
      }
      const given = columns.map(({ name: column, type }, c) => ({
        name: column,
        type: TYPES[type] ?? 'int',
        cells: cells[c] ?? [],
        ...(type === '_int8' ? { width: 3 } : {}),
      }))
      const all = timeMs.map((_, row) => row)
      const packed = packRows(key, { timeMs, id, columns: given }, seed === 4 ? all.toReversed() : all, {
        originMs,
        widthMs,
        wide,
      })
      const rows = [
        { name: time, type: 'timestamptz', cells: timeMs } as const,
        { name: key, type: 'int', cells: id } as const,
        ...given,
      ]
      await database.store.sql.begin(async (tx) => {
        await tx.unsafe(`create temporary table source (like ${rel}) on commit drop`)
        await tx.unsafe(`create temporary table want (like ${rel}_packed) on commit drop`)
        await tx.unsafe(`create temporary table got (like ${rel}_packed) on commit drop`)
        const named = (names: readonly string[]) => names.map((column) => `"${column}"`).join()
        await tx.unsafe(`copy source (${named(rows.map((row) => row.name))}) from stdin (format binary)`, [], {
          copy: copyRows(rows, timeMs.length),
        })
        await tx.unsafe(`copy got (${named(packed.names)}) from stdin (format binary)`, [], { copy: packed.copy })
        const bin = `date_bin('${widthMs} milliseconds', "${time}", '2000-01-03Z')`
        for (const { span } of await tx.unsafe<{ span: string }[]>(
          `select distinct ${bin}::text as span from source`,
        )) {
          const [pack] = await tx<{ query: string }[]>`select ts.pack_sql(${rel}::text::regclass,
            ${`(select * from source where ${bin} = '${span}')`}, ${span}::text::timestamptz) as query`
          await tx.unsafe(`insert into want ${pack?.query}`)
        }
        const texts = (table: string) => `select x::text from ${table} x`
        expect(
          await tx.unsafe(
            `(${texts('got')} except all ${texts('want')}) union all (${texts('want')} except all ${texts('got')})`,
          ),
        ).toEqual([] as never)
        const [back] = await tx<{ rows: number }[]>`select sum(pack_n)::int as rows from got`
        expect(back?.rows).toBe(timeMs.length)
      })
    }
  })
})

test('two rows of a subject at the same time are refused', () => {
  const columns = [{ name: 'value', type: 'float8', cells: [1, 2] }] as const
  expect(() =>
    packRows('sensor_id', { timeMs: [1000, 1000], id: [7, 7], columns }, [0, 1], {
      originMs: 0,
      widthMs: 1e6,
      wide: false,
    }),
  ).toThrow('two rows of subject 7 at 1970-01-01T00:00:01.000Z')
})
