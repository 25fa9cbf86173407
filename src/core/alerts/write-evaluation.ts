import { slices } from '../../lib/slices.ts'
import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import type { Store, Tx } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { withSettings } from '../database/local-settings.ts'
import { integers } from '../database/pg-array.ts'
import { HIDDEN } from '../rules/read-tables.ts'
import type { RuleFailure } from './read-engine-rules.ts'

/** A rule as the engine runs it. */
export interface RunnableRule {
  readonly id: number
  /** Rules of one group are evaluated on the same occasions, and share statements. */
  readonly group: string
  readonly inverted: boolean
  readonly mapped: boolean
  readonly invertMap: boolean
  readonly params: readonly string[]
  readonly parts: {
    readonly from: string
    readonly where: string
    readonly key: string
    readonly single: boolean
    readonly tables: readonly string[]
  }
}

/** A device whose faults of a rule differ from the stored ones. */
export interface ChangedFaults {
  readonly device_id: number
  /** null: no faults any more. */
  readonly digest: string | null
  readonly count: number
}

/** `late`: there was no time left to evaluate the rule. */
export type RuleResult =
  | { readonly kind: 'changes'; readonly changes: readonly ChangedFaults[]; readonly tookMs: number }
  | { readonly kind: 'late' }
  | ({ readonly kind: 'broken' } & { readonly failure: RuleFailure })

/** How long an evaluation may take, in ms. */
export interface EvaluationLimits {
  /** One rule alone. */
  readonly timeoutMs: number
  /** A statement with several rules. Default: as one rule. */
  readonly togetherMs?: number
  /** All of it. Default: unlimited. */
  readonly budgetMs?: number
}

/** Rules in one statement. */
const RULES_AT_ONCE = 20
/** Rules that run side by side when each needs a statement of its own. */
const SIDE_BY_SIDE = 3
/** A rule is not begun with less time than this left, ms. */
const LEAST_MS = 50

/**
 * Evaluates rules for some devices or all (null) and returns where the set of faults differs from the stored one. Up to
 * 20 rules share a statement; if it fails, each of them runs alone, as the rules in `alone` do. A rule that fails or
 * takes too long is an outcome; the others are not affected. Throws StoreError when the database is unavailable.
 */
export async function changedFaults(
  store: Store,
  rules: readonly RunnableRule[],
  deviceIds: readonly number[] | null,
  limits: EvaluationLimits,
  alone: readonly RunnableRule[] = [],
): Promise<ReadonlyMap<number, RuleResult>> {
  const { timeoutMs, togetherMs = timeoutMs, budgetMs = Number.POSITIVE_INFINITY } = limits
  const until = performance.now() + budgetMs
  const parts = [...Map.groupBy(rules, ({ group }) => group).values()].flatMap((own) => slices(own, RULES_AT_ONCE))
  const results = new Map<number, RuleResult>()
  const left = [...alone]
  const began = performance.now()
  for (const [part, result] of await runAll(store, parts, deviceIds, togetherMs)) {
    if (result === null) left.push(...part)
    const tookMs = (performance.now() - began) / Math.max(1, rules.length)
    for (const { id } of result === null ? [] : part)
      results.set(id, { kind: 'changes', changes: result?.get(id) ?? [], tookMs })
  }
  const next = async (): Promise<void> => {
    for (let rule = left.shift(); rule !== undefined; rule = left.shift())
      results.set(rule.id, await runOne(store, rule, deviceIds, timeoutMs, until - performance.now()))
  }
  const ended = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, next))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return results
}

type Changes = ReadonlyMap<number, ChangedFaults[]>

/** The changes of each part; null: its statement failed, or one before it in the same transaction did. */
async function runAll(
  store: Store,
  parts: readonly (readonly RunnableRule[])[],
  deviceIds: readonly number[] | null,
  timeoutMs: number,
): Promise<(readonly [part: readonly RunnableRule[], changes: Changes | null])[]> {
  const found: Changes[] = []
  if (parts.length === 0) return []
  try {
    await readOnly(store, timeoutMs, plansFor(deviceIds), async (tx) => {
      // Sent together and run one after the other.
      const running = parts.map((part) => differing(tx, part, deviceIds))
      for (const some of await Promise.all(running)) found.push(some)
    })
  } catch (error) {
    if (failureOf(error) === null) throw error
    found.length = 0
  }
  return parts.map((part, i) => [part, found[i] ?? null])
}

async function runOne(
  store: Store,
  rule: RunnableRule,
  deviceIds: readonly number[] | null,
  timeoutMs: number,
  leftMs: number,
): Promise<RuleResult> {
  if (leftMs < LEAST_MS) return { kind: 'late' }
  const began = performance.now()
  try {
    const limitMs = Math.min(timeoutMs, leftMs)
    const changes = await readOnly(store, limitMs, plansFor(deviceIds), (tx) => differing(tx, [rule], deviceIds))
    return { kind: 'changes', changes: changes.get(rule.id) ?? [], tookMs: performance.now() - began }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    if (failure.kind === 'timeout' && leftMs < timeoutMs) return { kind: 'late' }
    return { kind: 'broken', failure }
  }
}

/**
 * How statements are planned. For many devices, each run is planned with the rule's values, so that converting them is
 * not repeated for each row. For a few devices, the plan is made only once, because planning costs more than running,
 * and it must use indexes, because tables may have been empty when it was made.
 */
type Plans = 'force_custom_plan' | 'force_generic_plan'
const plansFor = (deviceIds: readonly number[] | null): Plans =>
  deviceIds === null || deviceIds.length > 100 ? 'force_custom_plan' : 'force_generic_plan'

async function readOnly<T>({ sql }: Store, timeoutMs: number, plans: Plans, work: (tx: Tx) => Promise<T>): Promise<T> {
  const settings = {
    statement_timeout: Math.max(1, Math.trunc(timeoutMs)),
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    plan_cache_mode: plans,
    enable_seqscan: plans === 'force_generic_plan' ? 'off' : 'on',
  }
  return (await sql.begin('read only', (tx) => withSettings(tx, settings, work))) as T
}

/** Errors of the rule itself: data, syntax, names, time. null: the database failed. */
function failureOf(error: unknown): RuleFailure | null {
  const { code, message } = toStoreError(error)
  if (code === '57014') return { kind: 'timeout', detail: message }
  if (code !== null && /^(22|42|54)/.test(code)) return { kind: 'invalid', detail: message }
  return null
}

async function differing(
  tx: Tx,
  rules: readonly RunnableRule[],
  deviceIds: readonly number[] | null,
): Promise<Changes> {
  const values = rules.flatMap(({ params }) => params)
  const params = deviceIds === null ? values : [...values, integers(deviceIds)]
  const rows = await tx.unsafe<({ rule_id: number } & ChangedFaults)[]>(
    differingSql(rules, deviceIds === null),
    params,
    {
      prepare: true,
    },
  )
  return Map.groupBy(rows, ({ rule_id }) => rule_id)
}

/** Statements by their first rule; entries expire because rules are new objects whenever they are read again. */
const built = new WeakMap<RunnableRule, Map<string, string>>()

function differingSql(rules: readonly RunnableRule[], all: boolean): string {
  const [first] = rules
  if (first === undefined) throw new Error('no rules')
  const known = built.get(first) ?? new Map<string, string>()
  built.set(first, known)
  const name = `${all}:${rules.map(({ id }) => id).join()}`
  const text = known.get(name) ?? buildDiffering(rules, all)
  known.set(name, text)
  return text
}

function buildDiffering(rules: readonly RunnableRule[], all: boolean): string {
  const total = rules.reduce((sum, { params }) => sum + params.length, 0)
  const only = (column: string) => (all ? '' : `and ${column} = any($${total + 1}::text::int[])`)
  let offset = 0
  const parts = rules.map((rule) => {
    const before = offset
    offset += rule.params.length
    // a dollar sign with digits is always a placeholder, because a rule's values are parameters
    const parts = {
      ...rule.parts,
      from: shifted(rule.parts.from, before),
      where: shifted(rule.parts.where, before),
    }
    const id = Math.trunc(rule.id)
    // without faults an open alert has to end, even if its digest is unknown
    return `(select ${id} as rule_id, device_id, f.digest, coalesce(split_part(f.digest, ':', 1)::int, 0) as count
      from (${foundSql({ ...rule, parts }, only)}) f full join (
        select a.device_id, a.digest from alerts a where a.rule_id = ${id} and ${ALERT_IS_OPEN} ${only('a.device_id')}
      ) a using (device_id)
      where f.digest is null or f.digest is distinct from a.digest)`
  })
  return parts.join(' union all ')
}

const shifted = (sql: string, by: number) => sql.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`)

/** Devices with faults and the digest of their keys. */
function foundSql(rule: RunnableRule, only: (column: string) => string): string {
  const { from, where, key, single } = rule.parts
  const condition = `${appliesSql(rule, 'devices')} ${only('"devices".device_id')} and ${where}`
  if (rule.inverted) {
    return `select d.device_id, '1:0' as digest from devices d
      where ${appliesSql(rule, 'd')} ${only('d.device_id')}
        and d.device_id not in (select "devices".device_id from ${from} where ${condition})`
  }
  if (single) return `select "devices".device_id, '1:0' as digest from ${from} where ${condition}`
  return `select device_id, count(*) || ':' || bit_xor(hashtextextended(key, 0)) as digest
    from (select "devices".device_id, ${key} as key from ${from} where ${condition}) k group by device_id`
}

/**
 * Condition on an alias of `devices`: the rule applies to the device. Devices that are disabled or have alerts switched
 * off have none.
 */
export function appliesSql(rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>, alias: string): string {
  const d = `"${alias}"`
  const on = `${d}.disabled = 0 and ${d}.disable_notify = 0`
  if (!rule.mapped) return on
  const id = Math.trunc(rule.id)
  return `${on} and ${d}.device_id ${rule.invertMap ? 'not in' : 'in'} (
    select m.device_id from alert_device_map m where m.rule_id = ${id}
    union select g.device_id from alert_group_map m join device_group_device g on g.device_group_id = m.group_id where m.rule_id = ${id}
    union select l.device_id from alert_location_map m join devices l on l.location_id = m.location_id where m.rule_id = ${id})`
}

/** The faults of a device in full. */
export interface DeviceFaults {
  /** At most the limit, ascending. */
  readonly keys: readonly string[]
  readonly count: number
  readonly digest: string
  /** Matched rows without secrets, at most the limit. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

type FoundFaults = { readonly kind: 'faults'; readonly of: ReadonlyMap<number, DeviceFaults> }
type Broken = RuleResult & { readonly kind: 'broken' }

interface FaultLimits {
  readonly maxKeys: number
  readonly maxRows: number
  readonly timeoutMs: number
}

/**
 * Faults of these devices (null: of all) with their rows: at most `maxKeys` keys and `maxRows` rows of each. A device
 * without faults is absent. `broken` as in `changedFaults`.
 */
export async function faultsOfDevices(
  store: Store,
  rule: RunnableRule,
  deviceIds: readonly number[] | null,
  limits: FaultLimits,
): Promise<FoundFaults | Broken> {
  try {
    const of = await readOnly(store, limits.timeoutMs, 'force_custom_plan', (tx) =>
      faultsIn(tx, rule, deviceIds, limits),
    )
    return { kind: 'faults', of }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    return { kind: 'broken', failure }
  }
}

/** The same for several rules, each on a few devices, in one transaction. If a rule fails, each is read by itself. */
export async function faultsOfRules(
  store: Store,
  wanted: readonly { readonly rule: RunnableRule; readonly deviceIds: readonly number[] }[],
  limits: FaultLimits,
): Promise<ReadonlyMap<number, FoundFaults | Broken>> {
  if (wanted.length === 0) return new Map()
  try {
    const found = await readOnly(store, limits.timeoutMs, 'force_generic_plan', (tx) =>
      Promise.all(wanted.map(({ rule, deviceIds }) => faultsIn(tx, rule, deviceIds, limits, true))),
    )
    return new Map(wanted.map(({ rule }, i) => [rule.id, { kind: 'faults', of: found[i] ?? new Map() }]))
  } catch (error) {
    if (failureOf(error) === null) throw error
  }
  const alone = new Map<number, FoundFaults | Broken>()
  for (const { rule, deviceIds } of wanted) alone.set(rule.id, await faultsOfDevices(store, rule, deviceIds, limits))
  return alone
}

async function faultsIn(
  tx: Tx,
  rule: RunnableRule,
  deviceIds: readonly number[] | null,
  { maxKeys, maxRows }: FaultLimits,
  prepare = false,
): Promise<ReadonlyMap<number, DeviceFaults>> {
  const { from, where, key, single, tables } = rule.parts
  const params = deviceIds === null ? [...rule.params] : [...rule.params, integers(deviceIds)]
  const devices = deviceIds === null ? 'true' : `"devices".device_id = any($${params.length}::text::int[])`
  const columns = tables.map((table, i) => `"${table}" as t${i}`).join()
  const parts = rule.inverted ? 't0' : tables.map((_, i) => `t${i}`).join()
  const matched = rule.inverted
    ? `select "devices".device_id, '' as key, "devices" as t0 from devices
        where ${appliesSql(rule, 'devices')} and ${devices}
          and device_id not in (select "devices".device_id from ${from} where ${devices} and ${where})`
    : `select "devices".device_id, ${key} as key, ${columns} from ${from}
        where ${appliesSql(rule, 'devices')} and ${devices} and ${where}`
  const rows = await tx.unsafe<
    { device_id: number; digest: string; count: number; keys: string[]; rows: JoinedRow[] }[]
  >(
    `select device_id, count(*)::int as count,
      case when ${rule.inverted || single} then '1:0'
        else count(*) || ':' || bit_xor(hashtextextended(key, 0)) end as digest,
      array_agg(key order by key) filter (where n <= ${Math.trunc(maxKeys)}) as keys,
      json_agg(json_build_array(${parts}) order by key) filter (where n <= ${Math.trunc(maxRows)}) as rows
    from (select *, row_number() over (partition by device_id order by key) as n from (${matched}) m) m
    group by device_id`,
    params,
    { prepare },
  )
  const together = joining()
  return new Map(rows.map(({ device_id, ...faults }) => [device_id, { ...faults, rows: faults.rows.map(together) }]))
}

/** The rows of the tables that matched together, all columns of each. */
type JoinedRow = readonly Readonly<Record<string, unknown>>[]

/**
 * Makes one row of those that matched together: of two columns of the same name the last, without hidden columns and
 * unknown values, and in the order that jsonb has: by length, then by name. The server's own functions for that take three
 * times as long. All rows must have the same columns.
 */
function joining(): (row: JoinedRow) => Readonly<Record<string, unknown>> {
  let names: readonly string[] | null = null
  return (row) => {
    const all: Record<string, unknown> = Object.assign({}, ...row)
    names ??= Object.keys(all)
      .filter((name) => !HIDDEN.has(name))
      .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    const known: Record<string, unknown> = {}
    for (const name of names) if (all[name] !== null) known[name] = withoutNulls(all[name])
    return known
  }
}

/** Without members that are null, at any depth. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  )
}
