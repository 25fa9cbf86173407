import type { SensorRow } from '../../modules/observation.ts'
import { type AdjustedValues, clean, int4, text } from './columns.ts'
import { statement, type Tx } from './write-rows.ts'

/** Values of state_generic_value (contract SCHEMA.md). */
const GENERIC = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const

/**
 * The meanings of the values of a set's sensors. Of two meanings of one value, as definitions have them and as two numbers
 * that become the same when they are stored, the first counts.
 */
function translations(name: string, values: NonNullable<SensorRow['states']>['values'], adjusted: AdjustedValues) {
  const known = new Map<number, { name: string; value: number; descr: string; generic: number }>()
  for (const { value, descr, generic } of values) {
    const fit = clean(int4, value, adjusted)
    if (typeof fit !== 'number' || known.has(fit)) continue
    known.set(fit, {
      name,
      value: fit,
      descr: String(clean(text(255), descr, adjusted) ?? ''),
      generic: GENERIC[generic],
    })
  }
  return [...known.values()]
}

/**
 * Stores the meaning of the values of a device's state sensors. State indexes are shared by devices. Unchanged ones are
 * only read, and changed ones are written by name, so concurrent discoveries rarely block and never deadlock.
 */
export async function writeStates(
  tx: Tx,
  deviceId: number,
  rows: readonly SensorRow[],
  adjusted: AdjustedValues,
): Promise<void> {
  const sets = Map.groupBy(new Set(rows.flatMap(({ states }) => states ?? [])), ({ name }) => name)
  if (sets.size === 0) return
  const names = [...sets.keys()].sort()
  // sensors of one set may have been given different values of it
  const values = names.flatMap((name) =>
    translations(name, sets.get(name)?.flatMap(({ values }) => values) ?? [], adjusted),
  )
  const links = new Map(
    rows.flatMap(({ states, sensor_type }) => (states === undefined ? [] : [[sensor_type, states.name]])),
  )
  await statement(
    tx,
    `insert into state_indexes (state_name)
     select name from jsonb_array_elements_text($1::text::jsonb) as given (name)
     where not exists (select from state_indexes where state_name = name) order by name
     on conflict (state_name) do nothing`,
    [JSON.stringify(names)],
  )
  await statement(
    tx,
    `insert into state_translations (state_index_id, state_value, state_descr, state_generic_value)
     select i.state_index_id, g.value, g.descr, g.generic
     from jsonb_to_recordset($1::text::jsonb) as g (name text, value int, descr text, generic smallint)
     join state_indexes i on i.state_name = g.name
     left join state_translations t on t.state_index_id = i.state_index_id and t.state_value = g.value
     where t.state_descr is distinct from g.descr or t.state_generic_value is distinct from g.generic
     order by g.name, g.value
     on conflict (state_index_id, state_value) do update
     set state_descr = excluded.state_descr, state_generic_value = excluded.state_generic_value, state_lastupdated = now()`,
    [JSON.stringify(values)],
  )
  await statement(
    tx,
    `insert into sensors_to_state_indexes (sensor_id, state_index_id)
     select s.sensor_id, i.state_index_id
     from jsonb_each_text($2::text::jsonb) as g (type, name)
     join sensors s on s.device_id = $1 and s.sensor_class = 'state' and s.sensor_type = g.type
     join state_indexes i on i.state_name = g.name
     left join sensors_to_state_indexes l on l.sensor_id = s.sensor_id
     where l.state_index_id is distinct from i.state_index_id
     on conflict (sensor_id) do update set state_index_id = excluded.state_index_id`,
    [deviceId, JSON.stringify(Object.fromEntries(links))],
  )
}
