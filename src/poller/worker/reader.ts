import type { Budget } from '@portlight/snmp/budget.ts'
import { CellStore, type Cells } from '@portlight/snmp/cells.ts'
import { endingText } from '@portlight/snmp/endings.ts'
import { type AgentProfile, applyQuirks, newProfile } from '@portlight/snmp/profile.ts'
import type { Session } from '@portlight/snmp/session.ts'
import { StreamedRows } from '@portlight/snmp/streamed-rows.ts'
import { assembleRows, readAs, type Unreadable } from '@portlight/snmp/table.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'
import type { WalkOptions, WalkOutcome } from '@portlight/snmp/walk.ts'
import { slices } from '../../lib/slices.ts'
import type { TableNeed } from '../../modules/module.ts'
import type { Reader } from '../../modules/run.ts'
import type { SnmpLimits } from '../protocol.ts'
import type { Agents } from './agent.ts'
import { columnsOf, isPast } from './columns.ts'

interface OpenReader {
  readonly reader: Reader
  readonly opened: () => Iterable<Session>
  readonly waitedMs: () => number
  readonly spent: () => number
  /** OIDs of values that were malformed, at most MAX_MALFORMED. */
  readonly malformed: ReadonlySet<string>
}

/** Maximum number of malformed values that are remembered. */
export const MAX_MALFORMED = 1000

/**
 * The modules' access to an agent: one session per context, opened on first use. `opened` returns the sessions, to add
 * up their cost. Each column is walked once per reader, even if several modules need it. `turn` is awaited once, before
 * the reader exceeds LARGE_OCTETS; deadlines are postponed by the time this takes (`waitedMs`).
 */
export function openReader(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  leftMs: () => number,
  deviceId: number,
  turn: (() => Promise<void>) | null = null,
): OpenReader {
  const malformed = new Set<string>()
  const views = new Map<string, ContextView>()
  const budget = agents.budget(deviceId, turn === null ? 'poll' : 'discover')
  let left = turn
  let waited = 0
  const grow = async (octets: number): Promise<void> => {
    if (left === null || budget.spent + octets < LARGE_OCTETS) return
    const wait = left
    left = null
    const began = performance.now()
    await wait()
    const ms = performance.now() - began
    waited += ms
    for (const { session } of views.values()) session.extend(ms)
  }
  const viewOf = (context: string | null): ContextView => {
    const key = context ?? ''
    let view = views.get(key)
    if (view === undefined) {
      const session = openIn(agents, target, profile, context, { deadlineMs: leftMs(), owner: deviceId })
      view = {
        session,
        profile,
        budget,
        grow,
        tables: new Map(),
        known: new Map(),
        absent: new Set(),
        probed: new Set(),
        interfaces: 0,
      }
      views.set(key, view)
    }
    return view
  }
  return {
    reader: readerOf(viewOf, agents, deviceId, malformed),
    malformed,
    opened: () => views.values().map(({ session }) => session),
    waitedMs: () => waited,
    spent: () => budget.spent,
  }
}

/** Size of responses above which a discovery counts as large, octets; a switch with a thousand ports exceeds it. */
const LARGE_OCTETS = 1 << 20

/** One context of the agent and what was read from it. */
interface ContextView {
  readonly session: Session
  /** The agent's profile, shared by all contexts. */
  readonly profile: AgentProfile
  readonly budget: Budget
  /** Resolves when `octets` more octets may be read and converted to rows. */
  grow(octets: number): Promise<void>
  /** Budgets of tables by the OID of the entry. */
  readonly tables: Map<string, Budget>
  /** Walks, finished or running, by column OID. */
  readonly known: Map<string, Promise<WalkOutcome>>
  /** OIDs of columns without instances. */
  readonly absent: Set<string>
  /** OIDs of columns that are known to have or to lack instances. */
  readonly probed: Set<string>
  /** Number of rows in the first table of interfaces; 0: not yet known. */
  interfaces: number
}

/**
 * A session in a context: contextName for v3, a suffix of the community for v1 and v2c (`public@10`). It has its own
 * profile, because contexts of an agent may behave differently, but shares the v3 engine.
 */
function openIn(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  context: string | null,
  options: { readonly deadlineMs: number; readonly owner: number },
): Session {
  if (context === null) return agents.open(target, profile, options)
  const { engine, bulkWorks, bulkRefused, unordered } = profile
  const own = { ...newProfile(target.transport === 'udp6' ? 6 : 4), engine, bulkWorks, bulkRefused, unordered }
  applyQuirks(own, profile.quirks)
  // Cisco's context of VLAN 10 is `10` in the community string but `vlan-10` as contextName
  const contextName = /^\d+$/.test(context) ? `vlan-${context}` : context
  if (target.snmpver === 'v3') return agents.open(target, own, { ...options, context: contextName })
  return agents.open({ ...target, community: `${target.community ?? ''}@${context}` }, own, options)
}

function readerOf(
  viewOf: (context: string | null) => ContextView,
  agents: Agents,
  deviceId: number,
  malformed: Set<string>,
): Reader {
  /** A malformed value is decoded as Null. */
  const note = (oid: string, { kind }: SnmpValue): void => {
    if (kind === 'Null' && malformed.size < MAX_MALFORMED) malformed.add(oid)
  }
  return {
    async table(need, context) {
      const view = viewOf(context)
      if (isGivenUp(view)) return { supported: false, complete: false, rows: new Map() }
      if (isAbsent(view, need)) return { supported: false, complete: true, rows: new Map() }
      const walked = await walk(view, need, rowLimit(agents.limits, need))
      let complete = true
      let limitReached: string | undefined
      let ending: string | undefined
      let supported = false
      const cells = new Map<string, Cells>()
      for (const [name, outcome] of walked) {
        if (outcome.kind === 'unsupported') continue
        supported = true
        if (outcome.kind === 'truncated') {
          complete = false
          limitReached ??= limitOf(outcome, agents.limits, need)
          const { reason } = outcome
          if (reason !== 'limit' && reason !== 'octets') ending ??= endingText(reason)
        }
        cells.set(name, outcome.cells)
      }
      const count = sum(cells.values())
      await view.grow(count > LARGE_CELLS ? count * CELL_OCTETS : 0)
      if (count > LARGE_CELLS) Bun.gc(true)
      agents.attend(deviceId)
      const unreadable: Unreadable = (name, index, value) => {
        agents.unreadable()
        note(`${columnsOf(need).oids.get(name)}.${index}`, value)
      }
      return {
        supported,
        complete,
        ...(limitReached !== undefined && { limitReached }),
        ...(limitReached === undefined && ending !== undefined && { ending }),
        rows:
          count > LARGE_CELLS && isStored(cells)
            ? new StreamedRows(need.table, cells, unreadable)
            : assembleRows(need.table, cells as Parameters<typeof assembleRows<typeof need.table>>[1], unreadable),
      }
    },
    async scalars(list, context) {
      const view = viewOf(context)
      if (isGivenUp(view)) return { complete: false, values: list.map(() => undefined) }
      const answer = await view.session.get(list.map((s) => s.oid))
      agents.attend(deviceId)
      if (answer.kind === 'error') return { complete: true, refused: true, values: list.map(() => undefined) }
      if (answer.kind !== 'answer') return { complete: false, values: list.map(() => undefined) }
      return {
        complete: true,
        values: list.map((s, i) => {
          const value = answer.varbinds[i]?.value
          if (value === undefined) return undefined
          note(s.oid, value)
          return readAs(value, s.syntax)
        }),
      }
    },
    probe: (needs, context) => probe(viewOf(context), needs),
    clear: () => Bun.gc(true),
  }
}

/** The device was forgotten: nobody waits for the rest, which would take a time-out for each table if it is silent. */
function isGivenUp({ budget }: ContextView): boolean {
  return budget.over === 'closed'
}

/** Whether the agent is known to have none of the columns. */
function isAbsent({ absent }: ContextView, need: TableNeed): boolean {
  return columnsOf(need).inOrder.every((oid) => absent.has(oid))
}

/** Walks columns of a table, by name; columns walked before are not requested again. */
async function walk(view: ContextView, need: TableNeed, maxRows: number): Promise<Map<string, WalkOutcome>> {
  const { known, absent, session } = view
  const outcomes = new Map<string, WalkOutcome>()
  const { names, oids } = columnsOf(need)
  const oidOf = (name: string): string => oids.get(name) ?? ''
  for (const oid of oids.values()) if (isBad(view.profile, oid)) absent.add(oid)
  if (need.sparse) {
    const present = names.filter((name) => !absent.has(oidOf(name)))
    if (present.length < names.length) return walk(view, { ...need, columns: present }, maxRows)
  }
  for (const oid of oids.values()) {
    if (absent.has(oid) && !known.has(oid)) known.set(oid, Promise.resolve(UNSUPPORTED))
  }
  const first = names.find((name) => !absent.has(oidOf(name)))
  if (first === undefined) return new Map(names.map((name) => [name, UNSUPPORTED]))
  const firstOid = oidOf(first)
  let budget = view.tables.get(need.table.entry)
  if (budget === undefined) {
    budget = view.budget.forTable()
    view.tables.set(need.table.entry, budget)
  }
  const ask = (asking: readonly string[], options: WalkOptions): void => {
    const asked = session.walkColumns(need.table, asking, options)
    for (const name of asking) {
      // one request covers all columns, so they resolve together
      known.set(
        oidOf(name),
        asked.then((walked) => walked.get(name) ?? UNSUPPORTED),
      )
    }
  }
  if (!known.has(firstOid)) {
    const alike = need.interfaces === true && view.interfaces > 0 ? { expectedRows: view.interfaces } : {}
    ask([first], { budget: budget.forColumn(names.length), maxRows, ...alike })
  }
  const firstColumn = (await known.get(firstOid)) ?? UNSUPPORTED
  if (need.interfaces === true && firstColumn.kind !== 'unsupported') view.interfaces ||= firstColumn.cells.size
  if (firstColumn.kind === 'unsupported') {
    // agents omit single columns, so the table may be there without this one
    absent.add(firstOid)
    await findColumn(view, need)
    return walk(view, need, maxRows)
  }
  // if the first column could not be read, the others get its outcome without a request
  if (firstColumn.cells.size === 0) return new Map(names.map((name) => [name, firstColumn]))
  const missing = names.filter((name) => !known.has(oidOf(name)))
  const rows = firstColumn.cells.size
  await view.grow(rows * missing.length * CELL_OCTETS)
  // if the first column was truncated, the others are of no use beyond its rows
  if (missing.length > 0)
    ask(missing, { budget, expectedRows: rows, maxRows: firstColumn.kind === 'truncated' ? rows : maxRows })
  for (const name of names) {
    const outcome = (await known.get(oidOf(name))) ?? UNSUPPORTED
    // a column that was read only as far as the first one ended where that one did
    const asFirst = firstColumn.kind === 'truncated' && outcome.kind === 'truncated' && outcome.reason === 'limit'
    outcomes.set(name, asFirst ? { ...outcome, reason: firstColumn.reason } : outcome)
  }
  return outcomes
}

/**
 * Marks columns as absent up to the first one with instances, from the answers to GETNEXT. All are marked if the table
 * has none of them. After no answer or an error the rest is marked too.
 */
async function findColumn(view: ContextView, need: TableNeed): Promise<void> {
  for (const oid of columnsOf(need).inOrder) {
    if (view.absent.has(oid)) continue
    const answer = view.probed.has(oid) ? null : await view.session.getNext([oid])
    if (answer === null) return
    const next = answer.kind === 'answer' ? answer.varbinds[0] : undefined
    if (next !== undefined) view.probed.add(oid)
    if (next !== undefined && !isPast(next, oid)) return
    markAbsent(view, need, oid, next)
  }
}

/** Marks the columns from this one on that come before `next`, the answer to GETNEXT; without an answer all of them. */
function markAbsent({ absent }: ContextView, need: TableNeed, from: string, next: Varbind | undefined): void {
  const { inOrder } = columnsOf(need)
  for (const oid of inOrder.slice(inOrder.indexOf(from))) if (next === undefined || isPast(next, oid)) absent.add(oid)
}

function isOfPorts({ maxRows, maxPorts }: SnmpLimits, need: TableNeed): boolean {
  return need.interfaces === true && maxPorts < maxRows
}

function rowLimit(limits: SnmpLimits, need: TableNeed): number {
  return isOfPorts(limits, need) ? limits.maxPorts : limits.maxRows
}

/** Text of the limit that truncated a walk; undefined if the cause was the network or the agent. */
function limitOf(
  outcome: Extract<WalkOutcome, { kind: 'truncated' }>,
  limits: SnmpLimits,
  need: TableNeed,
): string | undefined {
  if (outcome.reason === 'limit') {
    return `at ${rowLimit(limits, need)} rows, setting discovery.${isOfPorts(limits, need) ? 'max_ports' : 'max_rows'}`
  }
  if (outcome.reason !== 'octets') return undefined
  return `after ${outcome.cells.size} rows by its share of ${limits.maxOctets} bytes, setting discovery.max_octets`
}

/** Tables with more cells count as large; memory of the previous one is freed first. */
const LARGE_CELLS = 20_000
/** Approximate size of a cell in a response, octets. */
const CELL_OCTETS = 26

function isStored(cells: ReadonlyMap<string, Cells>): cells is ReadonlyMap<string, CellStore> {
  return cells.values().every((column) => column instanceof CellStore)
}

function sum(cells: Iterable<{ readonly size: number }>): number {
  let n = 0
  for (const { size } of cells) n += size
  return n
}

const UNSUPPORTED: WalkOutcome = { kind: 'unsupported' }

/** True for an OID at or below one that must not be requested from agents of this OS. */
function isBad({ quirks }: AgentProfile, oid: string): boolean {
  return quirks.badTables.some((bad) => oid === bad || oid.startsWith(`${bad}.`))
}

/** OIDs per request; with most agents the response, which may include texts, still fits in one frame. */
const PROBED_AT_ONCE = 20
/** A refused request with this many OIDs or fewer is not split further. */
const PROBED_AT_LEAST = 4

/**
 * Finds unsupported tables with GETNEXT on their lowest columns: the answer shows which of the others are missing too. Not used with v1, where one missing object makes the
 * whole request fail. After an incomplete response nothing is marked, and each table is walked.
 */
async function probe(view: ContextView, needs: readonly TableNeed[]): Promise<void> {
  const { session, profile, known, absent, probed } = view
  if (session.target.snmpver === 'v1' || isGivenUp(view)) return
  const needOf = new Map<string, TableNeed>()
  const all = new Set<string>()
  for (const need of needs) {
    const { probeOids } = columnsOf(need)
    for (const oid of probeOids) all.add(oid)
    if (probeOids.length === 1) needOf.set(probeOids[0] ?? '', need)
  }
  const oids = [...all].filter((oid) => !known.has(oid) && !absent.has(oid) && !probed.has(oid) && !isBad(profile, oid))
  const questions = slices(oids, PROBED_AT_ONCE)
  for (let asked = questions.shift(); asked !== undefined; asked = questions.shift()) {
    const answer = await session.getNext(asked)
    if (answer.kind !== 'answer' && answer.kind !== 'error') return
    if (answer.kind === 'error') {
      // the error is mostly tooBig: ask for fewer objects at a time
      if (asked.length > PROBED_AT_LEAST) questions.unshift(...slices(asked, Math.ceil(asked.length / 2)))
      continue
    }
    if (answer.varbinds.length !== asked.length) continue
    for (const [i, oid] of asked.entries()) {
      const next = answer.varbinds[i]
      if (next === undefined) continue
      probed.add(oid)
      if (!isPast(next, oid)) continue
      absent.add(oid)
      const need = needOf.get(oid)
      if (need !== undefined) markAbsent(view, need, oid, next)
    }
  }
}
