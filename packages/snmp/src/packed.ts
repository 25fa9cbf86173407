import { usesBulk } from './bulk.ts'
import { type Caller, callerOid } from './call.ts'
import { getOnce } from './get.ts'
import { leadsBack } from './order.ts'
import { PDU } from './pdu.ts'
import { MESSAGE_OCTETS, maxRepetitionsOf } from './profile.ts'
import type { SnmpValue, Varbind } from './value.ts'

/** Assumed size of a varbind, octets; if they are longer, the agent returns fewer repetitions and nothing is lost. */
const CELL_OCTETS = 36
/** Tables with more rows are walked column by column, because one column fills a request. */
const MAX_ROWS = 9

/**
 * Reads several columns of a short table in one GETBULK: twenty columns of a UPS with one interface fit in two
 * requests. One repetition more than there are rows shows the end of each column. Columns whose end was not seen (more
 * rows, a truncated response, or none) are missing from the result and still have to be walked. A column without cells
 * has an empty map.
 */
export async function walkPacked(
  session: Caller,
  oids: readonly string[],
  rows: number,
): Promise<ReadonlyMap<string, ReadonlyMap<string, SnmpValue>>> {
  const { profile, options, target } = session
  const repetitions = rows + 1
  const limit = options.maxRepetitions ?? 0
  const most = Math.min(maxRepetitionsOf(profile), limit > 0 ? limit : repetitions)
  const room = Math.floor((profile.responseOctets - MESSAGE_OCTETS[target.snmpver]) / (CELL_OCTETS * repetitions))
  const found = new Map<string, ReadonlyMap<string, SnmpValue>>()
  if (!usesBulk(session) || !profile.bulkWorks || rows > MAX_ROWS || repetitions > most || room < 2 || oids.length < 2)
    return found
  for (const oid of oids) callerOid(oid)
  const packs = Array.from({ length: Math.ceil(oids.length / room) }, (_, i) => oids.slice(i * room, (i + 1) * room))
  await Promise.all(
    packs.map(async (pack) => {
      const answer = await getOnce(session, PDU.GetBulkRequest, pack, 0, repetitions)
      if (answer.kind !== 'answer') return
      for (const [i, oid] of pack.entries()) {
        const back = () => {
          profile.unordered = true
        }
        const cells = cellsOf(answer.varbinds, oid, i, pack.length, back)
        if (cells !== null) found.set(oid, cells)
      }
    }),
  )
  return found
}

/** Cells of column `at` of `width`; null: its end is not among the varbinds. `back`: called if it leads to before it. */
function cellsOf(
  varbinds: readonly Varbind[],
  column: string,
  at: number,
  width: number,
  back: () => void,
): ReadonlyMap<string, SnmpValue> | null {
  const cells = new Map<string, SnmpValue>()
  for (let i = at; i < varbinds.length; i += width) {
    const { oid, value } = varbinds[i] as Varbind
    if (value.kind === 'endOfMibView') return cells
    if (!oid.startsWith(`${column}.`)) {
      if (leadsBack(column, oid)) back()
      return cells
    }
    const index = oid.slice(column.length + 1)
    // the same row again: the agent does not advance
    if (cells.has(index)) return null
    cells.set(index, value)
  }
  return null
}
