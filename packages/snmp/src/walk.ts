import type { Budget } from './budget.ts'
import { bulkFailed, bulkWorked, isEmpty, mayBeBulk, usesBulk } from './bulk.ts'
import { type Caller, callerOid, type Failure, type Source } from './call.ts'
import { CellStore, type Cells, cellsByColumn, sortedCells } from './cells.ts'
import { compareOid, formatIndex, isUnder } from './oid.ts'
import { isBeginning } from './order.ts'
import { walkPacked } from './packed.ts'
import { PDU, type PduView } from './pdu.ts'
import {
  type BulkRefusal,
  bulkAnswered,
  learnCut,
  lowerResponse,
  MESSAGE_OCTETS,
  maxRepetitionsOf,
  unpadded,
} from './profile.ts'
import type { MibTable } from './table.ts'

/**
 * `refused`: credentials or context; `limit`: the table has more rows than allowed; `octets`: the budget is used up;
 * `notIncreasing`: the agent's OIDs do not increase and one came twice, so the walk would never end, or the last one led
 * back to before the walk, so the rest may be elsewhere.
 */
export type TruncationReason =
  | 'timeout'
  | 'otherSource'
  | 'tooBig'
  | 'genErr'
  | 'notIncreasing'
  | 'limit'
  | 'octets'
  | 'deadline'
  | 'refused'
  | 'unreachable'
  | 'closed'

/**
 * How a walk ended. A truncated walk has the cells read until then, and rows missing from it may exist. `unsupported`:
 * the agent has nothing below the OID, because it does not implement the object or because the table is empty.
 */
export type WalkOutcome =
  | { readonly kind: 'complete'; readonly cells: Cells }
  | { readonly kind: 'truncated'; readonly cells: Cells; readonly reason: TruncationReason }
  | { readonly kind: 'unsupported' }

export interface WalkOptions {
  /** Number of rows the caller expects; one more is requested at the same time to see the end. */
  readonly expectedRows?: number
  /** Maximum number of rows; the walk is truncated there. Default 100,000. */
  readonly maxRows?: number
  /** Budget shared with other walks. */
  readonly budget?: Budget
  /** Use GETNEXT, one row at a time, even if the agent supports GETBULK. */
  readonly getNext?: boolean
}

const MAX_ROWS = 100_000
/**
 * max-repetitions of the first request for a column of unknown length: most small tables fit, an absent one costs
 * little.
 */
const FIRST_REPETITIONS = 16

/** Walks one column. Throws SnmpError `invalid` for an invalid OID; network errors are outcomes. */
export function walkColumn(session: Caller, oid: string, options: WalkOptions): Promise<WalkOutcome> {
  const root = callerOid(oid)
  return new Promise((resolve) => session.run(new Walk(session, root, options, resolve)))
}

/** Walks columns of a table: see `Session.walkColumns`. With `expectedRows` all columns are read in parallel. */
export async function walkColumns<T extends MibTable>(
  session: Caller,
  table: T,
  columns: readonly (keyof T['columns'] & string)[],
  options: WalkOptions,
): Promise<Map<keyof T['columns'] & string, WalkOutcome>> {
  const outcomes = new Map<keyof T['columns'] & string, WalkOutcome>()
  const walk = async (name: keyof T['columns'] & string, hints: WalkOptions) => {
    const column = table.columns[name]
    outcomes.set(
      name,
      column === undefined ? UNSUPPORTED : await walkColumn(session, `${table.entry}.${column.id}`, hints),
    )
  }
  const walkAll = async (names: typeof columns, rows: number) => {
    const oids = names.map((name) => `${table.entry}.${table.columns[name]?.id}`)
    const packed = await walkPacked(session, oids, rows)
    names.forEach((name, i) => {
      const cells = packed.get(oids[i] ?? '')
      if (cells !== undefined) outcomes.set(name, cells.size === 0 ? UNSUPPORTED : { kind: 'complete', cells })
    })
    const left = names.filter((name) => !outcomes.has(name))
    await Promise.all(left.map((name) => walk(name, { ...options, expectedRows: rows })))
  }
  const [first, ...rest] = columns
  if (first === undefined) return outcomes
  if (session.profile.unordered) return await walkWhole(session, table, columns, options)
  if (options.expectedRows !== undefined) await walkAll(columns, options.expectedRows)
  else {
    await walk(first, options)
    const outcome = outcomes.get(first) ?? UNSUPPORTED
    const rows = outcome.kind === 'unsupported' ? 0 : outcome.cells.size
    if (rows === 0) for (const name of rest) outcomes.set(name, outcome)
    else await walkAll(rest, rows)
  }
  // columns of an agent that turned out to be unordered may have ended at the first row
  if (session.profile.unordered) return await walkWhole(session, table, columns, options)
  // in the order of `columns`, not of arrival
  return new Map(columns.map((name) => [name, outcomes.get(name) ?? UNSUPPORTED]))
}

/** Reads a table of an agent whose OIDs do not increase: everything below its entry, in whatever order. */
async function walkWhole<T extends MibTable>(
  session: Caller,
  table: T,
  columns: readonly (keyof T['columns'] & string)[],
  { expectedRows: _, ...options }: WalkOptions,
): Promise<Map<keyof T['columns'] & string, WalkOutcome>> {
  const whole = await walkColumn(session, table.entry, options)
  const cells = whole.kind !== 'unsupported' && whole.cells instanceof CellStore ? cellsByColumn(whole.cells) : null
  return new Map(
    columns.map((name) => {
      const own = cells?.get(table.columns[name]?.id ?? 0) ?? new CellStore()
      if (whole.kind === 'truncated') return [name, { ...whole, cells: own }]
      return [name, own.size === 0 ? UNSUPPORTED : { kind: 'complete', cells: own }]
    }),
  )
}

const UNSUPPORTED: WalkOutcome = { kind: 'unsupported' }

class Walk implements Source {
  private readonly cells = new CellStore()
  /** Indexes of the cells, once an OID was not larger than the one before it; null: they all were. */
  private seen: Set<string> | null = null
  private last: Uint8Array
  private repetitions: number
  private waiting = false
  private ended = false
  /** The rest is read with GETNEXT, because GETBULK had no usable response. */
  private nextOnly = false
  /** What GETBULK had instead, until GETNEXT has shown whether GETBULK is to blame. */
  private doubt: BulkRefusal | null = null

  constructor(
    private readonly session: Caller,
    private readonly root: Uint8Array,
    private readonly options: WalkOptions,
    private readonly done: (outcome: WalkOutcome) => void,
  ) {
    this.last = root
    this.repetitions = this.allowed(options.expectedRows === undefined ? FIRST_REPETITIONS : options.expectedRows + 1)
  }

  private get bulk(): boolean {
    return this.options.getNext !== true && !this.nextOnly && usesBulk(this.session)
  }

  private allowed(repetitions: number): number {
    const { profile, options } = this.session
    const limit = options.maxRepetitions ?? 0
    return Math.max(1, Math.min(repetitions, maxRepetitionsOf(profile), limit > 0 ? limit : repetitions))
  }

  next(): boolean {
    if (this.waiting || this.ended) return false
    const over = this.options.budget?.over ?? null
    if (over !== null) {
      this.end(over)
      return false
    }
    this.waiting = true
    const { bulk } = this
    const asked = bulk ? this.repetitions : 1
    // a try may have had no response because it asked for more than the path carries
    const maxRepetitions = (attempt: number) => (bulk ? Math.max(1, asked >> Math.max(0, attempt - 1)) : 0)
    this.session.send({
      type: bulk ? PDU.GetBulkRequest : PDU.GetNextRequest,
      nonRepeaters: 0,
      maxRepetitions,
      varbinds: (writer) => writer.requestVarbind(this.last, -1),
      answered: (pdu, octets, attempt) => {
        this.waiting = false
        this.options.budget?.spend(octets)
        if (pdu.errorStatus !== 0) this.degrade(pdu, bulk)
        else if (!bulk || this.trusted(pdu)) this.take(pdu, octets, Math.max(1, maxRepetitions(attempt)), attempt)
      },
      failed: (failure) => this.unanswered(failure, bulk),
    })
    return true
  }

  private unanswered(failure: Failure, bulk: boolean): void {
    this.waiting = false
    if (bulk && mayBeBulk(this.session, failure)) this.distrust('timeout')
    else {
      if (this.doubt === 'timeout' && failure.kind === 'timeout') this.session.profile.nextSilent = true
      this.abort(failure)
    }
  }

  private distrust(refusal: BulkRefusal): void {
    this.doubt = refusal
    this.nextOnly = true
  }

  /** GETNEXT has read an object after GETBULK did not. */
  private blame(): void {
    if (this.doubt !== null) bulkFailed(this.session.profile, this.doubt)
    this.doubt = null
  }

  /** False if a response to GETBULK has to be confirmed with GETNEXT: some agents without GETBULK do answer it. */
  private trusted(pdu: PduView): boolean {
    const { profile } = this.session
    if (pdu.count > 0 && profile.bulkWorks) return true
    const { last } = this
    const start = pdu.oidStart[0] ?? 0
    const end = pdu.oidEnd[0] ?? 0
    if (isEmpty(pdu, 0) || compareOid(pdu.bytes, start, end, last, 0, last.length) <= 0) {
      this.distrust('empty')
      return false
    }
    bulkWorked(profile)
    return true
  }

  private degrade(pdu: PduView, bulk: boolean): void {
    const { status } = pdu
    // v1 has no endOfMibView (RFC 1157 §4.1.3)
    if (!bulk && status === 'noSuchName') {
      this.end(null)
      return
    }
    const reason = status === 'tooBig' ? 'tooBig' : 'genErr'
    if (!bulk) this.end(reason)
    else if (this.repetitions <= 1) this.distrust(status)
    else if (reason === 'tooBig') {
      lowerResponse(this.session.profile, this.session.profile.responseOctets / 2)
      this.repetitions >>= 1
    }
    // the rows before the one that causes the error can still be read one at a time
    else this.repetitions = 1
  }

  private take(pdu: PduView, octets: number, asked: number, attempt: number): void {
    const { root, cells } = this
    const limit = this.options.maxRows ?? this.options.budget?.limits.maxRows ?? MAX_ROWS
    if (pdu.count > 0 && !isUnder(root, pdu.bytes, pdu.oidStart[0] ?? 0, pdu.oidEnd[0] ?? 0))
      unpadded(this.session.profile, pdu)
    let from = this.last
    let fromStart = 0
    let fromEnd = from.length
    for (let i = 0; i < pdu.count; i++) {
      const start = pdu.oidStart[i] ?? 0
      const end = pdu.oidEnd[i] ?? 0
      const absent = (pdu.tag[i] ?? 0) >= 0x80
      if (i === 0 && !absent) this.blame()
      const isBack = !absent && compareOid(pdu.bytes, start, end, from, fromStart, fromEnd) <= 0
      if (absent || !isUnder(root, pdu.bytes, start, end)) {
        const isElsewhere = isBack && !isBeginning(pdu.bytes, start, end)
        if (isElsewhere) this.session.profile.unordered = true
        this.end(isElsewhere ? 'notIncreasing' : null)
        return
      }
      if ((isBack || this.seen !== null) && this.isSeen(pdu, i)) {
        this.end('notIncreasing')
        return
      }
      if (cells.size >= limit) {
        this.end('limit')
        return
      }
      cells.add(pdu, i, root.length)
      from = pdu.bytes
      fromStart = start
      fromEnd = end
    }
    if (pdu.count === 0) {
      this.end('genErr')
      return
    }
    this.last = from.slice(fromStart, fromEnd)
    this.learn(pdu.count, octets, asked, attempt)
  }

  /** Whether there is a cell with the OID of varbind `i`; if not, it is remembered. */
  private isSeen(pdu: PduView, i: number): boolean {
    const index = formatIndex(pdu.bytes, (pdu.oidStart[i] ?? 0) + this.root.length, pdu.oidEnd[i] ?? 0).slice(1)
    this.seen ??= new Set(['', ...this.cells.keys()])
    if (this.seen.has(index)) return true
    this.seen.add(index)
    this.session.profile.unordered = true
    return false
  }

  /** Sets max-repetitions of the next request from the size of this response. */
  private learn(count: number, octets: number, asked: number, attempt: number): void {
    const { profile, target, family } = this.session
    if (attempt >= 2) {
      lowerResponse(profile, octets * 1.1)
      profile.repetitionCap = asked
    } else if (count < asked) learnCut(profile, count, octets)
    else bulkAnswered(profile, family)
    const overhead = MESSAGE_OCTETS[target.snmpver]
    const perCell = Math.max(8, (octets - overhead) / count)
    const fitting = Math.floor((profile.responseOctets - overhead) / perCell)
    this.repetitions = this.allowed(Math.min(Math.max(1, fitting), count * 4))
  }

  private end(reason: TruncationReason | null): void {
    if (this.ended) return
    this.ended = true
    this.session.finish(this)
    const cells = this.seen === null ? this.cells : sortedCells(this.cells)
    if (reason !== null) this.done({ kind: 'truncated', cells, reason })
    else this.done(cells.size === 0 ? UNSUPPORTED : { kind: 'complete', cells })
  }

  abort(failure: Failure): void {
    this.end(failure.kind === 'requestTooBig' ? 'tooBig' : failure.kind)
  }
}
