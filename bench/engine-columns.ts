import type { BerWriter } from '@portlight/snmp/ber.ts'
import type { Caller, Failure, Source } from '@portlight/snmp/call.ts'
import { PDU, type PduView } from '@portlight/snmp/pdu.ts'
import type { RowPlan, RowSink } from '@portlight/snmp/row-sink.ts'

const SYS_UP_TIME_OBJECT = Uint8Array.of(0x2b, 6, 1, 2, 1, 1, 3)

/**
 * The alternative to `fetchRows`: one GETBULK per column for all rows and one more, with sysUpTime.0 in each. A row has
 * only the time of one column, ifHCInOctets, so the rates of the other columns are slightly wrong.
 */
export function fetchColumns(
  session: Caller,
  plan: RowPlan,
  sink: RowSink,
): Promise<{ kind: 'complete' | 'partial'; requests: number; varbinds: number }> {
  const pending = plan.columns.map((_, column) => ({ column, after: -1 }))
  let inFlight = 0
  let requests = 0
  let varbinds = 0
  let failed = false
  sink.clear(plan.indexes.length)
  return new Promise((resolve) => {
    const settle = () => {
      inFlight--
      if (inFlight > 0 || (pending.length > 0 && !failed)) return
      session.finish(source)
      resolve({ kind: failed ? 'partial' : 'complete', requests, varbinds })
    }
    const take = (pdu: PduView, column: number, after: number) => {
      varbinds += pdu.count
      const oid = plan.columns[column] ?? SYS_UP_TIME_OBJECT
      const ticks = pdu.load(0) ? pdu.low : 0
      let last = after
      for (let i = 1; i < pdu.count; i++) {
        const start = pdu.oidStart[i] ?? 0
        for (let k = 0; k < oid.length; k++) if (pdu.bytes[start + k] !== oid[k]) return
        let index = 0
        for (let at = start + oid.length; at < (pdu.oidEnd[i] ?? 0); at++)
          index = index * 128 + ((pdu.bytes[at] ?? 0) & 0x7f)
        last = index
        const row = index - 1
        if (row >= plan.indexes.length) return
        if (!pdu.load(i)) continue
        const cell = 2 * (column * sink.capacity + row)
        sink.words[cell] = pdu.low
        sink.words[cell + 1] = pdu.high
        sink.present[row] = (sink.present[row] ?? 0) | (1 << column)
        if (column === 7) sink.ticks[row] = ticks
      }
      pending.push({ column, after: last })
    }
    const source: Source = {
      next: () => {
        const work = pending.pop()
        if (work === undefined || failed) return false
        inFlight++
        requests++
        session.send({
          type: PDU.GetBulkRequest,
          nonRepeaters: 1,
          maxRepetitions: () => plan.indexes.length + 1 - Math.max(0, work.after),
          varbinds: (writer: BerWriter) => {
            writer.requestVarbind(plan.columns[work.column] ?? SYS_UP_TIME_OBJECT, work.after)
            writer.requestVarbind(SYS_UP_TIME_OBJECT, -1)
          },
          answered: (pdu) => {
            take(pdu, work.column, work.after)
            settle()
          },
          failed: (_failure: Failure) => {
            failed = true
            settle()
          },
        })
        return true
      },
      abort: () => {
        failed = true
        settle()
      },
    }
    session.run(source)
  })
}
