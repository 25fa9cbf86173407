import { type KindName, NARROW_NAMES } from '../../../../series/kinds.ts'
import type { SampleBatch } from '../../../../series/samples.ts'
import { portsAt, rowsAt } from '../../../series/select-rows.ts'

/** When another poller last polled the device that a subject belongs to, epoch ms; null: as far as known, none did. */
export type FloorOf = (kind: KindName, id: number) => number | null

/**
 * The batch without what another poller has already stored: counter deltas that begin before its last poll, and raw
 * counters from before it. What is left out remains unknown, so that nothing is counted twice.
 */
export function withoutEarlier(
  batch: SampleBatch,
  floorOf: FloorOf,
): { readonly batch: SampleBatch; readonly removed: number } {
  const { ports, portState, series } = batch
  const follows = (kind: KindName, id: number, time: number, periodMs: number): boolean => {
    const floor = periodMs > 0 ? floorOf(kind, id) : null
    return floor === null || time - periodMs >= floor
  }
  const portRows = indexes(ports.length).filter((r) =>
    follows('port', ports.portId[r] ?? 0, ports.time[r] ?? 0, ports.periodMs[r] ?? 0),
  )
  let removed = ports.length - portRows.length
  const kept = Object.fromEntries(
    NARROW_NAMES.flatMap((kind) => {
      const rows = series[kind]
      if (rows === undefined) return []
      const left = indexes(rows.id.length).filter((r) =>
        follows(kind, rows.id[r] ?? 0, rows.time[r] ?? 0, rows.periodMs[r] ?? 0),
      )
      removed += rows.id.length - left.length
      return [[kind, left.length === rows.id.length ? rows : rowsAt(rows, left)]]
    }),
  )
  return {
    batch: {
      ...batch,
      ports: portRows.length === ports.length ? ports : portsAt(ports, portRows),
      portState: portState.filter(({ deviceId, time }) => time >= (floorOf('device', deviceId) ?? 0)),
      series: kept,
    },
    removed,
  }
}

function indexes(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}
