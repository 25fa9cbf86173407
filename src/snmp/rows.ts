import { encodeOid } from '../lib/oid.ts'
import { type BerWriter, TAG } from './ber.ts'
import type { Caller, Failure, Source } from './call.ts'
import { SnmpError } from './errors.ts'
import { type ErrorStatus, PDU, type PduView } from './pdu.ts'
import { bulkAnswered, learnCut, lowerResponse, MESSAGE_OCTETS } from './profile.ts'
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

const SYS_UP_TIME = encodeOid('1.3.6.1.2.1.1.3.0')
/** Its predecessor, for GETNEXT. */
const SYS_UP_TIME_OBJECT = encodeOid('1.3.6.1.2.1.1.3')

/** Past every index. */
const ENDED = 0x7fff_ffff
/** Octets of a cell besides its OID before any was seen: four header pairs less one, and a counter. */
const GUESSED_VALUE_OCTETS = 11

/** Rows [start, end) and columns [from, to) to be asked for in one request. */
interface Slice {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
  /** Begin at the first row instead of behind the row before the slice, where unknown rows may be. */
  readonly tight: boolean
}

class RowFetch implements Source {
  private readonly pending: Slice[]
  private inFlight = 0
  private requests = 0
  private varbinds = 0
  private ticks: number | null = null
  private failure: RowsOutcome['failure'] = null
  private readonly newIndexes = new Set<number>()
  /** Rows that a slice may have, lowered by this fetch. */
  private rowLimit = 127
  /** No row of a column comes after this index. */
  private readonly columnEnd: Int32Array
  /** Per column of the response at hand: last index seen; where in the slice. */
  private readonly passed: Int32Array
  private readonly rowAt: Int32Array
  private readonly active: Int32Array
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
    this.columnEnd = new Int32Array(n).fill(ENDED)
    this.passed = new Int32Array(n)
    this.rowAt = new Int32Array(n)
    this.active = new Int32Array(n)
  }

  private get bulk(): boolean {
    return this.session.target.snmpver !== 'v1'
  }

  next(): boolean {
    while (this.failure === null) {
      const slice = this.takeSlice()
      if (slice === null) return false
      if (this.isActive(slice)) {
        this.ask(slice)
        return true
      }
      // every column has ended before these rows
      this.settle(slice, slice.end)
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
    rows = Math.min(rows, this.rowLimit, profile.repetitionCap)
    if (options.maxRepetitions !== undefined && options.maxRepetitions > 0)
      rows = Math.min(rows, options.maxRepetitions)
    if (!this.bulk) rows = Math.min(rows, Math.floor(profile.getCap / columns))
    return Math.max(1, rows)
  }

  /** Index behind which the slice's first request begins; -1: at the column itself. */
  private startIndex(slice: Slice): number {
    const { indexes } = this.plan
    if (slice.tight) return (indexes[slice.start] ?? 0) - 1
    return slice.start === 0 ? -1 : (indexes[slice.start - 1] ?? 0)
  }

  /** Lists the slice's columns that may have rows; false when none has. */
  private listActive(slice: Slice, active: Int32Array): number {
    const start = this.startIndex(slice)
    let count = 0
    for (let c = slice.from; c < slice.to; c++) if ((this.columnEnd[c] ?? 0) > start) active[count++] = c
    return count
  }

  private isActive(slice: Slice): boolean {
    return this.listActive(slice, this.active) > 0
  }

  private ask(slice: Slice): void {
    const { plan, session } = this
    const rows = slice.end - slice.start
    const active = this.active.slice(0, this.listActive(slice, this.active))
    const askedRows = (attempt: number) => Math.max(1, rows >> Math.max(0, attempt - 1))
    this.inFlight++
    this.requests++
    const answer =
      (handle: (pdu: PduView, octets: number, attempt: number) => void) =>
      (pdu: PduView, octets: number, attempt: number) => {
        this.inFlight--
        this.varbinds += pdu.count
        if (pdu.errorStatus === 0) handle(pdu, octets, attempt)
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
      const start = this.startIndex(slice)
      session.send({
        type: PDU.GetBulkRequest,
        first: 1,
        second: askedRows,
        varbinds: (writer) => {
          for (let i = active.length - 1; i >= 0; i--) writeColumn(writer, plan, active[i] ?? 0, start)
          writer.requestVarbind(SYS_UP_TIME_OBJECT, -1)
        },
        answered: answer((pdu, octets, attempt) =>
          this.takeBulk(slice, active, pdu, octets, askedRows(attempt), attempt),
        ),
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
      answered: answer((pdu, octets) => this.takeNext(slice, active, pdu, octets)),
      failed,
    })
  }

  /** Reads the non-repeater; 0 when the agent has no sysUpTime. */
  private readTicks(pdu: PduView): number {
    const start = pdu.oidStart[0] ?? 0
    if (pdu.count === 0 || (pdu.oidEnd[0] ?? 0) - start !== SYS_UP_TIME.length) return 0
    for (let i = 0; i < SYS_UP_TIME.length; i++) if (pdu.bytes[start + i] !== SYS_UP_TIME[i]) return 0
    if (!pdu.load(0)) return 0
    this.ticks = pdu.low
    return pdu.low
  }

  private takeBulk(
    slice: Slice,
    active: Int32Array,
    pdu: PduView,
    octets: number,
    asked: number,
    attempt: number,
  ): void {
    const { passed, rowAt } = this
    const { indexes } = this.plan
    const ticks = this.readTicks(pdu)
    const start = this.startIndex(slice)
    const columns = active.length
    for (let k = 0; k < columns; k++) {
      passed[k] = start
      rowAt[k] = slice.start
    }
    let k = 0
    for (let i = 1; i < pdu.count; i++) {
      const column = active[k] ?? 0
      const before = passed[k] ?? 0
      if (before !== ENDED) {
        const index = this.indexOf(pdu, i, column)
        if (index < 0) {
          this.columnEnd[column] = Math.min(this.columnEnd[column] ?? 0, before)
          passed[k] = ENDED
        } else if (index <= before) {
          this.failure ??= { kind: 'notIncreasing' }
          this.closeRows(slice, slice.start, 0)
          return
        } else {
          passed[k] = index
          let row = rowAt[k] ?? 0
          while (row < slice.end && (indexes[row] ?? 0) < index) row++
          if (row < slice.end && indexes[row] === index) this.store(pdu, i, column, row++)
          else this.noteUnknown(index)
          rowAt[k] = row
        }
      }
      if (++k === columns) k = 0
    }
    let least = ENDED
    for (let c = 0; c < columns; c++) least = Math.min(least, passed[c] ?? 0)
    let end = slice.start
    while (end < slice.end && (indexes[end] ?? 0) <= least) end++
    this.closeRows(slice, end, ticks)
    this.learn(pdu.count, octets, columns, asked, attempt)
    if (end < slice.end) this.askAgain(slice, end)
  }

  /** The index of varbind `i` if it belongs to the column; -1 when the column has ended. */
  private indexOf(pdu: PduView, i: number, column: number): number {
    const oid = this.plan.columns[column]
    const { bytes } = pdu
    const start = pdu.oidStart[i] ?? 0
    const end = pdu.oidEnd[i] ?? 0
    if (oid === undefined || (pdu.tag[i] ?? 0) >= 0x80) return -1
    const size = oid.length
    if (end - start <= size) return -1
    for (let at = size - 1; at >= 0; at--) if (bytes[start + at] !== oid[at]) return -1
    let index = 0
    for (let at = start + size; at < end; at++) {
      const octet = bytes[at] ?? 0
      index = index * 128 + (octet & 0x7f)
      // an index of more sub-identifiers is not of this kind of table
      if (octet < 0x80 && at !== end - 1) return -1
    }
    return index < ENDED ? index : -1
  }

  private store(pdu: PduView, i: number, column: number, row: number): void {
    const { sink } = this
    if (pdu.load(i)) {
      const at = 2 * (column * sink.capacity + row)
      sink.words[at] = pdu.low
      sink.words[at + 1] = pdu.high
    } else if (pdu.tag[i] === TAG.OctetString) {
      sink.onOctets?.(column, row, pdu.bytes, pdu.valueStart[i] ?? 0, pdu.valueEnd[i] ?? 0)
    } else return
    sink.present[row] = (sink.present[row] ?? 0) | (1 << column)
  }

  /** Notes an index that is not in the plan. */
  private noteUnknown(index: number): void {
    const { indexes } = this.plan
    let low = 0
    let high = indexes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((indexes[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    if (indexes[low] !== index) this.newIndexes.add(index)
  }

  /** Rows before `end` are as the response has them; of the rows after it nothing is kept. */
  private closeRows(slice: Slice, end: number, ticks: number): void {
    const { sink } = this
    const mask = maskOf(slice)
    for (let row = slice.start; row < end; row++) {
      // a row whose columns came in several responses has the time of its first columns
      if (slice.from === 0) sink.ticks[row] = ticks
    }
    for (let row = end; row < slice.end; row++) sink.present[row] = (sink.present[row] ?? 0) & ~mask
    this.settle(slice, end)
  }

  private settle(slice: Slice, end: number): void {
    const { settled } = this.sink
    const mask = maskOf(slice)
    for (let row = slice.start; row < end; row++) settled[row] = (settled[row] ?? 0) | mask
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
    } else this.settle(slice, slice.end)
  }

  private refused(slice: Slice, active: Int32Array, pdu: PduView): void {
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
  private endColumn(slice: Slice, active: Int32Array, errorIndex: number): void {
    const at = errorIndex - 2
    const column = active[at % active.length]
    const row = slice.start + Math.floor(at / active.length)
    if (at < 0 || column === undefined || row >= slice.end) {
      this.failure ??= { kind: 'error', status: 'noSuchName' }
      return
    }
    const index = this.plan.indexes[row] ?? 0
    this.columnEnd[column] = Math.min(this.columnEnd[column] ?? 0, index - 1)
    if (this.overLimit()) return
    if (row > slice.start) this.pending.push({ ...slice, start: row, tight: true }, { ...slice, end: row, tight: true })
    else this.pending.push({ ...slice, tight: true })
  }

  private takeNext(slice: Slice, active: Int32Array, pdu: PduView, octets: number): void {
    const { indexes } = this.plan
    const ticks = this.readTicks(pdu)
    const columns = active.length
    const rows = Math.min(slice.end - slice.start, Math.floor((pdu.count - 1) / columns))
    for (let r = 0; r < rows; r++) {
      const row = slice.start + r
      for (let k = 0; k < columns; k++) {
        const i = 1 + r * columns + k
        const column = active[k] ?? 0
        const index = this.indexOf(pdu, i, column)
        if (index === indexes[row]) this.store(pdu, i, column, row)
        else if (index >= 0) this.noteUnknown(index)
      }
    }
    const end = slice.start + Math.max(0, rows)
    this.closeRows(slice, end, ticks)
    this.learn(pdu.count, octets, columns, rows, 0)
    if (end < slice.end) this.askAgain(slice, end)
  }

  /** An agent that gives one cell a time, or rows for ever, is not followed for ever. */
  private overLimit(): boolean {
    if (this.requests < 64 + 4 * this.plan.indexes.length) return false
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
      newIndexes: [...this.newIndexes],
      ticks: this.ticks,
      requests: this.requests,
      varbinds: this.varbinds,
    })
  }
}

function maskOf(slice: Slice): number {
  const width = slice.to - slice.from
  return width === 32 ? -1 : ((1 << width) - 1) << slice.from
}

function writeColumn(writer: BerWriter, plan: RowPlan, column: number, start: number): void {
  const oid = plan.columns[column]
  if (oid !== undefined) writer.requestVarbind(oid, start)
}
