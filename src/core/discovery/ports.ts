import { PORT, type PortRow } from '../../modules/ports/observation.ts'
import { type AdjustedValues, type Columns, clean, int8, text, type Value, type Values } from './columns.ts'
import { changed, type Event, type Severity } from './events.ts'
import { associationMode, matchPorts } from './match-ports.ts'
import { type Counted, counting, type SetOutcome } from './outcome.ts'
import { insertRows, same, statement, type Tx, updateRows } from './write-rows.ts'

type Discovered = keyof typeof PORT
const NAMES = Object.keys(PORT) as readonly Discovered[]

/** Columns that keep the previous value of another. */
const PREVIOUS = {
  ifOperStatus: 'ifOperStatus_prev',
  ifAdminStatus: 'ifAdminStatus_prev',
  ifSpeed: 'ifSpeed_prev',
} as const

const WRITTEN = {
  ...PORT,
  ifOperStatus_prev: text(16),
  ifAdminStatus_prev: text(16),
  ifSpeed_prev: int8,
  deleted: { sql: 'int2' },
} as const satisfies Columns

const PORTS = { table: 'ports', id: 'port_id', columns: WRITTEN }

/** Columns whose changes are logged; the others (masks, ifLastChange, ...) are only stored. */
const LOGGED: ReadonlySet<string> = new Set(Object.entries(PORT).flatMap(([name, c]) => ('logged' in c ? [name] : [])))

/** A row of `ports` with the columns that this writer reads. */
export type StoredPort = { readonly [K in keyof typeof WRITTEN]: Value } & {
  readonly port_id: number
  readonly device_id: number
  readonly ifIndex: number | null
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  readonly deleted: number
}

const SELECTED = ['port_id', 'device_id', ...Object.keys(WRITTEN)].map((name) => `"${name}"`).join(', ')

export function readPorts(tx: Tx, deviceId: number): Promise<StoredPort[]> {
  return statement<StoredPort[]>(tx, `select ${SELECTED} from ports where device_id = $1`, [deviceId])
}

/** The ports with these ids, locked for update. */
export function readPortsById(tx: Tx, ids: readonly number[]): Promise<StoredPort[]> {
  return statement<StoredPort[]>(
    tx,
    `select ${SELECTED} from ports where port_id = any($1::int[]) order by port_id for no key update`,
    [`{${ids.join(',')}}`],
  )
}

/**
 * What a person set on ports and polls must keep, as `{device id} ifName:{ifName}` for the alias and
 * `{device id} ifSpeed:{ifName}` for the speed: device attributes with the value 1.
 */
export async function lockedValues(tx: Tx, deviceIds: readonly number[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ device_id: number; attrib_type: string }[]>`
    select device_id, attrib_type from devices_attribs
    where device_id = any(${`{${deviceIds.join(',')}}`}::text::int[]) and attrib_value = '1'
      and (attrib_type like 'ifName:%' or attrib_type like 'ifSpeed:%')`
  return new Set(rows.map((row) => `${row.device_id} ${row.attrib_type}`))
}

/** The lock that keeps a column of a port; null: nothing keeps it. */
function lockOf(name: Discovered): 'ifName' | 'ifSpeed' | null {
  if (name === 'ifAlias' || name.startsWith('port_descr_')) return 'ifName'
  return name === 'ifSpeed' || name === 'ifHighSpeed' ? 'ifSpeed' : null
}

/**
 * Compares a stored port with what was read: the changed columns and their events. `undefined` members of `seen` keep
 * the stored value. Null: no change.
 */
export function portChange(
  port: StoredPort,
  seen: Readonly<Record<string, unknown>>,
  locked: ReadonlySet<string>,
  adjusted: AdjustedValues,
): { readonly values: Values; readonly events: readonly Event[] } | null {
  const values: Record<string, Value> = {}
  for (const name of Object.keys(WRITTEN) as readonly (keyof typeof WRITTEN)[]) values[name] = port[name]
  const events: Event[] = []
  let differs = false
  for (const name of NAMES) {
    const sent = seen[name]
    if (sent === undefined) continue
    const value = clean(PORT[name], sent, adjusted) ?? (name === 'ifLastChange' ? 0 : null)
    if (same(value, port[name])) continue
    const lock = lockOf(name)
    if (lock !== null && locked.has(`${port.device_id} ${lock}:${values['ifName'] ?? ''}`)) continue
    differs = true
    values[name] = value
    if (name in PREVIOUS) values[PREVIOUS[name as keyof typeof PREVIOUS]] = port[name]
    if (!LOGGED.has(name)) continue
    events.push({
      deviceId: port.device_id,
      message: changed(name, port[name], value),
      type: 'interface',
      reference: port.port_id,
      severity: severityOf(name, value),
    })
  }
  return differs ? { values, events } : null
}

function severityOf(name: Discovered, value: Value): Severity {
  if (name !== 'ifOperStatus' && name !== 'ifAdminStatus') return 3
  if (value === 'up') return 1
  return value === 'down' || value === 'lowerLayerDown' || value === 'notPresent' ? 5 : 3
}

export async function updatePorts(
  tx: Tx,
  changes: readonly { readonly id: number; readonly values: Values }[],
): Promise<void> {
  await updateRows(tx, PORTS, changes)
}

/** What `syncPorts` needs to know about the device. */
export interface PortOwner {
  readonly deviceId: number
  readonly port_association_mode: number
}

/**
 * Synchronises the stored ports with the discovered ones. After a complete walk missing ports are marked with `deleted`
 * 1; they keep their row, history and settings, and get them back when they return. Returns the ids of live ports by
 * ifIndex.
 */
export async function syncPorts(
  tx: Tx,
  owner: PortOwner,
  rows: readonly PortRow[],
  complete: boolean,
  adjusted: AdjustedValues,
): Promise<SetOutcome & { readonly byIfIndex: ReadonlyMap<number, number> }> {
  const { deviceId } = owner
  const [stored, locked] = await Promise.all([readPorts(tx, deviceId), lockedValues(tx, [deviceId])])
  const seen = rows.map((row) => ({ ...row, hc_mask: row.hcMask, lc_mask: row.lcMask }))
  // an ifAlias that a person has set is not the agent's, so it identifies nothing
  const known = stored.map((port) =>
    locked.has(`${deviceId} ${port.ifName ?? ''}`) ? { ...port, ifAlias: null } : port,
  )
  const byId = new Map(stored.map((port) => [port.port_id, port]))
  const matches = matchPorts(associationMode(owner.port_association_mode), known, seen)
  const byIfIndex = new Map<number, number>()
  const updates: { id: number; values: Values }[] = []
  const added: (typeof seen)[number][] = []
  const events: Event[] = []
  const counts: Counted = counting()
  const matched = new Set<number>()
  seen.forEach((row, i) => {
    const port = byId.get(matches[i]?.port_id ?? 0)
    if (port === undefined) {
      added.push(row)
      return
    }
    matched.add(port.port_id)
    byIfIndex.set(row.ifIndex, port.port_id)
    const change = portChange(port, row, locked, adjusted)
    const back = port.deleted !== 0
    if (change === null && !back) return
    updates.push({ id: port.port_id, values: { ...(change?.values ?? port), deleted: 0 } })
    counts[back ? 'added' : 'changed']++
    events.push(
      ...(back ? [portEvent(owner, port.port_id, `Interface ${labelOf(row)} is back`, 3)] : (change?.events ?? [])),
    )
  })
  const taken = new Set(seen.map(({ ifIndex }) => ifIndex))
  for (const port of stored) {
    if (port.deleted !== 0 || matched.has(port.port_id)) continue
    // where another interface has its ifIndex now, it must not be polled as that one
    if (complete || (port.ifIndex !== null && taken.has(port.ifIndex))) {
      updates.push({ id: port.port_id, values: { ...port, deleted: 1 } })
      counts.removed++
      events.push(portEvent(owner, port.port_id, `Interface ${labelOf(port)} removed`, 4))
    } else if (port.ifIndex !== null) byIfIndex.set(port.ifIndex, port.port_id)
  }
  await updatePorts(
    tx,
    updates.map(({ id, values }) => ({ id, values: onlyWritten(values) })),
  )
  const ids = await insertRows(
    tx,
    PORTS,
    deviceId,
    added.map((row) => newPort(row, adjusted)),
  )
  added.forEach((row, i) => {
    const id = ids[i]
    if (id === undefined) return
    byIfIndex.set(row.ifIndex, id)
    counts.added++
    events.push(portEvent(owner, id, `Interface ${labelOf(row)} added`, 3))
  })
  return { counts, events, byIfIndex }
}

function newPort(row: Readonly<Record<string, unknown>>, adjusted: AdjustedValues): Values {
  const values: Record<string, Value> = { deleted: 0 }
  for (const name of NAMES) values[name] = clean(PORT[name], row[name], adjusted)
  values['ifLastChange'] ??= 0
  values['hc_mask'] ??= 0
  values['lc_mask'] ??= 0
  return values
}

function onlyWritten(values: Values): Values {
  const kept: Record<string, Value> = {}
  for (const name of Object.keys(WRITTEN)) kept[name] = values[name] ?? null
  return kept
}

function portEvent(owner: PortOwner, portId: number, message: string, severity: Severity): Event {
  return { deviceId: owner.deviceId, message, type: 'interface', reference: portId, severity }
}

/** The usual name of a port. */
function labelOf(
  port: Readonly<Partial<Record<'ifName' | 'ifDescr' | 'ifIndex', string | number | null | undefined>>>,
): string {
  return String(port.ifName || port.ifDescr || `ifIndex ${port.ifIndex}`)
}
