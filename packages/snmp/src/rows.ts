import type { BerWriter } from './ber.ts'
import { bulkFailed, bulkWorked, isEmpty, mayBeBulk, usesBulk } from './bulk.ts'
import type { Caller, Failure, Source } from './call.ts'
import { SnmpError } from './errors.ts'
import type { SnmpFailure } from './failure.ts'
import { encodeOid } from './oid.ts'
import { type ErrorStatus, PDU, type PduView } from './pdu.ts'
import { type BulkRefusal, bulkAnswered, learnCut, lowerResponse, MESSAGE_OCTETS, maxRepetitionsOf } from './profile.ts'
import { RowReader, type Slice } from './row-reader.ts'
import type { RowPlan, RowSink } from './row-sink.ts'

/** How reading the rows ended. */
export interface RowsOutcome {
  /** `partial`: some cells are not settled (see `RowSink.settled`). */
  readonly kind: 'complete' | 'partial'
  /** The reason, if partial. */
  readonly failure: SnmpFailure | null
  /** Rows with at least one cell. */
  readonly rows: number
  /** Indexes of the plan for which the agent has no cell. */
  readonly vanished: readonly number[]
  /** Indexes seen that are missing from the plan, each once. */
  readonly newIndexes: readonly number[]
  /** sysUpTime of the last response; null: never reported. */
  readonly ticks: number | null
  readonly requests: number
  /** Cells and sysUpTimes received, useful or not. */
  readonly varbinds: number
}

/**
 * Reads the columns of the known rows. Each row arrives in one response together with sysUpTime.0, so counter deltas
 * divided by tick deltas give exact rates.
 *
 * The rows are divided into slices. Each slice is one GETBULK (RFC 3416 §4.2.3) with sysUpTime.0 as non-repeater, the
 * columns starting just before the slice's first row, and as many repetitions as rows. The slice size is learned: as
 * many rows as fit in an unfragmented message, or as the agent returns. Rows that did not fit are requested again. With
 * v1 the same is done with GETNEXT. Slices are requested in parallel as far as the session's window allows.
 *
 * `sink` is cleared and filled. Rejects with SnmpError `invalid` when the plan does not fit in the sink, never because
 * of the network.
 */
export function fetchRows(session: Caller, plan: RowPlan, sink: RowSink): Promise<RowsOutcome> {
  const { columns, indexes } = plan
  if (columns.length === 0 || columns.length > Math.min(32, sink.columns) || indexes.length > sink.capacity) {
    return Promise.reject(new SnmpError('invalid', 'plan exceeds the sink'))
  }
  return new Promise((resolve) => {
    const fetch = new RowFetch(session, plan, sink, resolve)
    if (indexes.length === 0) fetch.finish()
    else session.run(fetch)
  })
}

/** The predecessor of sysUpTime.0. */
const SYS_UP_TIME_OBJECT = encodeOid('1.3.6.1.2.1.1.3')

/** Assumed size of a cell besides its OID until one has been seen, octets: three headers and a counter. */
const GUESSED_VALUE_OCTETS = 11

/** When this many single cells were refused before the first value, no more are requested. */
const MAX_REFUSED_CELLS = 64

class RowFetch implements Source {
  private readonly pending: Slice[]
  private inFlight = 0
  private requests = 0
  private varbinds = 0
  private failure: RowsOutcome['failure'] = null
  /** error-status of the last single cell that was refused, and the number of those refused. */
  private refusal: ErrorStatus | null = null
  private refusedCells = 0
  /** The agent returned at least one cell. */
  private given = false
  /** Maximum rows of a slice, lowered during this fetch. */
  private rowLimit = 127
  private readonly reader: RowReader
  private done = false
  /** The rest is read with GETNEXT, because GETBULK had no usable response. */
  private nextOnly = false
  /** What GETBULK had instead, until GETNEXT has shown whether GETBULK is to blame. */
  private doubt: BulkRefusal | null = null

  constructor(
    private readonly session: Caller,
    private readonly plan: RowPlan,
    private readonly sink: RowSink,
    private readonly resolve: (outcome: RowsOutcome) => void,
  ) {
    const n = plan.columns.length
    sink.clear(plan.indexes.length)
    this.pending = [{ start: 0, end: plan.indexes.length, from: 0, to: n, tight: plan.onlyKnown === true }]
    this.reader = new RowReader(plan, sink)
  }

  private get bulk(): boolean {
    return !this.session.profile.unordered && !this.nextOnly && usesBulk(this.session)
  }

  next(): boolean {
    while (this.failure === null) {
      const slice = this.takeSlice()
      if (slice === null) return false
      const active = this.reader.activeColumns(slice)
      if (active.length > 0) {
        this.ask(slice, active)
        return true
      }
      // all columns end before these rows
      this.reader.settle(slice, slice.end)
      if (this.finishIfIdle()) return true
    }
    return false
  }

  private takeSlice(): Slice | null {
    const slice = this.pending.pop()
    if (slice === undefined) return null
    const rows = slice.end - slice.start
    const most = this.rowsPerRequest(slice.to - slice.from)
    if (rows <= most) return slice
    // slices of equal size: with a limit of 47, 48 rows are read as 24 and 24
    const take = Math.ceil(rows / Math.ceil(rows / most))
    const middle = slice.start + take
    this.pending.push({ ...slice, start: middle, tight: this.plan.onlyKnown === true })
    return { ...slice, end: middle }
  }

  private rowsPerRequest(columns: number): number {
    const { profile, options, target } = this.session
    const overhead = MESSAGE_OCTETS[target.snmpver]
    const cell =
      profile.cellOctets > 0 ? profile.cellOctets : (this.plan.columns[0]?.length ?? 10) + GUESSED_VALUE_OCTETS
    let rows = Math.floor((profile.responseOctets - overhead) / (cell * columns))
    rows = Math.min(rows, this.rowLimit, maxRepetitionsOf(profile))
    if (options.maxRepetitions !== undefined && options.maxRepetitions > 0)
      rows = Math.min(rows, options.maxRepetitions)
    if (!this.bulk) rows = Math.min(rows, Math.floor(profile.getCap / columns))
    return Math.max(1, rows)
  }

  private ask(slice: Slice, active: readonly number[]): void {
    const { plan, session } = this
    const rows = slice.end - slice.start
    const askedRows = (attempt: number) => Math.max(1, rows >> Math.max(0, attempt - 1))
    const { bulk } = this
    const exact = !bulk && session.profile.unordered
    this.inFlight++
    this.requests++
    const answered = (pdu: PduView, octets: number, attempt: number) => {
      this.inFlight--
      this.varbinds += pdu.count
      if (pdu.errorStatus !== 0) this.refused(slice, active, pdu, bulk)
      else if (bulk && !session.profile.bulkWorks && isEmpty(pdu, 1)) this.distrust(slice, 'empty')
      else this.take(slice, active, pdu, octets, askedRows(attempt), attempt, { bulk, exact })
      this.finishIfIdle()
    }
    const failed = (failure: Failure) => {
      this.inFlight--
      if (failure.kind === 'requestTooBig') this.degrade(slice, 'tooBig')
      else if (bulk && (this.nextOnly || mayBeBulk(session, failure))) this.distrust(slice, 'timeout')
      else {
        if (this.doubt === 'timeout' && failure.kind === 'timeout') session.profile.nextSilent = true
        this.failure ??= failure
      }
      this.finishIfIdle()
    }
    if (bulk) {
      const start = this.reader.startIndex(slice)
      session.send({
        type: PDU.GetBulkRequest,
        nonRepeaters: 1,
        maxRepetitions: askedRows,
        varbinds: (writer) => {
          for (let i = active.length - 1; i >= 0; i--) writeColumn(writer, plan, active[i] ?? 0, start)
          writer.requestVarbind(SYS_UP_TIME_OBJECT, -1)
        },
        answered,
        failed,
      })
      return
    }
    session.send({
      type: exact ? PDU.GetRequest : PDU.GetNextRequest,
      nonRepeaters: 0,
      maxRepetitions: () => 0,
      varbinds: (writer, attempt) => {
        for (let r = slice.start + askedRows(attempt) - 1; r >= slice.start; r--) {
          const start = (plan.indexes[r] ?? 0) - (exact ? 0 : 1)
          for (let i = active.length - 1; i >= 0; i--) writeColumn(writer, plan, active[i] ?? 0, start)
        }
        writer.requestVarbind(SYS_UP_TIME_OBJECT, exact ? 0 : -1)
      },
      answered,
      failed,
    })
  }

  private take(
    slice: Slice,
    active: readonly number[],
    pdu: PduView,
    octets: number,
    asked: number,
    attempt: number,
    { bulk, exact }: { readonly bulk: boolean; readonly exact: boolean },
  ): void {
    const { reader } = this
    const end = bulk ? reader.takeBulk(slice, active, pdu) : reader.takeNext(slice, active, pdu, exact)
    if (end < 0 && exact) {
      this.failure ??= { kind: 'notIncreasing' }
      return
    }
    if (end < 0) {
      // each cell can still be read by its own OID
      this.session.profile.unordered = true
      if (!this.overLimit()) this.pending.push(slice)
      return
    }
    if (pdu.count > 1) this.given = true
    if (!isEmpty(pdu, 1)) this.judge(bulk)
    this.learn(pdu.count, octets, active.length, asked, attempt)
    if (end < slice.end) this.askAgain(slice, end)
  }

  private learn(count: number, octets: number, columns: number, asked: number, attempt: number): void {
    const { profile, target, family } = this.session
    if (count > 1) {
      const cell = Math.max(8, (octets - MESSAGE_OCTETS[target.snmpver]) / (count - 1))
      profile.cellOctets = cell > profile.cellOctets ? cell : profile.cellOctets * 0.95 + cell * 0.05
    }
    if (attempt >= 2) {
      lowerResponse(profile, octets * 1.1)
      this.rowLimit = asked
    } else if (count < 1 + columns * asked) learnCut(profile, Math.floor((count - 1) / columns), octets)
    else bulkAnswered(profile, family)
  }

  private askAgain(slice: Slice, end: number): void {
    if (this.overLimit()) return
    if (end > slice.start || !slice.tight) this.pending.push({ ...slice, start: end, tight: true })
    else this.degrade(slice, 'tooBig')
  }

  /** Asks for the slice again with GETNEXT, and for everything after it. */
  private distrust(slice: Slice, refusal: BulkRefusal): void {
    this.doubt ??= refusal
    this.nextOnly = true
    if (!this.overLimit()) this.pending.push(slice)
  }

  /** A response had objects: GETBULK works, or GETNEXT has read what GETBULK did not. */
  private judge(bulk: boolean): void {
    const { profile } = this.session
    if (bulk) bulkWorked(profile)
    else if (this.doubt !== null) {
      bulkFailed(profile, this.doubt)
      this.doubt = null
    }
  }

  /** Requests less at a time: half the rows, then half the columns. */
  private degrade(slice: Slice, status: ErrorStatus): void {
    if (this.overLimit()) return
    const rows = slice.end - slice.start
    const columns = slice.to - slice.from
    if (rows > 1) {
      const middle = slice.start + (rows >> 1)
      if (status === 'tooBig') {
        this.rowLimit = Math.max(1, rows >> 1)
        lowerResponse(this.session.profile, this.session.profile.responseOctets / 2)
      }
      this.pending.push({ ...slice, start: middle, tight: true }, { ...slice, end: middle })
    } else if (columns > 1) {
      const middle = slice.from + (columns >> 1)
      this.pending.push({ ...slice, from: middle, tight: true }, { ...slice, to: middle, tight: true })
    } else this.refuse(slice, status)
  }

  /** A single refused cell counts as absent, unless the agent refuses all of them. */
  private refuse(slice: Slice, status: ErrorStatus): void {
    this.refusal = status
    this.refusedCells++
    if (!this.given && this.refusedCells >= MAX_REFUSED_CELLS) this.failure ??= { kind: 'error', status }
    else this.reader.settle(slice, slice.end)
  }

  private refused(slice: Slice, active: readonly number[], pdu: PduView, bulk: boolean): void {
    const { status } = pdu
    const single = slice.end - slice.start === 1 && slice.to - slice.from === 1
    const mayBeCell = status === 'tooBig' || status === 'genErr'
    if (bulk && (this.nextOnly || !mayBeCell || (single && !this.given))) {
      this.distrust(slice, status)
      return
    }
    if (!bulk && single && this.doubt === status) {
      // GETNEXT cannot read this cell either
      this.doubt = null
      this.nextOnly = false
    }
    // v1: a GET of many cells is refused for one that is not there
    if (mayBeCell || (status === 'noSuchName' && this.session.profile.unordered)) this.degrade(slice, status)
    else if (!bulk && status === 'noSuchName') this.endColumn(slice, active, pdu.errorIndex)
    else this.failure ??= { kind: 'error', status }
  }

  /** v1: nothing follows the varbind at error-index (RFC 1157 §4.1.3), so its column ends there. */
  private endColumn(slice: Slice, active: readonly number[], errorIndex: number): void {
    const at = errorIndex - 2
    const column = active[at % active.length]
    const row = slice.start + Math.floor(at / active.length)
    if (at < 0 || column === undefined || row >= slice.end) {
      this.failure ??= { kind: 'error', status: 'noSuchName' }
      return
    }
    const index = this.plan.indexes[row] ?? 0
    const { columnEnd } = this.reader
    columnEnd[column] = Math.min(columnEnd[column] ?? 0, index - 1)
    if (this.overLimit()) return
    if (row > slice.start) this.pending.push({ ...slice, start: row, tight: true }, { ...slice, end: row, tight: true })
    else this.pending.push({ ...slice, tight: true })
  }

  /** Bounds the number of requests to an agent that returns one cell at a time or endless rows. */
  private overLimit(): boolean {
    const { indexes, columns } = this.plan
    if (this.requests < 64 + 2 * indexes.length * columns.length) return false
    this.failure ??= { kind: 'limit' }
    return true
  }

  abort(failure: Failure): void {
    this.failure ??= failure
    this.finishIfIdle()
  }

  private finishIfIdle(): boolean {
    if (this.inFlight > 0 || (this.pending.length > 0 && this.failure === null)) return false
    this.finish()
    return true
  }

  /** Resolves with the outcome, once. */
  finish(): void {
    if (this.done) return
    this.done = true
    this.session.finish(this)
    const { sink } = this
    const { indexes, columns } = this.plan
    const all = columns.length === 32 ? -1 : (1 << columns.length) - 1
    const vanished: number[] = []
    let rows = 0
    let complete = true
    for (let row = 0; row < indexes.length; row++) {
      if (sink.present[row] !== 0) rows++
      else if (((sink.settled[row] ?? 0) | 0) === all) vanished.push(indexes[row] ?? 0)
      if (((sink.settled[row] ?? 0) | 0) !== all) complete = false
    }
    if (rows === 0 && this.refusal !== null) {
      // a refused cell may still exist
      vanished.length = 0
      complete = false
      this.failure ??= { kind: 'error', status: this.refusal }
    }
    this.resolve({
      kind: complete ? 'complete' : 'partial',
      failure: complete ? null : this.failure,
      rows,
      vanished,
      newIndexes: [...this.reader.newIndexes],
      ticks: this.reader.ticks,
      requests: this.requests,
      varbinds: this.varbinds,
    })
  }
}

function writeColumn(writer: BerWriter, plan: RowPlan, column: number, start: number): void {
  const oid = plan.columns[column]
  if (oid !== undefined) writer.requestVarbind(oid, start)
}
