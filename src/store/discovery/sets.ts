import { isStored, type Observation, type SetObservation, type StoredObservation } from '../../modules/observation.ts'

/** Kinds of observations that are stored as sets of rows. */
export type SetKind = Exclude<StoredObservation['kind'], 'system'>

/** The rows of each kind that was observed. */
export type Sets = {
  [K in SetKind]?: { complete: boolean; rows: Extract<Observation, SetObservation<K, unknown>>['rows'][number][] }
}

/** Merges the observations into one set per kind. */
export function merged(observations: readonly Observation[]): Sets {
  const sets: Partial<Record<SetKind, { complete: boolean; rows: unknown[] }>> = {}
  for (const observation of observations) {
    if (observation.kind === 'system' || !isStored(observation)) continue
    const set = sets[observation.kind]
    if (set === undefined) sets[observation.kind] = { complete: observation.complete, rows: [...observation.rows] }
    else {
      set.complete &&= observation.complete
      set.rows.push(...observation.rows)
    }
  }
  // Rows of a kind come only from observations of that kind.
  return sets as Sets
}
