import { isStored, type Observation, type SetObservation, type StoredObservation } from '../../modules/observation.ts'

/** Kinds of observations that are stored as sets of rows. */
export type SetKind = Exclude<StoredObservation['kind'], 'system'>

interface OneSet {
  complete: boolean
  rows: unknown[]
  /** See SetObservation. */
  malformed?: readonly string[]
}

/** The rows of each kind that was observed. */
export type Sets = {
  [K in SetKind]?: Pick<OneSet, 'complete' | 'malformed'> & {
    rows: Extract<Observation, SetObservation<K, unknown>>['rows'][number][]
  }
}

/** Merges the observations into one set per kind. */
export function merged(observations: readonly Observation[]): Sets {
  const sets: Partial<Record<SetKind, OneSet>> = {}
  for (const observation of observations) {
    if (observation.kind === 'system' || !isStored(observation)) continue
    const set = sets[observation.kind]
    const { complete, rows, malformed } = observation
    if (set === undefined) sets[observation.kind] = { complete, rows: [...rows], ...(malformed && { malformed }) }
    else {
      set.complete &&= complete
      set.rows.push(...rows)
      if (malformed !== undefined) set.malformed = [...(set.malformed ?? []), ...malformed]
    }
  }
  // Rows of a kind come only from observations of that kind.
  return sets as Sets
}
