import { LIVE_PORTS, RULE_TABLES, type RuleTable } from '../../store/alert-rules/tables.ts'
import { type Group, parseBuilder } from './builder.ts'
import { type Expression, ofOperator } from './compare.ts'
import { BuilderError } from './errors.ts'
import { MACROS } from './macros.ts'

/** A rule as SQL with parameters; its text contains no value of the rule. Run by `store/alert-rules/matches.ts`. */
export interface CompiledRule {
  /**
   * For alerts: one row per fault with `device_id`, `key` (JSON of the matched rows' primary keys, which identifies the
   * fault) and `fault` (JSON of all their columns except secrets). Uses inner joins. `some` takes device ids, as text
   * `{1,2}`, in one more parameter at the end.
   */
  readonly faults: { readonly all: string; readonly some: string }
  /** For groups: `device_id` of each matching device, once. Uses outer joins. */
  readonly members: string
  readonly params: readonly string[]
  /** Regular expressions of the rule, to be checked by the database. */
  readonly patterns: readonly string[]
  /** Stored with a rule: how each table is joined, `[table, column, column]`. */
  readonly joins: readonly (readonly [string, string, string])[]
}

/** Maximum tables that a rule may join. */
const MAX_TABLES = 12
const MAX_MACRO_DEPTH = 20
/** Columns that faults never show. */
const HIDDEN = `'{community,authpass,cryptopass,poll_interval}'::text[]`

/**
 * Compiles a builder (an object, JSON text or what `parseBuilder` gave). Throws BuilderError: grammar, unknown fields.
 * A regular expression is checked by `brokenRule` of `store/alert-rules/matches.ts`.
 *
 *     const rule = compile(body.builder)
 *     const broken = await brokenRule(store, rule)              // null: it can be run
 *     const found = await ruleFaults(store, rule, [deviceId])   // or null: every device in one statement
 *     if (found.kind === 'rows') found.rows                     // { device_id, key, fault }
 */
export function compile(builder: unknown): CompiledRule {
  const group = isGroup(builder) ? builder : parseBuilder(builder)
  const used = new Map<string, RuleTable>()
  const params: string[] = []
  const patterns: string[] = []
  const use = (name: string): RuleTable => {
    const table = RULE_TABLES.get(name)
    if (table === undefined) throw new BuilderError(`Rules cannot query table ${name}`)
    if (table.parent !== null) use(table.parent)
    used.set(name, table)
    if (used.size > MAX_TABLES) throw new BuilderError(`The rule queries more than ${MAX_TABLES} tables`)
    return table
  }
  use('devices')
  const context = {
    param: (text: string) => `$${params.push(text)}::text`,
    pattern: (text: string) => patterns.push(text),
    field: (name: string) => resolve(name, use, 0),
  }
  const where = groupSql(group, context)
  // Ports before the tables that are joined to them.
  const tables = [...used.values()].toSorted((a, b) => rank(a) - rank(b))
  const from = (kind: 'join' | 'left join') =>
    tables
      .map((table) => (table.parent === null ? table.from : `${kind} ${table.from} on ${onSql(table, used)}`))
      .join(' ')
  const faults = `select "devices".device_id, ${keySql(tables)} as key, ${faultSql(tables)} as fault from ${from('join')}`
  return {
    faults: {
      all: `${faults} where ${where} order by 1`,
      some: `${faults} where "devices".device_id = any($${params.length + 1}::text::int[]) and ${where} order by 1`,
    },
    members: `select distinct "devices".device_id from ${from('left join')} where ${where}`,
    params,
    patterns,
    joins: tables.flatMap((table) => {
      const [left = '', right = ''] = table.on.replaceAll('"', '').split(' = ')
      return table.parent === null ? [] : [[table.name, right, left] as const]
    }),
  }
}

const rank = (table: RuleTable): number => (table.parent === null ? 0 : table.name === 'ports' ? 1 : 2)

interface Context {
  param(text: string): string
  pattern(text: string): void
  field(name: string): Expression
}

function groupSql(group: Group, context: Context): string {
  const parts = group.rules.flatMap((rule) => {
    if (rule.kind === 'group') return hasConditions(rule) ? [groupSql(rule, context)] : []
    const left = context.field(rule.field)
    const right = rule.values.map((value) =>
      value.kind === 'field' ? context.field(value.field) : ({ kind: 'literal', text: value.text } as const),
    )
    return [ofOperator(rule.operator, left, right, context)]
  })
  return `(${parts.join(group.condition === 'AND' ? ' and ' : ' or ')})`
}

const hasConditions = (group: Group): boolean =>
  group.rules.some((rule) => rule.kind === 'condition' || hasConditions(rule))

/** A field as an expression; `use` is called for the tables that it needs. */
function resolve(field: string, use: (table: string) => RuleTable, depth: number): Expression {
  const [table = '', column = ''] = field.split('.')
  if (table === 'macros') return macro(column, use, depth)
  const live = table === 'ports' || table === 'ports_statistics' ? columnOf(LIVE_PORTS, column) : undefined
  const owner = live === undefined ? table : LIVE_PORTS
  const found = live ?? columnOf(table, column)
  if (found === undefined) {
    throw new BuilderError(RULE_TABLES.has(table) ? `Unknown field ${field}` : `Rules cannot query table ${table}`)
  }
  use(owner)
  return { kind: 'sql', ...found }
}

/** A column of a table, case-insensitive. */
function columnOf(table: string, name: string) {
  const columns = RULE_TABLES.get(table)?.columns
  if (columns === undefined) return undefined
  const exact = columns.get(name)
  if (exact !== undefined) return exact
  for (const [known, column] of columns) if (known.toLowerCase() === name.toLowerCase()) return column
  return undefined
}

function macro(name: string, use: (table: string) => RuleTable, depth: number): Expression {
  const found = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined
  if (found === undefined) throw new BuilderError(`Unknown macro ${name}`)
  if (depth >= MAX_MACRO_DEPTH) throw new BuilderError('Macros are nested too deeply')
  const text = found.sql.replaceAll(/\{([^}]+)\}/g, (_, field: string) => {
    const nested = resolve(field, use, depth + 1)
    return nested.kind === 'sql' ? (nested.condition ?? nested.sql) : ''
  })
  if (found.type === 'time') return { kind: 'sql', type: 'time', sql: text }
  if (found.type === 'number') return { kind: 'sql', type: 'number', sql: text }
  return { kind: 'sql', type: 'number', sql: `${text}::int`, condition: text }
}

/** Join condition of a table; one with its own port also joins on the rule's port. */
function onSql(table: RuleTable, used: ReadonlyMap<string, RuleTable>): string {
  return table.port && used.has('ports') ? `${table.on} and "${table.name}".port_id = "ports".port_id` : table.on
}

function keySql(tables: readonly RuleTable[]): string {
  const pairs = tables.flatMap((table) =>
    table.key.map((name) => `'${name === 'id' ? `${table.name}.id` : name}', "${table.name}"."${name}"`),
  )
  return `jsonb_build_object(${pairs.join(', ')})`
}

function faultSql(tables: readonly RuleTable[]): string {
  return `(${tables.map((table) => `to_jsonb("${table.name}")`).join(' || ')}) - ${HIDDEN}`
}

function isGroup(builder: unknown): builder is Group {
  return typeof builder === 'object' && builder !== null && 'kind' in builder && builder.kind === 'group'
}
