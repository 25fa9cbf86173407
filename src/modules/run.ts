import type { MibScalar, MibTable, SyntaxTypes } from '@portlight/snmp/table.ts'
import type { DeviceFacts, FollowUp, Module, Phase, Read, Scalars, TableNeed, TableResult, Tables } from './module.ts'
import type { Observation } from './observation.ts'

/**
 * How modules read an agent; implemented by the worker on top of a session. Both methods resolve even on failure:
 * silence gives `complete: false`, and a missing object is absent. `context` is null for the default SNMP context.
 */
export interface Reader {
  table<T extends MibTable>(need: TableNeed<T>, context: string | null): Promise<TableResult<T>>
  scalars(list: readonly MibScalar[], context: string | null): Promise<ScalarResult>
  /** Finds out with a few requests which of these tables the agent lacks, so that `table` need not try each. */
  probe?(needs: readonly TableNeed[], context: string | null): Promise<void>
  /** Frees memory left over from a large reading. */
  clear?(): void
}

/**
 * `values[i]` belongs to `list[i]`, undefined if the agent has no such object. `complete` false: it stopped answering.
 */
export interface ScalarResult {
  readonly complete: boolean
  /** True: the agent answered with an error, which says nothing about individual objects. */
  readonly refused?: true
  readonly values: readonly (SyntaxTypes[keyof SyntaxTypes] | undefined)[]
}

/** The result of one module of a run. */
export interface ModuleRun {
  readonly name: string
  readonly observations: readonly Observation[]
  /**
   * Names of tables that the agent has, tables that it lacks, and tables that were truncated; the last with our limit
   * if one caused it.
   */
  readonly supported: readonly string[]
  readonly unsupported: readonly string[]
  readonly truncated: readonly string[]
  /** Those of `truncated` that one of our limits caused. */
  readonly limited: readonly string[]
  /** Tables with rows that cannot be read, each with an index of such a row. */
  readonly unread: readonly string[]
}

/**
 * Runs the modules in order, yielding after each so that the caller can pace itself and count requests. What `system`
 * finds (OS, sysObjectID, sysDescr) is passed on to later modules. A table that two modules need with the same columns
 * is read once.
 */
export async function* runModules(
  modules: readonly Module[],
  kind: 'discover' | 'poll',
  device: DeviceFacts,
  reader: Reader,
): AsyncGenerator<ModuleRun, void, void> {
  const phases = modules.flatMap((module) => module[kind] ?? [])
  // what is polled was found at discovery, so most of it exists and need not be probed
  const foreseen = kind === 'discover' ? phases : []
  const shared = sharing(
    reader,
    foreseen.flatMap(({ scalars }) => Object.values(scalars ?? {})),
  )
  let facts = device
  let probed = false
  for (const module of modules) {
    const phase = module[kind]
    if (phase === undefined) continue
    if (!probed && phase.tables !== undefined) {
      probed = true
      await shared.probe?.(
        foreseen.flatMap(({ tables, likely }) => [...Object.values(tables ?? {}), ...(likely ?? [])]),
        null,
      )
    }
    const run = await runPhase(module.name, phase, facts, shared)
    for (const observation of run.observations) {
      if (observation.kind !== 'system') continue
      facts = {
        ...facts,
        os: observation.os ?? facts.os,
        sysObjectID: observation.sysObjectID ?? facts.sysObjectID,
        sysDescr: observation.sysDescr ?? facts.sysDescr,
        identity: {
          sysName: observation.sysName ?? null,
          version: observation.version ?? null,
          hardware: observation.hardware ?? null,
          features: observation.features ?? null,
        },
      }
    }
    yield run
  }
}

async function runPhase(name: string, phase: Phase, device: DeviceFacts, reader: Reader): Promise<ModuleRun> {
  const seen = {
    supported: new Set<string>(),
    unsupported: new Set<string>(),
    truncated: new Set<string>(),
    limited: new Set<string>(),
  }
  const read = await readAll(reader, phase.tables ?? {}, phase.scalars ?? {}, null, seen)
  const followed = new Map<string, Read>()
  const first = { device, ...read, followed }
  const unread: string[] = []
  const follows = phase.follow?.(first) ?? []
  // a generator may use each result before it yields the next; a list is known in advance
  if (Array.isArray(follows)) await probe(reader, tablesIn(follows), null)
  for (const more of follows) {
    await probe(reader, Object.values(more.tables ?? {}), more.context ?? null)
    followed.set(more.key, await readAll(reader, more.tables ?? {}, more.scalars ?? {}, more.context ?? null, seen))
  }
  if (rowsIn(read) > MAX_UNCLEARED_ROWS) reader.clear?.()
  return {
    name,
    observations: phase.run({
      ...first,
      unread({ name }, indexes) {
        const [index] = indexes
        if (index !== undefined) unread.push(`${name} (index ${index})`)
      },
    }),
    supported: [...seen.supported],
    unsupported: [...seen.unsupported],
    truncated: [...seen.truncated],
    limited: [...seen.limited],
    unread,
  }
}

/** If `follow` looked at more rows than this, there is enough garbage to collect before `run`. */
const MAX_UNCLEARED_ROWS = 50_000

function rowsIn({ tables }: Read): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows.size, 0)
}

/** With at least this many tables, probing first is cheaper than trying each. */
const WORTH_PROBING = 3

async function probe(reader: Reader, needs: readonly TableNeed[], context: string | null): Promise<void> {
  if (needs.length >= WORTH_PROBING || needs.some(({ sparse }) => sparse)) await reader.probe?.(needs, context)
}

/** The tables of the default context. */
function tablesIn(follows: readonly FollowUp[]): readonly TableNeed[] {
  return follows.flatMap(({ context, tables }) => (context === undefined ? Object.values(tables ?? {}) : []))
}

/** Result of a need without columns. */
const NOTHING: TableResult = { supported: false, complete: true, rows: new Map() }

type Seen = Record<'supported' | 'unsupported' | 'truncated' | 'limited', Set<string>>

async function readAll(
  reader: Reader,
  tables: Tables,
  scalars: Scalars,
  context: string | null,
  seen: Seen,
): Promise<Read> {
  const names = Object.keys(scalars)
  const list = Object.values(scalars)
  const scalarResult = list.length === 0 ? { complete: true, values: [] } : await reader.scalars(list, context)
  const results: Record<string, TableResult> = {}
  for (const [key, needed] of Object.entries(tables)) {
    if (needed.columns.length === 0) {
      results[key] = NOTHING
      continue
    }
    const result = await reader.table(needed, context)
    results[key] = result
    const { name } = needed.table
    const why = result.limitReached ?? result.ending
    const label = why === undefined ? name : `${name} (${why})`
    if (result.limitReached !== undefined) seen.limited.add(label)
    if (!result.complete) seen.truncated.add(label)
    else (result.supported ? seen.supported : seen.unsupported).add(name)
  }
  const values: Record<string, SyntaxTypes[keyof SyntaxTypes] | undefined> = {}
  names.forEach((key, i) => {
    values[key] = scalarResult.values[i]
  })
  return { tables: results, scalars: values, scalarsComplete: scalarResult.complete }
}

/** After this many silent contexts the remaining ones are skipped, because each costs all retries. */
const MAX_SILENT_CONTEXTS = 2

/** Tables with more rows are not cached; for a second reader the rows are assembled again from their cells. */
const MAX_CACHED_ROWS = 1000

/** Result for a table of a skipped context. */
const SKIPPED: TableResult = { supported: false, complete: false, rows: new Map() }

/**
 * Reads the foreseen scalars of all modules in one go when the second module asks for its own; the first is `system`,
 * which may find requests that the agent cannot handle. If the agent refuses the combined request, each module's
 * scalars are requested separately.
 */
function together(reader: Reader, foreseen: readonly MibScalar[]): Reader['scalars'] {
  const keyOf = ({ oid, syntax }: MibScalar): string => `${oid} ${syntax}`
  const left = new Map(foreseen.map((object) => [keyOf(object), object]))
  const known = new Map<string, ScalarResult['values'][number]>()
  let lists = 0
  return async (list, context) => {
    const keys = list.map(keyOf)
    const answered = () => keys.every((key) => known.has(key))
    if (context !== null || !keys.every((key) => known.has(key) || left.has(key))) return reader.scalars(list, context)
    lists++
    if (lists > 1 && !answered()) {
      const all = [...left.values()]
      left.clear()
      const { complete, values, refused } = await reader.scalars(all, null)
      if (complete && refused !== true) for (const [i, object] of all.entries()) known.set(keyOf(object), values[i])
    }
    if (answered()) return { complete: true, values: keys.map((key) => known.get(key)) }
    for (const key of keys) left.delete(key)
    return reader.scalars(list, null)
  }
}

const keys = new WeakMap<TableNeed, string>()

/** The same for needs of the same table with the same columns. */
function keyOf(need: TableNeed): string {
  const key = keys.get(need) ?? [need.table.entry, ...need.columns].join(' ')
  keys.set(need, key)
  return key
}

/**
 * Caches tables for the duration of a run, since for example OS identity and inventory both need ENTITY-MIB. Agents do
 * not answer for contexts that they do not have, so a silent context is tried only once, and after a few of them only
 * contexts that have answered are read.
 */
function sharing(reader: Reader, foreseen: readonly MibScalar[]): Reader {
  const contexts = new Map<string | null, Map<string, Promise<TableResult>>>()
  const silent = new Set<string>()
  const answering = new Set<string>()
  const note = (context: string | null, { complete, rows }: TableResult): void => {
    if (context === null) return
    if (complete || rows.size > 0) answering.add(context)
    else if (!answering.has(context)) silent.add(context)
  }
  const isSkipped = (context: string | null): boolean =>
    context !== null && !answering.has(context) && (silent.has(context) || silent.size >= MAX_SILENT_CONTEXTS)
  return {
    table<T extends MibTable>(needed: TableNeed<T>, context: string | null) {
      const tables = contexts.get(context) ?? new Map<string, Promise<TableResult>>()
      contexts.set(context, tables)
      const key = keyOf(needed)
      const known = tables.get(key)
      // The key consists of entry and columns, so the cached result has the type of this need.
      if (known !== undefined) return known as Promise<TableResult<T>>
      // A table without rows fits any type.
      if (isSkipped(context)) return Promise.resolve(SKIPPED as TableResult<T>)
      const reading = reader.table(needed, context).then((result) => {
        note(context, result)
        if (result.rows.size > MAX_CACHED_ROWS) tables.delete(key)
        return result
      })
      tables.set(key, reading as Promise<TableResult>)
      return reading
    },
    scalars: together(reader, foreseen),
    clear: () => reader.clear?.(),
    probe: async (needs, context) => {
      // a context that has not answered yet may not exist; its first table will show
      if (context === null || answering.has(context)) await reader.probe?.(needs, context)
    },
  }
}
