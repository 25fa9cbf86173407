import { meantOf } from '../../lib/nearest.ts'
import { type Condition, type Group, parseBuilder } from './builder.ts'
import { type Expression, ofOperator } from './compare.ts'
import { BuilderError } from './errors.ts'
import { MACROS } from './macros.ts'
import { type Learns, learnsOf } from './over/learns.ts'
import { billMeasureOf, type Measure, measureOf } from './over/measures.ts'
import type { Over } from './over/over.ts'
import { type OverSql, overSql, periodEndSql, VALUE } from './over/read-over.ts'
import { HIDDEN_COLUMNS, isHiddenColumn, LIVE_PORTS, RULE_TABLES, type RuleTable, WITHOUT_DATA } from './read-tables.ts'

/** A rule as parameterised SQL, whose text contains no value of the rule. Run by `core/rules/read-matches.ts`. */
export interface CompiledRule {
  /**
   * For alerts: one row per fault with `device_id`, `key` (JSON of the matched rows' primary keys, which identifies the
   * fault) and `fault` (JSON of all their columns except secrets). Uses inner joins. Further parameters at the end: for
   * `some`, device ids as text `{1,2}`; for both, the maximum number of rows as text, null for all.
   */
  readonly faults: { readonly all: string; readonly some: string }
  /** For groups: `device_id` of each matching device, once. Uses outer joins. */
  readonly members: string
  readonly params: readonly string[]
  /** The rule's regular expressions, which the database has to check. */
  readonly patterns: readonly string[]
  /** The statement in parts, for the alert engine (`core/alerts/write-evaluation.ts`). */
  readonly parts: RuleParts
  /** Every `table.column` that the rule reads, with macros expanded; `time` if it compares with the current time. */
  readonly reads: ReadonlySet<string>
  /** It has a condition that looks at time. */
  readonly overTime: boolean
  /** What has to be learned from the past before the rule can be evaluated. */
  readonly learns: readonly Learns[]
  /** How each table is joined, `[table, column, column]`; stored with the rule. */
  readonly joins: readonly (readonly [string, string, string])[]
}

/** SQL of a compiled rule. `from` uses inner joins; `where` and `key` refer to its tables by their names. */
export interface RuleParts {
  readonly from: string
  readonly where: string
  /** Text that identifies a fault among those of its device; '' if a device has at most one. */
  readonly key: string
  /** A device has at most one fault. */
  readonly single: boolean
  /** Tables whose columns a fault shows, in the order in which they override each other; also what joins history. */
  readonly tables: readonly string[]
  /** Columns compared by the rule, `table.column`, in its order. */
  readonly compared: readonly string[]
}

/** Maximum number of tables in a rule. */
const MAX_TABLES = 12
const MAX_MACRO_DEPTH = 20
/**
 * Compiles a builder (an object, JSON text, or a result of `parseBuilder`). Throws BuilderError for bad syntax and
 * unknown fields. Regular expressions are checked by `brokenRule` of `core/rules/read-matches.ts`.
 *
 *     const rule = compile(body.builder)
 *     const broken = await brokenRule(store, rule)              // null: it can be run
 *     const found = await ruleFaults(store, rule, [deviceId])   // or null: every device in one statement
 *     if (found.kind === 'rows') found.rows                     // { device_id, key, fault }
 *
 * `reader`: whose rows the rule sees; null: all rows, for the alert engine.
 */
export function compile(builder: unknown, reader: RuleReader | null = null): CompiledRule {
  const group = isGroup(builder) ? builder : parseBuilder(builder)
  const used = new Map<string, RuleTable>()
  const params: string[] = []
  const patterns: string[] = []
  const reads = new Set<string>()
  const use = (name: string): RuleTable => {
    const table = RULE_TABLES.get(name)
    if (table === undefined) throw new BuilderError(refusal(name))
    const refused = reader?.refuses(name) ?? null
    if (refused !== null) throw new BuilderError(refused)
    if (table.parent !== null) use(table.parent)
    used.set(name, table)
    if (used.size > MAX_TABLES) throw new BuilderError(`The rule queries more than ${MAX_TABLES} tables`)
    return table
  }
  use('devices')
  const overs: string[] = []
  const aliases: string[] = []
  const shown: string[] = []
  const context: Context = {
    param: (text) => `$${params.push(text)}::text`,
    pattern: (text) => patterns.push(text),
    field: (name) => resolve(name, { use, reads }, 0),
    use,
    reads,
    over(made) {
      overs.push(made.join)
      aliases.push(made.alias)
      shown.push(...made.shown)
    },
    overs: () => overs.length,
  }
  const where = groupSql(group, context)
  const compared = [...[...reads].filter((field) => field.includes('.')), ...shown]
  // ports come before the tables that are joined to them
  const tables = [...used.values()].toSorted((a, b) => rank(a) - rank(b))
  const from = (kind: 'join' | 'left join') =>
    [
      ...tables
        .map((table) => [table, reader?.from(table) ?? table.from] as const)
        .map(([table, rows]) => (table.parent === null ? rows : `${kind} ${rows} on ${onSql(table, used)}`)),
      ...overs,
    ].join(' ')
  const names = [...tables.map(({ name }) => name), ...aliases]
  const found = (condition: string) =>
    `select device_id, key, (${names.map((_, i) => `to_jsonb(t${i})`).join(' || ')}) - ${HIDDEN_COLUMNS} as fault from (select
      "devices".device_id, ${keySql(tables)} as key, ${names.map((name, i) => `"${name}" as t${i}`).join()}
      from ${from('join')} where ${condition} order by 1 limit`
  return {
    faults: {
      all: `${found(where)} $${params.length + 1}::text::bigint) m`,
      some: `${found(`"devices".device_id = any($${params.length + 1}::text::int[]) and ${where}`)} $${params.length + 2}::text::bigint) m`,
    },
    members: `select distinct "devices".device_id from ${from('left join')} where ${where}`,
    params,
    patterns,
    parts: {
      from: from('join'),
      where,
      key: keyText(tables),
      single: tables.every(isOncePerDevice),
      tables: names,
      compared,
    },
    reads,
    overTime: overs.length > 0,
    learns: learnsOf(group),
    joins: tables.flatMap((table) => {
      const [left = '', right = ''] = table.on.replaceAll('"', '').split(' = ')
      return table.parent === null ? [] : [[table.name, right, left] as const]
    }),
  }
}

const rank = (table: RuleTable): number => (table.parent === null ? 0 : table.name === 'ports' ? 1 : 2)

/** Whose rows a rule sees. */
export interface RuleReader {
  /** Why the reader may not query the table at all; null: they may. */
  refuses(table: string): string | null
  /** The table with only the rows that the reader may see, as `from` of `RuleTable`. */
  from(table: RuleTable): string
}

interface Context {
  param(text: string): string
  pattern(text: string): void
  field(name: string): Expression
  use(table: string): RuleTable
  readonly reads: Set<string>
  /** Adds the joins of a condition over time, and what the fault shows of it. */
  over(made: OverSql): void
  /** Number of conditions over time so far. */
  overs(): number
}

function groupSql(group: Group, context: Context): string {
  const parts = group.rules.flatMap((rule) => {
    if (rule.kind === 'group') return hasConditions(rule) ? [groupSql(rule, context)] : []
    if (rule.over !== undefined) return [overCondition(rule, rule.over, context)]
    return [ofOperator(rule.operator, context.field(rule.field), rightOf(rule, context), context)]
  })
  return `(${parts.join(group.condition === 'AND' ? ' and ' : ' or ')})`
}

const rightOf = ({ values }: Condition, context: Context): Expression[] =>
  values.map((value) =>
    value.kind === 'field' ? context.field(value.field) : ({ kind: 'literal', text: value.text } as const),
  )

/** Most conditions over time in a rule: each reads a history. */
const MAX_OVERS = 4

/** SQL of a condition over time. */
function overCondition(rule: Condition, over: Over, context: Context): string {
  if (context.overs() >= MAX_OVERS) throw new BuilderError(`A rule has at most ${MAX_OVERS} conditions over time`)
  const numbers = { kind: 'sql', type: 'number' } as const
  const alias = `over_${context.overs() + 1}`
  if (over.kind === 'period_end') {
    const bill = billMeasureOf(rule.field)
    if (bill === null)
      throw new BuilderError('Only bills.rate_95th and bills.total_data have a value at the end of a period')
    context.field(rule.field)
    const made = periodEndSql(bill.line, alias)
    context.over(made)
    return ofOperator(rule.operator, { ...numbers, sql: made.expression.sql }, rightOf(rule, context), context)
  }
  const measure = measureOf(rule.field)
  if (measure === null)
    throw new BuilderError(`The history of ${rule.field} is not stored, so it cannot be compared over time`)
  context.use(measure.table)
  for (const read of measure.reads) context.reads.add(read)
  // the absence of values is written by nobody
  if (over.kind === 'no_data') context.reads.add('time')
  const right = rightOf(rule, context)
  if (over.kind === 'held') refuseOthers(rule, measure)
  const isNow = over.kind === 'change' || over.kind === 'forecast'
  const now = isNow ? context.field(rule.field) : null
  const made = overSql(over, {
    measure,
    now: now?.kind === 'sql' ? now.sql : '',
    column: columnName(rule.field),
    alias,
    compare: over.kind === 'held' ? ofOperator(rule.operator, { ...numbers, sql: VALUE }, right, context) : null,
    upwards: rule.operator.startsWith('greater'),
  })
  context.over(made)
  const { kind, sql } = made.expression
  return kind === 'condition' ? sql : ofOperator(rule.operator, { ...numbers, sql }, right, context)
}

/** The name of the field as a column of the fault: letters, digits and underscores. */
const columnName = (field: string): string => (field.split('.')[1] ?? field).slice(0, 40)

/** Throws BuilderError if the condition compares with a field of another table than the value's own or the device's. */
function refuseOthers({ values, field }: Condition, { table }: Measure): void {
  for (const value of values) {
    const of = value.kind === 'field' ? value.field.split('.')[0] : table
    const isLive = value.kind === 'field' && columnOf(LIVE_PORTS, value.field.split('.')[1] ?? '') !== undefined
    if ((of !== table && of !== 'devices') || (of === 'ports' && isLive))
      throw new BuilderError(
        `${field} can be compared over time only with fields of ${table} and devices that are not values of polls`,
      )
  }
}

const hasConditions = (group: Group): boolean =>
  group.rules.some((rule) => rule.kind === 'condition' || hasConditions(rule))

/** Collects what the resolved fields use. */
interface Used {
  /** Adds the table to the joins. */
  use(table: string): RuleTable
  readonly reads: Set<string>
}

/** A field as an expression. */
function resolve(field: string, used: Used, depth: number): Expression {
  const [table = '', column = ''] = field.split('.')
  if (table === 'macros') return macro(column, used, depth)
  const live = table === 'ports' || table === 'ports_statistics' ? columnOf(LIVE_PORTS, column) : undefined
  const owner = live === undefined ? table : LIVE_PORTS
  const found = live ?? columnOf(table, column)
  if (found === undefined) {
    if (!RULE_TABLES.has(table)) throw new BuilderError(refusal(table))
    throw new BuilderError(
      isHiddenColumn(column)
        ? `Rules cannot compare ${field}: it may hold a secret`
        : `Unknown field ${field}${meantOf(field, fieldsOf(table))}`,
    )
  }
  used.use(owner)
  used.reads.add(`${owner}.${found.name}`)
  return { kind: 'sql', type: found.type, sql: found.sql }
}

function refusal(table: string): string {
  const why = WITHOUT_DATA.get(table)
  return `Rules cannot query table ${table}${why === undefined ? meantOf(table, RULE_TABLES.keys()) : `: ${why}`}`
}

const fieldsOf = (table: string): string[] =>
  [table, ...(table === 'ports' ? [LIVE_PORTS] : [])].flatMap((name) =>
    [...(RULE_TABLES.get(name)?.columns.keys() ?? [])].map((column) => `${table}.${column}`),
  )

/** A column of a table, regardless of case. */
function columnOf(table: string, name: string) {
  const columns = RULE_TABLES.get(table)?.columns
  if (columns === undefined) return undefined
  const exact = columns.get(name)
  if (exact !== undefined) return { name, ...exact }
  for (const [known, column] of columns)
    if (known.toLowerCase() === name.toLowerCase()) return { name: known, ...column }
  return undefined
}

function macro(name: string, used: Used, depth: number): Expression {
  const found = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined
  if (found === undefined) throw new BuilderError(`Unknown macro ${name}${meantOf(name, Object.keys(MACROS))}`)
  if (depth >= MAX_MACRO_DEPTH) throw new BuilderError('Macros are nested too deeply')
  const text = found.sql.replaceAll(/\{([^}]+)\}/g, (_, field: string) => {
    const nested = resolve(field, used, depth + 1)
    return nested.kind === 'sql' ? (nested.condition ?? nested.sql) : ''
  })
  for (const also of found.reads ?? []) used.reads.add(also)
  if (found.type === 'time') {
    used.reads.add('time')
    return { kind: 'sql', type: 'time', sql: text }
  }
  if (found.type === 'number') return { kind: 'sql', type: 'number', sql: text }
  return { kind: 'sql', type: 'number', sql: `${text}::int`, condition: text }
}

/** Join condition of a table; a table with a port column also joins on the rule's port. */
function onSql(table: RuleTable, used: ReadonlyMap<string, RuleTable>): string {
  return table.port && used.has('ports') ? `${table.on} and "${table.name}".port_id = "ports".port_id` : table.on
}

function keySql(tables: readonly RuleTable[]): string {
  const pairs = tables.flatMap((table) =>
    table.key.map((name) => `'${name === 'id' ? `${table.name}.id` : name}', "${table.name}"."${name}"`),
  )
  return `jsonb_build_object(${pairs.join(', ')})`
}

const isOncePerDevice = ({ name }: RuleTable): boolean => name === 'devices' || name === 'locations'

/** The key as text, without the device, which an alert already has. */
function keyText(tables: readonly RuleTable[]): string {
  const columns = tables.flatMap((table) =>
    isOncePerDevice(table) ? [] : table.key.map((name) => `"${table.name}"."${name}"`),
  )
  const [first] = columns
  if (first === undefined) return `''`
  return columns.length === 1 ? `${first}::text` : `concat_ws(':', ${columns.join()})`
}

function isGroup(builder: unknown): builder is Group {
  return typeof builder === 'object' && builder !== null && 'kind' in builder && builder.kind === 'group'
}
