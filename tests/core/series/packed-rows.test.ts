import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { KIND_LIST } from '../../../src/series/kinds.ts'
import { type Rng, rng } from '../../random/rng.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// Packed rows give back what was packed: every value, every time to the microsecond, NULL for NULL.

setDefaultTimeout(120_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const SPAN = Date.UTC(2026, 9, 1) * 1000
const DAY_US = 86_400_000_000

/** Values of a column, as texts for PostgreSQL; each shape is a column of a real device, or an edge of its type. */
const INTEGERS: readonly ((r: Rng, i: number) => string | null)[] = [
  () => '0',
  () => null,
  (r) => String(r.below(100)),
  (r) => (r.chance(0.1) ? null : String(r.below(70_000))),
  (r) => String(r.below(2_000_000_000)),
  (_, i) => ['32767', '-32768', '0', '32768', '-32769'][i % 5] ?? null,
  (_, i) => ['2147483647', '-2147483648', '-1'][i % 3] ?? null,
]
const LONG: readonly ((r: Rng, i: number) => string | null)[] = [
  ...INTEGERS,
  (r) => String(BigInt(r.below(2_000_000_000)) * 30_000n),
  (r) => (r.chance(0.2) ? null : String(BigInt(r.below(2_000_000_000)) * 30_000n)),
  (_, i) => ['2147483648', '0', '70368744177663'][i % 3] ?? null,
  (_, i) => ['70368744177664', '1'][i % 2] ?? null,
  (_, i) => ['9223372036854775807', '-9223372036854775808', null][i % 3] ?? null,
  (_, i) => ['-1', '4294967296'][i % 2] ?? null,
]
const NUMBERS: readonly ((r: Rng, i: number) => string | null)[] = [
  () => '0',
  () => null,
  () => '23.15',
  (r) => String(r.below(1000) / 10),
  (r) => String(r.below(100_000) / 100 - 300),
  (r) => (r.chance(0.2) ? null : String(r.below(3_000_000) / 1000)),
  (r) => String(r.next() * 1e9),
  (r) => String(r.next()),
  (_, i) => ['0', '-0'][i % 2] ?? null,
  (_, i) => ['NaN', 'Infinity', '-Infinity', null, '1'][i % 5] ?? null,
  (_, i) => ['1e-30', '1e30', '-1e30', '0.1'][i % 4] ?? null,
  (_, i) => ['23.150000000000002', '23.15'][i % 2] ?? null,
  (_, i) => ['1999999', '2000000', '32767', '3276.8', '32.768'][i % 5] ?? null,
]
const LISTS: readonly ((r: Rng, i: number) => string | null)[] = [
  () => null,
  (_, i) => (i % 7 === 0 ? '{1,NULL,3}' : null),
  () => '{9223372036854775807}',
]
const SHAPES: Readonly<Record<string, readonly ((r: Rng, i: number) => string | null)[]>> = {
  int4: INTEGERS,
  int8: LONG,
  float4: NUMBERS,
  float8: NUMBERS,
  _int8: LISTS,
}

/** Times of one subject within the span, in microseconds since its beginning, ascending and distinct. */
function times(r: Rng): readonly number[] {
  const stepUs = r.pick([1_000_000, 5_000_000, 60_000_000, 300_000_000, 300_000_001, 3_600_000_000])
  const count = r.pick([1, 2, 3, 24, 100, 289])
  const jitterUs = r.pick([0, 0, 1, 1000, 2_000_000])
  const found = new Set<number>()
  for (let i = 0; i < count; i++) {
    if (r.chance(0.05)) continue
    const at = i * stepUs + (jitterUs < 1000 ? r.below(jitterUs + 1) : r.below(jitterUs / 1000) * 1000)
    if (at < DAY_US) found.add(at)
  }
  if (found.size === 0) found.add(r.below(DAY_US))
  return [...found].sort((a, b) => a - b)
}

const RELS = KIND_LIST.flatMap(({ name }) => ['samples', '1h', '1d'].map((level) => `ts.${name}_${level}`))

describe.each(RELS)('%s', (rel) => {
  test('gives back what was packed', async () => {
    const { sql } = database.store
    for (const seed of [1, 2, 3]) {
      const r = rng(seed * 7919 + rel.length)
      await sql.begin(async (tx) => {
        const [series] = await tx<{ key: string; time: string }[]>`
          select key_col as key, time_col as time from ts.series where rel = ${rel}::text::regclass`
        if (series === undefined) throw new Error(`no series ${rel}`)
        const columns = await tx<{ name: string; type: string }[]>`
          select name, type from ts.value_columns(${rel}::text::regclass)`
        await tx.unsafe(`create temporary table source (like ${rel} including defaults) on commit drop`)
        await tx`select ts.create_packed(${rel}::text::regclass)`
        const cells: (string | null)[][] = Array.from({ length: columns.length + 2 }, () => [])
        for (let subject = 1; subject <= 12; subject++) {
          const shapes = columns.map(({ type }) => r.pick(SHAPES[type] ?? []))
          times(r).forEach((at, i) => {
            cells[0]?.push(
              new Date(Math.floor((SPAN + at) / 1000))
                .toISOString()
                .replace('Z', String((SPAN + at) % 1000).padStart(3, '0')),
            )
            cells[1]?.push(String(subject))
            columns.forEach(({ name }, c) => {
              const value = shapes[c]?.(r, i) ?? null
              cells[c + 2]?.push(value === null && (name === 'period_ms' || name === 'n') ? '1' : value)
            })
          })
        }
        const named = ['time', 'key', ...columns.map(({ name }) => name)]
        const types = ['timestamptz', 'int', ...columns.map(({ type }) => (type === '_int8' ? 'bigint[]' : type))]
        await tx`set local timezone = 'UTC'`
        await tx.unsafe(
          `insert into source ("${series.time}", "${series.key}", ${columns.map(({ name }) => `"${name}"`).join()})
           select ${types.map((type, c) => `c${c}::${type}`).join()}
           from unnest(${named.map((_, c) => `$${c + 1}::text[]`).join()}) u(${named.map((_, c) => `c${c}`).join()})`,
          cells as never[],
        )
        const [made] = await tx<{ pack: string }[]>`
          select ts.pack_sql(${rel}::text::regclass, 'source', ${'2026-10-01Z'}::text::timestamptz) as pack`
        await tx.unsafe(`create temporary table target (like ${rel}_packed) on commit drop`)
        await tx.unsafe(`insert into target ${made?.pack}`)
        const [unpack] = await tx<{ query: string }[]>`
          select ts.unpack_sql(${rel}::text::regclass, 'target') as query`
        const texts = [series.time, series.key, ...columns.map(({ name }) => name)]
          .map((name) => `"${name}"::text`)
          .join()
        const [count] = await tx.unsafe<{ rows: number; back: number; lost: number; invented: number }[]>(`
          with a as (select ${texts} from source), b as (select ${texts} from (${unpack?.query}) u)
          select (select count(*)::int from a) as rows, (select count(*)::int from b) as back,
            (select count(*)::int from (select * from a except all select * from b) x) as lost,
            (select count(*)::int from (select * from b except all select * from a) x) as invented`)
        const rows = cells[0]?.length ?? 0
        expect(count).toEqual({ rows, back: rows, lost: 0, invented: 0 })
      })
    }
  })
})
