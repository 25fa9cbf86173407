import type { TableNeed } from '../../modules/module.ts'
import type { Reader } from '../../modules/run.ts'
import type { Budget } from '../../snmp/budget.ts'
import { CellStore, type Cells } from '../../snmp/cells.ts'
import { type AgentProfile, applyQuirks, newProfile } from '../../snmp/profile.ts'
import type { Session } from '../../snmp/session.ts'
import { StreamedRows } from '../../snmp/streamed-rows.ts'
import { assembleRows, readAs } from '../../snmp/table.ts'
import type { SnmpTarget } from '../../snmp/target.ts'
import type { Varbind } from '../../snmp/value.ts'
import type { WalkOptions, WalkOutcome } from '../../snmp/walk.ts'
import type { SnmpLimits } from '../protocol.ts'
import type { Agents } from './agent.ts'

/**
 * What modules read through: sessions with one agent, one for each context, opened when it is first asked for. `opened`
 * gives those, for their costs. A column is walked once in the life of a reader, whichever modules need it. `turn`: awaited
 * once, before the reader takes more than LARGE_OCTETS; deadlines move by what that took, `waitedMs`.
 */
export function openReader(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  leftMs: () => number,
  deviceId: number,
  turn: (() => Promise<void>) | null = null,
): { reader: Reader; opened: () => Iterable<Session>; waitedMs: () => number; spent: () => number } {
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
      view = { session, profile, budget, grow, tables: new Map(), known: new Map(), absent: new Set() }
      views.set(key, view)
    }
    return view
  }
  return {
    reader: readerOf(viewOf, agents),
    opened: () => views.values().map(({ session }) => session),
    waitedMs: () => waited,
    spent: () => budget.spent,
  }
}

/** Octets of answers from which on a discovery counts as large: a switch with a thousand ports. */
const LARGE_OCTETS = 1 << 20

/** One context of the agent, and what was read of it. */
interface ContextView {
  readonly session: Session
  /** The agent's, whatever the context. */
  readonly profile: AgentProfile
  readonly budget: Budget
  /** Resolves when so many octets more may be read and made rows. */
  grow(octets: number): Promise<void>
  /** The parts of the budget, by the OID of the table's entry. */
  readonly tables: Map<string, Budget>
  /** Walks by the OID of their column, also those under way. */
  readonly known: Map<string, Promise<WalkOutcome>>
  /** OIDs of columns below which there is nothing. */
  readonly absent: Set<string>
}

/**
 * A session in a context: contextName for v3; v1 and v2c agents take it as a suffix of the community (`public@10`). It
 * has a profile of its own, because the agent's other contexts may answer otherwise; the v3 engine is the same.
 */
function openIn(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  context: string | null,
  options: { readonly deadlineMs: number; readonly owner: number },
): Session {
  if (context === null) return agents.open(target, profile, options)
  const own = { ...newProfile(target.transport === 'udp6' ? 6 : 4), engine: profile.engine }
  applyQuirks(own, profile.quirks)
  // Cisco's VLANs are numbers in the community, and `vlan-10` as contextName.
  const contextName = /^\d+$/.test(context) ? `vlan-${context}` : context
  if (target.snmpver === 'v3') return agents.open(target, own, { ...options, context: contextName })
  return agents.open({ ...target, community: `${target.community ?? ''}@${context}` }, own, options)
}

function readerOf(viewOf: (context: string | null) => ContextView, agents: Agents): Reader {
  return {
    async table(need, context) {
      const walked = await walk(viewOf(context), need, rowLimit(agents.limits, need))
      let complete = true
      let cut: string | undefined
      let supported = false
      const cells = new Map<string, Cells>()
      for (const [name, outcome] of walked) {
        if (outcome.kind === 'unsupported') continue
        supported = true
        if (outcome.kind === 'truncated') {
          complete = false
          cut ??= limitOf(outcome, agents.limits, need)
        }
        cells.set(name, outcome.cells)
      }
      const count = sum(cells.values())
      await viewOf(context).grow(count > LARGE_CELLS ? count * CELL_OCTETS : 0)
      if (count > LARGE_CELLS) Bun.gc(true)
      return {
        supported,
        complete,
        ...(cut !== undefined && { cut }),
        rows:
          count > LARGE_CELLS && isStored(cells)
            ? new StreamedRows(need.table, cells, agents.unreadable)
            : assembleRows(
                need.table,
                cells as Parameters<typeof assembleRows<typeof need.table>>[1],
                agents.unreadable,
              ),
      }
    },
    async scalars(list, context) {
      const answer = await viewOf(context).session.get(list.map((s) => s.oid))
      if (answer.kind === 'error') return { complete: true, values: list.map(() => undefined) }
      if (answer.kind !== 'answer') return { complete: false, values: list.map(() => undefined) }
      return {
        complete: true,
        values: list.map((s, i) => {
          const value = answer.varbinds[i]?.value
          return value === undefined ? undefined : readAs(value, s.syntax)
        }),
      }
    },
    probe: (needs, context) => probe(viewOf(context), needs),
    clear: () => Bun.gc(true),
  }
}

/** Columns of the table by name; those that were walked before are not asked for again. */
async function walk(view: ContextView, need: TableNeed, maxRows: number): Promise<Map<string, WalkOutcome>> {
  const { known, absent, session } = view
  const outcomes = new Map<string, WalkOutcome>()
  const oids = new Map(need.columns.map((name) => [name, oidOf(need, name)]))
  const [first] = need.columns
  const lead = first === undefined ? undefined : oids.get(first)
  if (lead === undefined) return outcomes
  if (isBad(view.profile, lead)) absent.add(lead)
  if (absent.has(lead) && !known.has(lead)) known.set(lead, Promise.resolve(UNSUPPORTED))
  let budget = view.tables.get(need.table.entry)
  if (budget === undefined) {
    budget = view.budget.forTable()
    view.tables.set(need.table.entry, budget)
  }
  const ask = (names: readonly string[], options: WalkOptions): void => {
    const asked = session.walkColumns(need.table, names, options)
    for (const name of names) {
      // the one set of columns is under way: each of its columns is known when it is
      known.set(
        oidOf(need, name),
        asked.then((walked) => walked.get(name) ?? UNSUPPORTED),
      )
    }
  }
  if (!known.has(lead)) ask(need.columns.slice(0, 1), { budget: budget.forColumn(need.columns.length), maxRows })
  const led = (await known.get(lead)) ?? UNSUPPORTED
  // without rows in the first column the others have its outcome, unasked
  if (led.kind === 'unsupported' || led.cells.size === 0) return new Map(need.columns.map((name) => [name, led]))
  const missing = need.columns.filter((name) => !known.has(oidOf(need, name)))
  const rows = led.cells.size
  await view.grow(rows * missing.length * CELL_OCTETS)
  // rows that the first column was not read to say nothing in the others
  if (missing.length > 0)
    ask(missing, { budget, expectedRows: rows, maxRows: led.kind === 'truncated' ? rows : maxRows })
  for (const name of need.columns) outcomes.set(name, (await known.get(oids.get(name) ?? '')) ?? UNSUPPORTED)
  return outcomes
}

function isOfPorts({ maxRows, maxPorts }: SnmpLimits, need: TableNeed): boolean {
  return need.interfaces === true && maxPorts < maxRows
}

function rowLimit(limits: SnmpLimits, need: TableNeed): number {
  return isOfPorts(limits, need) ? limits.maxPorts : limits.maxRows
}

/** Which limit cut a walk, in words; undefined where it was the network or the agent. */
function limitOf(
  outcome: Extract<WalkOutcome, { kind: 'truncated' }>,
  limits: SnmpLimits,
  need: TableNeed,
): string | undefined {
  if (outcome.reason === 'limit') {
    return `at ${rowLimit(limits, need)} rows, setting discovery.${isOfPorts(limits, need) ? 'max_ports' : 'max_rows'}`
  }
  if (outcome.reason !== 'octets') return undefined
  return `after ${outcome.cells.size} rows by its share of ${limits.maxOctets} octets, setting discovery.max_octets`
}

/** A table with more cells is large: what the one before it left is cleared away first. */
const LARGE_CELLS = 20_000
/** What a cell has in an answer, about. */
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

function oidOf({ table }: TableNeed, name: string): string {
  return `${table.entry}.${table.columns[name]?.id}`
}

/** Below an OID that agents of this kind must not be asked for. */
function isBad({ quirks }: AgentProfile, oid: string): boolean {
  return quirks.badTables.some((bad) => oid === bad || oid.startsWith(`${bad}.`))
}

/** Most OIDs in one question: their answers, names and texts, still fit a frame with most agents. */
const PROBED_AT_ONCE = 16

/**
 * What comes behind the first column of each table, by GETNEXT: below it, or the table is not there. v1 refuses all for
 * the lack of one, and agents that do not give a whole answer tell nothing: then each table is asked for alone.
 */
async function probe({ session, profile, known, absent }: ContextView, needs: readonly TableNeed[]): Promise<void> {
  if (session.target.snmpver === 'v1') return
  const all = new Set(needs.flatMap((need) => (need.columns[0] === undefined ? [] : [oidOf(need, need.columns[0])])))
  const oids = [...all].filter((oid) => !known.has(oid) && !absent.has(oid) && !isBad(profile, oid))
  for (let from = 0; from < oids.length; from += PROBED_AT_ONCE) {
    const asked = oids.slice(from, from + PROBED_AT_ONCE)
    const answer = await session.getNext(asked)
    if (answer.kind !== 'answer' && answer.kind !== 'error') return
    if (answer.kind === 'error' || answer.varbinds.length !== asked.length) continue
    for (const [i, oid] of asked.entries()) {
      const next = answer.varbinds[i]
      if (next !== undefined && isPast(next, oid)) absent.add(oid)
    }
  }
}

/**
 * True when the varbind is behind everything below the OID; an agent that goes backwards tells nothing. Compared as text,
 * because what comes over a bad network need not be an OID.
 */
function isPast({ oid, value }: Varbind, column: string): boolean {
  if (value.kind === 'endOfMibView') return true
  const next = oid.split('.').map(Number)
  const root = column.split('.').map(Number)
  const at = root.findIndex((id, i) => next[i] !== id)
  // all of the column's own sub-identifiers are there: it is below, or the column itself
  return at >= 0 && (next[at] ?? -1) > (root[at] ?? 0)
}
