import { withLimits } from '../guessed-limits.ts'
import type { Observation } from '../observation.ts'
import { LOADED_MODULE } from './discover.ts'

/** Setting `definitions.prefer`: whose rows are kept if both found the same thing. */
export type Preference = 'own' | 'loaded'

/** What one module observed. */
export interface Observed {
  readonly module: string
  readonly observations: readonly Observation[]
}

type MergedKind = 'sensors' | 'processors' | 'mempools' | 'storage'
type Set_ = Extract<Observation, { kind: MergedKind }>

/** Modules that read standard MIBs; a definition of the OS, ours or loaded, takes precedence over them. */
const GENERAL: ReadonlySet<string> = new Set(['processors', 'mempools', 'storage'])

/**
 * The observations of a run without duplicates between definitions and modules. Sensors are merged one by one: of two
 * with the same class that read the same object, the preferred one is kept. For processors, memory and storage a whole
 * source is kept: the loaded definition if it found any, then ours, then the standard MIBs. These kinds have no limits
 * that ours would add, and keeping the loaded rows continues the history that was imported with them.
 */
export function merged(runs: readonly Observed[], prefer: Preference): readonly Observation[] {
  const loaded = runs.find(({ module }) => module === LOADED_MODULE)?.observations ?? []
  const drop = new Set<Observation>()
  for (const kind of ['processors', 'mempools', 'storage'] as const) {
    const own = runs.filter(({ module }) => module !== LOADED_MODULE)
    const of = (list: readonly Observed[]) =>
      list.flatMap(({ observations }) => observations.filter((o) => o.kind === kind))
    const theirs = loaded.filter((o) => o.kind === kind)
    const special = of(own.filter(({ module }) => !GENERAL.has(module)))
    const general = of(own.filter(({ module }) => GENERAL.has(module)))
    const winner = [theirs, special].find((list) => list.some(hasRows))
    if (winner === undefined) continue
    // filesystems are kept alongside what a definition calls storage: pools, volumes, disks
    const rest = kind === 'storage' ? [] : general
    for (const o of [...special, ...theirs, ...rest]) if (!winner.includes(o)) drop.add(o)
  }
  const kept = runs.map(({ module, observations }) => ({
    module,
    observations: observations.filter((o) => !drop.has(o)),
  }))
  return loaded.length === 0 ? kept.flatMap(({ observations }) => observations) : withoutDoubles(kept, prefer)
}

function hasRows(observation: Observation): boolean {
  return 'rows' in observation && observation.rows.length > 0
}

function withoutDoubles(runs: readonly Observed[], prefer: Preference): readonly Observation[] {
  const isFirst = ({ module }: Observed) => (module === LOADED_MODULE) === (prefer === 'loaded')
  const first = sensorsByKey(runs.filter(isFirst))
  const second = sensorsByKey(runs.filter((run) => !isFirst(run)))
  const shared = sharedNames(runs.filter(isFirst))
  return runs.flatMap((run) =>
    run.observations.map((o) => {
      if (o.kind !== 'sensors') return o
      if (!isFirst(run)) return { ...o, rows: o.rows.flatMap((row) => added(row, first, run.module)) }
      if (prefer === 'loaded') return o
      return { ...o, rows: o.rows.map((row) => completed(row, second.get(keysOf(row)[0]), shared)) }
    }),
  )
}

/**
 * A sensor of the other source as it is kept; empty: it is one that the preferred source has. If they share the natural
 * key by chance, because both number their rows, the type tells them apart.
 */
function added(row: Sensor, first: ReadonlyMap<string, Sensor>, module: string): readonly Sensor[] {
  const [object, natural] = keysOf(row)
  if (first.has(object)) return []
  const other = first.get(natural)
  if (other === undefined) return [row]
  if (row.sensor_class === 'state' || row.sensor_descr === other.sensor_descr) return []
  return [{ ...row, sensor_type: `${row.sensor_type}-${module === LOADED_MODULE ? 'loaded' : 'own'}` }]
}

function sensorsByKey(runs: readonly Observed[]): ReadonlyMap<string, Sensor> {
  const found = new Map<string, Sensor>()
  for (const { observations } of runs) {
    for (const o of observations) {
      if (o.kind === 'sensors') for (const row of o.rows) for (const key of keysOf(row)) found.set(key, row)
    }
  }
  return found
}

/** Names (class, type and description) that several sensors share and which therefore do not distinguish them. */
function sharedNames(runs: readonly Observed[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()]
  for (const { observations } of runs)
    for (const o of observations)
      if (o.kind === 'sensors')
        for (const row of o.rows) {
          const name = nameOf(row)
          if (seen.has(name)) shared.add(name)
          seen.add(name)
        }
  return shared
}

function nameOf({ sensor_class, sensor_type, sensor_descr }: Sensor): string {
  return `${sensor_class} ${sensor_type} ${sensor_descr}`
}

/** Our row, completed with the name, limits, group and entity that only theirs has, if both have the same unit. */
function completed(row: Sensor, theirs: Sensor | undefined, shared: ReadonlySet<string>): Sensor {
  if (theirs === undefined) return row
  const factor = ({ sensor_multiplier, sensor_divisor }: Sensor) => sensor_multiplier / sensor_divisor
  if (factor(row) !== factor(theirs)) return row
  const none = { ...row, sensor_limit: null, sensor_limit_low: null }
  const guess = withLimits(none)
  // a limit that the agent reports replaces a guessed one
  const high = row.sensor_limit === guess.sensor_limit ? null : row.sensor_limit
  const low = row.sensor_limit_low === guess.sensor_limit_low ? null : row.sensor_limit_low
  // the name of our sensors for which the agent has none
  const nameless = row.sensor_descr === `${row.sensor_class} ${row.sensor_index}` || shared.has(nameOf(row))
  return {
    ...row,
    sensor_descr: nameless ? theirs.sensor_descr : row.sensor_descr,
    group: row.group ?? theirs.group,
    sensor_limit: high ?? theirs.sensor_limit ?? row.sensor_limit,
    sensor_limit_warn: row.sensor_limit_warn ?? theirs.sensor_limit_warn,
    sensor_limit_low: low ?? theirs.sensor_limit_low ?? row.sensor_limit_low,
    sensor_limit_low_warn: row.sensor_limit_low_warn ?? theirs.sensor_limit_low_warn,
    entPhysicalIndex: row.entPhysicalIndex ?? theirs.entPhysicalIndex,
    entPhysicalIndex_measured: row.entPhysicalIndex_measured ?? theirs.entPhysicalIndex_measured,
  }
}

type Sensor = Extract<Set_, { kind: 'sensors' }>['rows'][number]

/**
 * Two sensors are duplicates if they have the same class and read the same object. With the same natural key they are
 * if they have the same description too, or are states, whose type is the name of a set.
 */
function keysOf(row: Sensor): readonly [string, string] {
  return [`${row.sensor_class} ${row.sensor_oid}`, `${row.sensor_class} ${row.sensor_type} ${row.sensor_index}`]
}
