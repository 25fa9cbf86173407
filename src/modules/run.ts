import type { MibScalar, MibTable, SyntaxTypes } from '../snmp/table.ts'
import type {
  DeviceFacts,
  FollowUp,
  Module,
  Phase,
  PhaseInput,
  Read,
  Scalars,
  TableNeed,
  TableResult,
  Tables,
} from './module.ts'
import type { Observation } from './observation.ts'

/**
 * How modules get at an agent; the worker implements it over a session. Both resolve whatever happens on the wire:
 * silence is `complete: false`, a missing object is absent. `context` is null for the default SNMP context.
 */
export interface Reader {
  table<T extends MibTable>(need: TableNeed<T>, context: string | null): Promise<TableResult<T>>
  scalars(list: readonly MibScalar[], context: string | null): Promise<ScalarResult>
  /** Finds out in few requests which of these tables the agent lacks, so that `table` need not ask for them one by one. */
  probe?(needs: readonly TableNeed[], context: string | null): Promise<void>
}

/** `values[i]` belongs to `list[i]`, undefined where the agent has no such object. `complete` false: it stopped answering. */
export interface ScalarResult {
  readonly complete: boolean
  readonly values: readonly (SyntaxTypes[keyof SyntaxTypes] | undefined)[]
}

/** What one module of a run found. */
export interface ModuleRun {
  readonly name: string
  readonly observations: readonly Observation[]
  /** Names of tables that the agent has, lacks, or stopped sending. */
  readonly supported: readonly string[]
  readonly unsupported: readonly string[]
  readonly truncated: readonly string[]
}

/**
 * Runs the modules in their order, yielding after each so that the caller can take its time and count its requests.
 * What `system` finds out (OS, sysObjectID, sysDescr) is known to the modules after it. A table that two modules need
 * with the same columns is read once.
 */
export async function* runModules(
  modules: readonly Module[],
  kind: 'discover' | 'poll',
  device: DeviceFacts,
  reader: Reader,
): AsyncGenerator<ModuleRun, void, void> {
  const shared = sharing(reader)
  let facts = device
  const foreseen = modules.flatMap((module) => Object.values(module[kind]?.tables ?? {}))
  // what is polled was found at discovery, so it is mostly there
  if (kind === 'discover') await shared.probe?.(foreseen, null)
  for (const module of modules) {
    const phase = module[kind]
    if (phase === undefined) continue
    const run = await runPhase(module.name, phase, facts, shared)
    for (const observation of run.observations) {
      if (observation.kind !== 'system') continue
      facts = {
        ...facts,
        os: observation.os ?? facts.os,
        sysObjectID: observation.sysObjectID ?? facts.sysObjectID,
        sysDescr: observation.sysDescr ?? facts.sysDescr,
      }
    }
    yield run
  }
}

async function runPhase(name: string, phase: Phase, device: DeviceFacts, reader: Reader): Promise<ModuleRun> {
  const seen = { supported: new Set<string>(), unsupported: new Set<string>(), truncated: new Set<string>() }
  const read = await readAll(reader, phase.tables ?? {}, phase.scalars ?? {}, null, seen)
  const followed = new Map<string, Read>()
  const first: PhaseInput = { device, ...read, followed }
  const follows = phase.follow?.(first) ?? []
  // a generator may look at each result before it says what is next; a list is known as a whole
  if (Array.isArray(follows)) await probe(reader, tablesIn(follows), null)
  for (const more of follows) {
    await probe(reader, Object.values(more.tables ?? {}), more.context ?? null)
    followed.set(more.key, await readAll(reader, more.tables ?? {}, more.scalars ?? {}, more.context ?? null, seen))
  }
  return {
    name,
    observations: phase.run(first),
    supported: [...seen.supported],
    unsupported: [...seen.unsupported],
    truncated: [...seen.truncated],
  }
}

/** From so many tables on, asking first which there are costs less. */
const WORTH_PROBING = 3

async function probe(reader: Reader, needs: readonly TableNeed[], context: string | null): Promise<void> {
  if (needs.length >= WORTH_PROBING) await reader.probe?.(needs, context)
}

/** The tables of the default context. */
function tablesIn(follows: readonly FollowUp[]): readonly TableNeed[] {
  return follows.flatMap(({ context, tables }) => (context === undefined ? Object.values(tables ?? {}) : []))
}

/** What reading no columns gives. */
const NOTHING: TableResult = { supported: false, complete: true, rows: new Map() }

type Seen = Record<'supported' | 'unsupported' | 'truncated', Set<string>>

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
    if (!result.complete) seen.truncated.add(needed.table.name)
    else (result.supported ? seen.supported : seen.unsupported).add(needed.table.name)
  }
  const values: Record<string, SyntaxTypes[keyof SyntaxTypes] | undefined> = {}
  names.forEach((key, i) => {
    values[key] = scalarResult.values[i]
  })
  return { tables: results, scalars: values, scalarsComplete: scalarResult.complete }
}

/** After so many contexts in which the agent said nothing the others are not asked: each costs all retries. */
const MOST_MUTE_CONTEXTS = 2

/** A table of a context that is not asked. */
const MUTE: TableResult = { supported: false, complete: false, rows: new Map() }

/**
 * Remembers tables for the length of a run: OS identity and inventory both need ENTITY-MIB. Contexts that an agent does
 * not have it meets with silence: such a one is asked once, and after a few of them only those that did answer.
 */
function sharing(reader: Reader): Reader {
  const tables = new Map<string, Promise<TableResult>>()
  const mute = new Set<string>()
  const answering = new Set<string>()
  const hear = (context: string | null, { complete, rows }: TableResult): void => {
    if (context === null) return
    if (complete || rows.size > 0) answering.add(context)
    else if (!answering.has(context)) mute.add(context)
  }
  const isMute = (context: string | null): boolean =>
    context !== null && !answering.has(context) && (mute.has(context) || mute.size >= MOST_MUTE_CONTEXTS)
  return {
    table<T extends MibTable>(needed: TableNeed<T>, context: string | null) {
      const key = [context ?? '', needed.table.entry, ...needed.columns].join(' ')
      const known = tables.get(key)
      // The key holds entry and columns, so what is remembered under it has this need's type.
      if (known !== undefined) return known as Promise<TableResult<T>>
      // A table without rows is of any type.
      if (isMute(context)) return Promise.resolve(MUTE as TableResult<T>)
      const reading = reader.table(needed, context).then((result) => {
        hear(context, result)
        return result
      })
      tables.set(key, reading as Promise<TableResult>)
      return reading
    },
    scalars: (list, context) => reader.scalars(list, context),
    probe: async (needs, context) => {
      // a context that never answered may be one that the agent does not have: its first table finds that out
      if (context === null || answering.has(context)) await reader.probe?.(needs, context)
    },
  }
}
