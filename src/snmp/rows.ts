import { encodeOid } from '../lib/oid.ts'
import type { BerWriter } from './ber.ts'
import type { Caller, Failure, Source } from './call.ts'
import { SnmpError } from './errors.ts'
import { type ErrorStatus, PDU, type PduView } from './pdu.ts'
import { bulkAnswered, learnCut, lowerResponse, MESSAGE_OCTETS, mostRepetitions } from './profile.ts'
import { RowReader, type Slice } from './row-reader.ts'
import type { RowPlan, RowSink } from './row-sink.ts'

/** How reading the rows ended. */
export interface RowsOutcome {
  /** `partial`: of some rows it is not known what the agent has (`RowSink.settled`). */
  readonly kind: 'complete' | 'partial'
  /** Why, if partial. */
  readonly failure:
    | Failure
    | { readonly kind: 'error'; readonly status: ErrorStatus }
    | { readonly kind: 'limit' | 'notIncreasing' }
    | null
  /** Rows with at least one cell. */
  readonly rows: number
  /** Indexes of the plan that the agent has no cell of. */
  readonly vanished: readonly number[]
  /** Indexes seen that the plan lacks, each once. */
  readonly newIndexes: readonly number[]
  /** sysUpTime of the last response; null: never told. */
  readonly ticks: number | null
  readonly requests: number
  /** Cells and sysUpTimes received, useful or not. */
  readonly varbinds: number
}

/**
 * Reads the columns of the known rows, each row whole in one response together with sysUpTime.0: so that a counter's
 * difference over the ticks' difference is the agent's own rate, exactly.
 *
 * The rows are cut into slices; each slice is one GETBULK (RFC 3416 §4.2.3) with sysUpTime.0 as non-repeater, the
 * columns starting just before its first row, and as many repetitions as rows. How many rows a slice has is learned: it
 * fills a message without fragments, or what the agent gives. Rows that did not fit are asked for again. v1 asks the
 * same by GETNEXT. Slices overlap as far as the session's window allows.
 *
 * `sink` is cleared and filled. Rejects with SnmpError `invalid` when plan and sink do not go together, and never
 * because of the network.
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

/** Octets of a cell besides its OID before any was seen: four header pairs less one, and a counter. */
const GUESSED_VALUE_OCTETS = 11

class RowFetch implements Source {
  private readonly pending: Slice[]
  private inFlight = 0
  private requests = 0
  private varbinds = 0
  private failure: RowsOutcome['failure'] = null
  /** Rows that a slice may have, lowered by this fetch. */
  private rowLimit = 127
  private readonly reader: RowReader
  private done = false

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
    return this.session.target.snmpver !== 'v1' && this.session.profile.quirks.bulk
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
      // every column has ended before these rows
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
    // even slices: 48 rows at 47 a time are better asked as 24 and 24
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
    rows = Math.min(rows, this.rowLimit, mostRepetitions(profile))
    if (options.maxRepetitions !== undefined && options.maxRepetitions > 0)
      rows = Math.min(rows, options.maxRepetitions)
    if (!this.bulk) rows = Math.min(rows, Math.floor(profile.getCap / columns))
    return Math.max(1, rows)
  }

  private ask(slice: Slice, active: readonly number[]): void {
    const { plan, session } = this
    const rows = slice.end - slice.start
    const askedRows = (attempt: number) => Math.max(1, rows >> Math.max(0, attempt - 1))
    this.inFlight++
    this.requests++
    const answered = (pdu: PduView, octets: number, attempt: number) => {
      this.inFlight--
      this.varbinds += pdu.count
      if (pdu.errorStatus === 0) this.take(slice, active, pdu, octets, askedRows(attempt), attempt)
      else this.refused(slice, active, pdu)
      this.finishIfIdle()
    }
    const failed = (failure: Failure) => {
      this.inFlight--
      if (failure.kind === 'requestTooBig') this.degrade(slice, 'tooBig')
      else this.failure ??= failure
      this.finishIfIdle()
    }
    if (this.bulk) {
      const start = this.reader.startIndex(slice)
      session.send({
        type: PDU.GetBulkRequest,
        first: 1,
        second: askedRows,
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
      type: PDU.GetNextRequest,
      first: 0,
      second: () => 0,
      varbinds: (writer, attempt) => {
        for (let r = slice.start + askedRows(attempt) - 1; r >= slice.start; r--) {
          const start = (plan.indexes[r] ?? 0) - 1
          for (let i = active.length - 1; i >= 0; i--) writeColumn(writer, plan, active[i] ?? 0, start)
        }
        writer.requestVarbind(SYS_UP_TIME_OBJECT, -1)
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
  ): void {
    const end = this.bulk ? this.reader.takeBulk(slice, active, pdu) : this.reader.takeNext(slice, active, pdu)
    if (end < 0) {
      this.failure ??= { kind: 'notIncreasing' }
      return
    }
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

  /** Asks for less: half the rows, then half the columns; a single cell that the agent cannot give is absent. */
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
    } else this.reader.settle(slice, slice.end)
  }

  private refused(slice: Slice, active: readonly number[], pdu: PduView): void {
    const { status } = pdu
    if (status === 'tooBig' || status === 'genErr') {
      this.degrade(slice, status)
      return
    }
    if (status === 'noSuchName' && !this.bulk) {
      this.endColumn(slice, active, pdu.errorIndex)
      return
    }
    this.failure ??= { kind: 'error', status }
  }

  /** v1: nothing comes after the varbind that error-index names (RFC 1157 §4.1.3), so its column ends there. */
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

  /** An agent that gives one cell a time, or rows for ever, is not followed for ever. */
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

  /** Hands over the outcome, once. */
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
