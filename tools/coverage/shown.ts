import type { Observation, SensorRow } from '../../src/modules/observation.ts'
import type { Outcome, Rule } from './outcome.ts'

/** What a discovery shows, by the OIDs that are polled for it. */
export interface Shown {
  /** `shown`, `sameObject` if another kind shows the object, `otherSource` if the kind has other rows; null: none of these. */
  rule(kind: Outcome['kind'], oid: string): Rule | null
  /** Whether a sensor of this class, type and index is shown, whichever object it reads. */
  hasKey(row: Keyed): boolean
}

type Keyed = Pick<SensorRow, 'sensor_class' | 'sensor_type' | 'sensor_index'>

function keyOf({ sensor_class, sensor_type, sensor_index }: Keyed): string {
  return `${sensor_class} ${sensor_type} ${sensor_index}`
}

const KINDS = ['sensors', 'wireless', 'processors', 'mempools', 'storage'] as const
/** Kinds of which a whole source is used. */
const WHOLE: ReadonlySet<string> = new Set(['processors', 'mempools', 'storage'])

export function shownOf(observations: readonly Observation[]): Shown {
  const oids = new Map<string, Set<string>>(KINDS.map((kind) => [kind, new Set()]))
  for (const observation of observations) {
    const own = oids.get(observation.kind)
    if (own === undefined || !('rows' in observation)) continue
    for (const row of observation.rows) for (const oid of oidsIn(Object.values(row))) own.add(oid)
  }
  const keys = new Set(observations.flatMap((o) => (o.kind === 'sensors' ? o.rows.map(keyOf) : [])))
  return {
    hasKey: (row) => keys.has(keyOf(row)),
    rule(kind, oid) {
      if (oids.get(kind)?.has(oid) === true) return 'shown'
      if ([...oids.values()].some((own) => own.has(oid))) return 'sameObject'
      return WHOLE.has(kind) && (oids.get(kind)?.size ?? 0) > 0 ? 'otherSource' : null
    },
  }
}

const OID = /^\.?[012](?:\.\d+){6,}$/

/** OIDs among the values of a row; wireless sensors have a JSON list of them. */
function* oidsIn(values: readonly unknown[]): Generator<string, void, void> {
  for (const value of values) {
    if (typeof value !== 'string') continue
    for (const text of value.startsWith('["') ? (JSON.parse(value) as unknown[]) : [value])
      if (typeof text === 'string' && OID.test(text)) yield text.replace(/^\./, '')
  }
}
