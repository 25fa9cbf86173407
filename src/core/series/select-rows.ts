import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { NARROW_NAMES } from '../../series/kinds.ts'
import type { BatchClaims, PortSamples, SampleBatch, SeriesRows } from '../../series/samples.ts'

/** Decides about a row of a batch by its instant (epoch ms) and the position of its claim (-1: no claims). */
export type Keep = (time: number, claim: number) => boolean

/** The rows of all lists of a batch that `keep` accepts, with their claims. */
export function selectRows(batch: SampleBatch, keep: Keep): SampleBatch {
  const { ports, portState, polls, refusedPairs = [], claims } = batch
  const kept = <T extends { readonly time: number }>(
    rows: readonly T[],
    own: readonly number[] | undefined,
  ): number[] => rows.flatMap((row, i) => (keep(row.time, own?.[i] ?? -1) ? [i] : []))
  const portRows = Array.from({ length: ports.length }, (_, i) => i).filter((i) =>
    keep(ports.time[i] as number, claims?.ports[i] ?? -1),
  )
  const states = kept(portState, claims?.portState)
  const pairs = kept(refusedPairs, claims?.refusedPairs)
  const polled = kept(polls, claims?.polls)
  const series: Partial<Record<(typeof NARROW_NAMES)[number], SeriesRows>> = {}
  const seriesClaims: Partial<Record<(typeof NARROW_NAMES)[number], readonly number[]>> = {}
  for (const name of NARROW_NAMES) {
    const rows = batch.series[name]
    if (rows === undefined) continue
    const own = claims?.series[name]
    const left = rows.time.flatMap((time, i) => (keep(time, own?.[i] ?? -1) ? [i] : []))
    series[name] = rowsAt(rows, left)
    if (own !== undefined) seriesClaims[name] = at(own, left)
  }
  const left: BatchClaims | undefined = claims && {
    held: claims.held,
    ports: Int32Array.from(portRows, (r) => claims.ports[r] as number),
    portState: at(claims.portState, states),
    refusedPairs: at(claims.refusedPairs, pairs),
    polls: at(claims.polls, polled),
    series: seriesClaims,
  }
  return {
    ports: portsAt(ports, portRows),
    portState: at(portState, states),
    refusedPairs: at(refusedPairs, pairs),
    polls: at(polls, polled),
    series,
    ...(left !== undefined && { claims: left }),
  }
}

const at = <T>(cells: readonly T[], rows: readonly number[]): T[] => rows.map((r) => cells[r] as T)

/** These rows of a kind's samples. */
export function rowsAt({ time, id, periodMs, values }: SeriesRows, rows: readonly number[]): SeriesRows {
  return {
    time: at(time, rows),
    id: at(id, rows),
    periodMs: at(periodMs, rows),
    values: values.map((cells) => at(cells, rows)),
  }
}

/** These rows of port samples, in arrays of their length. */
export function portsAt(ports: PortSamples, rows: readonly number[]): PortSamples {
  const deltas = new Float64Array(rows.length * PORT_COUNTERS.length)
  for (let c = 0; c < PORT_COUNTERS.length; c++) {
    rows.forEach((r, i) => {
      deltas[c * rows.length + i] = ports.deltas[c * ports.capacity + r] as number
    })
  }
  return {
    length: rows.length,
    capacity: rows.length,
    time: Float64Array.from(rows, (r) => ports.time[r] as number),
    portId: Int32Array.from(rows, (r) => ports.portId[r] as number),
    periodMs: Int32Array.from(rows, (r) => ports.periodMs[r] as number),
    deltas,
  }
}
