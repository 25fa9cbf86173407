import { type ComponentRow, DISCOVERED_TYPES } from '../../modules/load-balancers/observation.ts'
import type { Event } from './events.ts'
import { counting, type SetOutcome } from './outcome.ts'
import type { Tx } from './write-rows.ts'

interface Stored {
  readonly id: number
  readonly type: string
  readonly label: string | null
  readonly status: number
  readonly error: string | null
  readonly attributes: Readonly<Record<string, string>>
}

/** Attribute that identifies a discovered component. */
const UID = 'UID'
const MAX_TEXT = 255

/**
 * Synchronises the discovered components of a device. Leaves other types, attributes set by others, `ignore` and
 * `disabled` unchanged. Changes of status go to the status log and the event log.
 */
export async function syncComponents(
  tx: Tx,
  deviceId: number,
  rows: readonly ComponentRow[],
  complete: boolean,
): Promise<SetOutcome> {
  const stored = await tx<Stored[]>`
    select c.id, c.type, c.label, c.status, c.error,
      coalesce((select json_object_agg(a.attribute, a.value) from component_prefs a where a.component = c.id), '{}') as attributes
    from component c where c.device_id = ${deviceId} and c.type = any(${[...DISCOVERED_TYPES]}) order by c.id`
  const left = new Map<string, Stored>(
    stored.flatMap((row) =>
      row.attributes[UID] === undefined ? [] : [[`${row.type} ${row.attributes[UID]}`, row] as const],
    ),
  )
  const counts = counting()
  const events: Event[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const key = `${row.type} ${row.uid}`
    if (seen.has(key)) continue
    seen.add(key)
    const before = left.get(key)
    left.delete(key)
    const change = await store(tx, deviceId, row, before)
    if (change === 'added') counts.added++
    if (change === 'changed') counts.changed++
    if (before !== undefined && before.status !== row.status) events.push(statusEvent(deviceId, before.id, row))
  }
  if (complete && left.size > 0) {
    const gone = [...left.values()].map((row) => row.id)
    await tx`delete from component where id = any(${gone})`
    counts.removed = gone.length
  }
  return { counts, events }
}

async function store(
  tx: Tx,
  deviceId: number,
  row: ComponentRow,
  before: Stored | undefined,
): Promise<'added' | 'changed' | 'kept'> {
  const [label, error] = [row.label.slice(0, MAX_TEXT), row.error.slice(0, MAX_TEXT)]
  const attributes = { [UID]: row.uid, ...row.attributes }
  const differing = Object.entries(attributes).filter(([name, value]) => before?.attributes[name] !== value)
  const same = before !== undefined && before.label === label && before.status === row.status && before.error === error
  if (same && differing.length === 0) return 'kept'
  const [own] =
    before === undefined
      ? await tx<{ id: number }[]>`
          insert into component (device_id, type, label, status, error)
          values (${deviceId}, ${row.type}, ${label}, ${row.status}, ${error}) returning id`
      : await tx<{ id: number }[]>`
          update component set label = ${label}, status = ${row.status}, error = ${error} where id = ${before.id}
          returning id`
  if (own === undefined) return 'kept'
  if (before?.status !== row.status) {
    const message = before === undefined ? 'Component Created' : error
    await tx`insert into component_statuslog (component_id, status, message) values (${own.id}, ${row.status}, ${message})`
  }
  if (differing.length > 0) {
    const values = differing.map(([attribute, value]) => ({ component: own.id, attribute, value }))
    await tx`insert into component_prefs ${tx(values)}
      on conflict (component, attribute) do update set value = excluded.value`
  }
  return before === undefined ? 'added' : 'changed'
}

function statusEvent(deviceId: number, id: number, { type, label, status, error }: ComponentRow): Event {
  const words = ['ok', 'warning', 'critical'][status] ?? ''
  const message = `Component ${label} (${type}) is ${words}${error === '' ? '' : `: ${error}`}`
  return { deviceId, message, type: 'component', reference: id, severity: status === 0 ? 1 : status === 1 ? 4 : 5 }
}
