import type { TableNeed } from '../../modules/module.ts'
import type { Reader } from '../../modules/run.ts'
import { type AgentProfile, applyQuirks, newProfile } from '../../snmp/profile.ts'
import type { Session } from '../../snmp/session.ts'
import { assembleRows, readAs } from '../../snmp/table.ts'
import type { SnmpTarget } from '../../snmp/target.ts'
import type { Varbind } from '../../snmp/value.ts'
import type { WalkOutcome } from '../../snmp/walk.ts'
import type { Agents } from './agent.ts'

/**
 * What modules read through: sessions with one agent, one for each context, opened when it is first asked for. `opened`
 * gives those, for their costs. A column is walked once in the life of a reader, whichever modules need it.
 */
export function openReader(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  leftMs: () => number,
): { reader: Reader; opened: () => Iterable<Session> } {
  const views = new Map<string, ContextView>()
  const viewOf = (context: string | null): ContextView => {
    const key = context ?? ''
    let view = views.get(key)
    if (view === undefined) {
      const session = openIn(agents, target, profile, context, leftMs())
      view = { session, profile, known: new Map(), absent: new Set() }
      views.set(key, view)
    }
    return view
  }
  return { reader: readerOf(viewOf, agents.unreadable), opened: () => views.values().map(({ session }) => session) }
}

/** One context of the agent, and what was read of it. */
interface ContextView {
  readonly session: Session
  /** The agent's, whatever the context. */
  readonly profile: AgentProfile
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
  deadlineMs: number,
): Session {
  if (context === null) return agents.open(target, profile, { deadlineMs })
  const own = { ...newProfile(target.transport === 'udp6' ? 6 : 4), engine: profile.engine }
  applyQuirks(own, profile.quirks)
  // Cisco's VLANs are numbers in the community, and `vlan-10` as contextName.
  const contextName = /^\d+$/.test(context) ? `vlan-${context}` : context
  if (target.snmpver === 'v3') return agents.open(target, own, { deadlineMs, context: contextName })
  return agents.open({ ...target, community: `${target.community ?? ''}@${context}` }, own, { deadlineMs })
}

function readerOf(viewOf: (context: string | null) => ContextView, unreadable: () => void): Reader {
  return {
    async table(need, context) {
      const walked = await walk(viewOf(context), need)
      let complete = true
      let supported = false
      const cells = new Map<string, Extract<WalkOutcome, { cells: unknown }>['cells']>()
      for (const [name, outcome] of walked) {
        if (outcome.kind === 'unsupported') continue
        supported = true
        if (outcome.kind === 'truncated') complete = false
        cells.set(name, outcome.cells)
      }
      return {
        supported,
        complete,
        rows: assembleRows(need.table, cells as Parameters<typeof assembleRows<typeof need.table>>[1], unreadable),
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
  }
}

/** Columns of the table by name; those that were walked before are not asked for again. */
async function walk(view: ContextView, need: TableNeed): Promise<Map<string, WalkOutcome>> {
  const { known, absent, session } = view
  const outcomes = new Map<string, WalkOutcome>()
  const oids = new Map(need.columns.map((name) => [name, oidOf(need, name)]))
  const [first] = need.columns
  const lead = first === undefined ? undefined : oids.get(first)
  if (lead === undefined) return outcomes
  if (isBad(view.profile, lead)) absent.add(lead)
  if (absent.has(lead) && !known.has(lead)) known.set(lead, Promise.resolve(UNSUPPORTED))
  const led = await known.get(lead)
  // without rows in the first column the others have its outcome, unasked
  if (led !== undefined && (led.kind === 'unsupported' || led.cells.size === 0)) {
    return new Map(need.columns.map((name) => [name, led]))
  }
  const missing = need.columns.filter((name) => !known.has(oids.get(name) ?? ''))
  const asked = session.walkColumns(need.table, missing, led === undefined ? {} : { expectedRows: led.cells.size })
  for (const name of missing) {
    // the one set of columns is under way: each of its columns is known when it is
    known.set(
      oids.get(name) ?? '',
      asked.then((walked) => walked.get(name) ?? UNSUPPORTED),
    )
  }
  for (const name of need.columns) outcomes.set(name, (await known.get(oids.get(name) ?? '')) ?? UNSUPPORTED)
  return outcomes
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
