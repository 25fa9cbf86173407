import type { Observation } from '../observation.ts'
import { LOADED_MODULE } from './discover.ts'

/** Setting `definitions.prefer`: whose rows stay where both found the same. */
export type Preference = 'own' | 'loaded'

/** What one module observed. */
export interface Observed {
  readonly module: string
  readonly observations: readonly Observation[]
}

type Kind = 'sensors' | 'processors' | 'mempools' | 'storage'
type Set_ = Extract<Observation, { kind: Kind }>

/** Modules that read what every agent may have; a definition of the OS, ours or loaded, comes before them. */
const GENERAL: ReadonlySet<string> = new Set(['processors', 'mempools', 'storage'])

/**
 * The observations of a run in which what a loaded definition and our modules found does not double. Sensors are joined
 * one by one: of two with one class that read one object the preferred stays. Of processors, memory and storage one
 * source stays as a whole: the preferred definition that found any, then the other, then the general MIBs.
 */
export function merged(runs: readonly Observed[], prefer: Preference): readonly Observation[] {
  const loaded = runs.find(({ module }) => module === LOADED_MODULE)?.observations ?? []
  if (loaded.length === 0) return runs.flatMap(({ observations }) => observations)
  const drop = new Set<Observation>()
  for (const kind of ['processors', 'mempools', 'storage'] as const) {
    const own = runs.filter(({ module }) => module !== LOADED_MODULE)
    const of = (list: readonly Observed[]) =>
      list.flatMap(({ observations }) => observations.filter((o) => o.kind === kind))
    const theirs = loaded.filter((o) => o.kind === kind)
    const special = of(own.filter(({ module }) => !GENERAL.has(module)))
    const general = of(own.filter(({ module }) => GENERAL.has(module)))
    const order = prefer === 'own' ? [special, theirs] : [theirs, special]
    const winner = order.find((list) => list.some(hasRows))
    if (winner === undefined) continue
    // filesystems are there beside what a definition calls storage: pools, volumes, disks
    const rest = kind === 'storage' ? [] : general
    for (const o of [...special, ...theirs, ...rest]) if (!winner.includes(o)) drop.add(o)
  }
  return withoutDoubles(
    runs.map(({ module, observations }) => ({ module, observations: observations.filter((o) => !drop.has(o)) })),
    prefer,
  )
}

function hasRows(observation: Observation): boolean {
  return 'rows' in observation && observation.rows.length > 0
}

function withoutDoubles(runs: readonly Observed[], prefer: Preference): readonly Observation[] {
  const first = runs.filter(({ module }) => (module === LOADED_MODULE) === (prefer === 'loaded'))
  const taken = new Set<string>()
  for (const { observations } of first) {
    for (const o of observations)
      if (o.kind === 'sensors') for (const row of o.rows) for (const key of keysOf(row)) taken.add(key)
  }
  return runs.flatMap((run) =>
    first.includes(run)
      ? run.observations
      : run.observations.map((o) =>
          o.kind === 'sensors' ? { ...o, rows: o.rows.filter((row) => !keysOf(row).some((key) => taken.has(key))) } : o,
        ),
  )
}

type Sensor = Extract<Set_, { kind: 'sensors' }>['rows'][number]

/** A sensor is another's double if both have a class and read one object, or have one natural key. */
function keysOf(row: Sensor): readonly string[] {
  return [`${row.sensor_class} ${row.sensor_oid}`, `${row.sensor_class} ${row.sensor_type} ${row.sensor_index}`]
}
