import { type KindName, NARROW_NAMES } from '../../../../series/kinds.ts'
import type { PortSamples, SampleBatch, SeriesRows } from '../../../../series/samples.ts'
import { portsAt, rowsAt } from '../../../series/select-rows.ts'

type Subjects = Map<KindName, Set<number>>

/** Ids of everything that a batch has samples of, by kind. */
export function subjectsOf({ ports, portState, refusedPairs = [], polls, series }: SampleBatch): Subjects {
  const subjects: Subjects = new Map()
  const add = (kind: KindName, ids: Iterable<number>): void => {
    const set = subjects.get(kind) ?? new Set<number>()
    for (const id of ids) set.add(id)
    subjects.set(kind, set)
  }
  add('port', ports.portId.subarray(0, ports.length))
  for (const state of portState) add('port', state.portId)
  add(
    'port',
    refusedPairs.map(({ portId }) => portId),
  )
  add('device', [...polls.map(({ deviceId }) => deviceId), ...portState.map(({ deviceId }) => deviceId)])
  for (const kind of NARROW_NAMES) add(kind, series[kind]?.id ?? [])
  return subjects
}

/** The batch without these subjects, and the number of rows removed. One foreign port removes a device's counters. */
export function without(
  batch: SampleBatch,
  foreign: ReadonlyMap<KindName, ReadonlySet<number>>,
): { readonly batch: SampleBatch; readonly left: number; readonly removed: number } {
  const none: ReadonlySet<number> = new Set()
  const of = (kind: KindName): ReadonlySet<number> => foreign.get(kind) ?? none
  const [ports, devices] = [of('port'), of('device')]
  const kept: SampleBatch = {
    ports: portsWithout(batch.ports, ports),
    portState: batch.portState.filter(
      ({ deviceId, portId }) => !devices.has(deviceId) && !portId.some((id) => ports.has(id)),
    ),
    refusedPairs: (batch.refusedPairs ?? []).filter(({ portId }) => !ports.has(portId)),
    polls: batch.polls.filter(({ deviceId }) => !devices.has(deviceId)),
    series: Object.fromEntries(
      NARROW_NAMES.flatMap((kind) => {
        const rows = batch.series[kind]
        return rows === undefined ? [] : [[kind, rowsWithout(rows, of(kind))]]
      }),
    ),
  }
  const left = rowCount(kept)
  return { batch: kept, left, removed: rowCount(batch) - left }
}

/** Number of sample rows in a batch. */
export function rowCount({ ports, series }: SampleBatch): number {
  return ports.length + NARROW_NAMES.reduce((rows, kind) => rows + (series[kind]?.id.length ?? 0), 0)
}

function rowsWithout(rows: SeriesRows, foreign: ReadonlySet<number>): SeriesRows {
  return rowsAt(
    rows,
    rows.id.flatMap((id, r) => (foreign.has(id) ? [] : [r])),
  )
}

function portsWithout(ports: PortSamples, foreign: ReadonlySet<number>): PortSamples {
  const rows = Array.from({ length: ports.length }, (_, r) => r).filter((r) => !foreign.has(ports.portId[r] ?? 0))
  return portsAt(ports, rows)
}
