import type { Store } from '../database/client.ts'
import { storedRows } from './stored-rows.ts'
import type { Level } from './window.ts'

type RolledLevel = Exclude<Level, 'samples'>

/** SQL for the rows of a roll-up that can matter from `fromS` to `toS` (epoch seconds): a query in parentheses. */
export type RolledRows = (level: RolledLevel, fromS: number, toS: number) => string

/** How a roll-up is computed; the same for all requests. */
interface Recipe {
  readonly columns: string
  /** The query that computes its rows; SOURCE and ROWS stand for the source's rows and their condition. */
  readonly tail: string
}

type Recipes = Readonly<Record<RolledLevel, Recipe>>

const SOURCE = '{source}'
const ROWS = '{rows}'
const REMEMBER_MS = 60_000
const known = new WeakMap<Store, Map<string, { at: number; recipes: Promise<Recipes> }>>()

/**
 * The rows of the views `<base>_1h_all` and `<base>_1d_all`: a roll-up up to its watermark, then what is not rolled up
 * yet. With the watermarks as constants the planner excludes partitions, while planning one of the views takes several
 * times as long as reading a port's year. A watermark that moves on meanwhile does no harm, because what it passes is
 * still in the source.
 */
export async function rolledRows(store: Store, base: string): Promise<RolledRows> {
  const [recipes, marks] = await Promise.all([recipesOf(store, base), watermarks(store, base)])
  const at = (level: RolledLevel): string => `to_timestamp(${marks[level]})`
  const query = (level: RolledLevel, source: string, rows: string): string =>
    recipes[level].tail.replace(SOURCE, () => source).replace(ROWS, () => rows)
  const stored = (level: RolledLevel, from: string, rows: string): string =>
    `select ${recipes[level].columns} from ${storedRows(base, level, from, at(level))} s where ${rows}`
  const hours = query('1h', `ts.${base}_samples`, `"time" >= ${at('1h')}`)
  const tails: Readonly<Record<RolledLevel, () => string>> = {
    '1h': () => hours,
    '1d': () =>
      query(
        '1d',
        `(${stored('1h', at('1d'), `bucket >= ${at('1d')} and bucket < ${at('1h')}`)} union all (${hours})) h`,
        'true',
      ),
  }
  return (level, fromS, toS) => {
    const from = `to_timestamp(${fromS})`
    return toS <= marks[level]
      ? storedRows(base, level, from, `to_timestamp(${toS})`)
      : `(${stored(level, from, `bucket < ${at(level)}`)} union all (${tails[level]()}))`
  }
}

/** Up to when each roll-up is complete, epoch seconds. */
async function watermarks({ sql }: Store, base: string): Promise<Readonly<Record<RolledLevel, number>>> {
  const rows = await sql<{ level: RolledLevel; atS: number }[]>`
      select s.level, extract(epoch from r.watermark)::float8 as "atS"
      from ts.rollup r join ts.series s on s.rel = r.dst where s.base = ${base}`
  const found = Object.fromEntries(rows.map(({ level, atS }) => [level, atS]))
  return { '1h': found['1h'] ?? missing(base), '1d': found['1d'] ?? missing(base) }
}

/** Kept for a minute, like retention: a newer version of the program may add columns. */
function recipesOf(store: Store, base: string): Promise<Recipes> {
  const kept = known.get(store) ?? new Map<string, { at: number; recipes: Promise<Recipes> }>()
  known.set(store, kept)
  const entry = kept.get(base)
  if (entry !== undefined && performance.now() - entry.at <= REMEMBER_MS) return entry.recipes
  const recipes = readRecipes(store, base)
  kept.set(base, { at: performance.now(), recipes })
  recipes.catch(() => kept.delete(base))
  return recipes
}

async function readRecipes({ sql }: Store, base: string): Promise<Recipes> {
  const rows = await sql<(Recipe & { level: RolledLevel })[]>`
      select s.level, ts.columns_of(r.dst) as columns, ts.aggregate_sql(r, ${SOURCE}, ${ROWS}) as tail
      from ts.rollup r join ts.series s on s.rel = r.dst where s.base = ${base}`
  const found = Object.fromEntries(rows.map((row) => [row.level, row]))
  return { '1h': found['1h'] ?? missing(base), '1d': found['1d'] ?? missing(base) }
}

function missing(base: string): never {
  throw new Error(`no such series: ${base}`)
}
