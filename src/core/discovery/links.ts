import type { LinkRow, RemoteEnd } from '../../modules/links/observation.ts'
import { type AdjustedValues, int2, int4, text, type Values } from './columns.ts'
import type { Event, Severity } from './events.ts'
import { type Difference, difference, type KeyedTable } from './keyed.ts'
import { localPorts } from './local-ports.ts'
import type { SetOutcome } from './outcome.ts'
import { remoteEnds } from './remote-ends.ts'
import { deleteRows, insertRows, type Tx, updateRows } from './write-rows.ts'

const LINKS = {
  table: 'links',
  id: 'id',
  owner: 'local_device_id',
  key: ['local_port_id', 'protocol', 'remote_hostname', 'remote_port'],
  columns: {
    local_port_id: int4,
    remote_port_id: int4,
    active: int2,
    protocol: text(11),
    remote_hostname: text(128),
    remote_device_id: int4,
    remote_port: text(128),
    remote_platform: text(256),
    remote_version: text(256),
    remote_addresses: text(256),
    remote_mac: text(12),
  },
} as const satisfies KeyedTable

/**
 * Links of a device. A link that a complete walk does not show becomes inactive, and is deleted if the next one does
 * not show it either, so a neighbour that restarts keeps its row.
 */
export async function syncLinks(
  tx: Tx,
  deviceId: number,
  found: readonly LinkRow[],
  complete: boolean,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const [portOf, endOf] = [await localPorts(tx, deviceId), await remoteEnds(tx, found)]
  // reported by the device, but not links by themselves: they only keep an existing row
  const nameless = new Set<string>()
  const rows = found.flatMap(({ local, remote, ...row }) => {
    const end = endOf(remote)
    if (end === null && isNameless(row.remote_version, remote)) {
      nameless.add(`${portOf(local)} ${row.protocol} ${row.remote_hostname} ${row.remote_port}`)
      return []
    }
    return [
      {
        ...row,
        local_port_id: portOf(local),
        active: 1,
        remote_device_id: end?.device_id ?? 0,
        remote_port_id: end?.port_id ?? null,
        remote_addresses: addressList(remote),
        remote_mac: remote.mac,
      },
    ]
  })
  const compared = await difference(tx, LINKS, deviceId, rows, adjusted)
  const { added, moved, missing } = pairMoved(compared.added, compared.missing)
  const changed = [...compared.changed, ...moved]
  const isReported = (before: Values) =>
    nameless.has(
      `${before['local_port_id']} ${before['protocol']} ${before['remote_hostname']} ${before['remote_port']}`,
    )
  const unseen = complete ? missing.filter(({ before }) => !isReported(before)) : []
  const lost = unseen.filter(({ before }) => before['active'] === 1)
  const gone = unseen.filter(({ before }) => before['active'] !== 1)
  await deleteRows(
    tx,
    LINKS,
    gone.map(({ id }) => id),
  )
  await updateRows(tx, LINKS, changed)
  await updateRows(
    tx,
    { ...LINKS, columns: { active: int2 } },
    lost.map(({ id }) => ({ id, values: { active: 0 } })),
  )
  await insertRows(tx, LINKS, deviceId, added)
  const back = changed.filter(({ before }) => before['active'] === 0)
  const events = [
    ...added.map((row) => event(deviceId, row, 'found', 3)),
    ...back.map(({ values }) => event(deviceId, values, 'is back', 3)),
    ...lost.map(({ before }) => event(deviceId, before, 'is gone', 4)),
  ]
  return { counts: { added: added.length, changed: changed.length + lost.length, removed: gone.length }, events }
}

/** Addresses kept of a neighbour. Link-local ones say nothing without their port. */
const MAX_ADDRESSES = 5

/** The neighbour's management addresses, separated by commas; null: it reports none. */
function addressList({ addresses }: RemoteEnd): string | null {
  const kept = [...new Set(addresses)].filter(
    (address) => !/^(?:fe80:|169\.254\.|127\.0\.0\.1$|0\.0\.0\.0$|::)/i.test(address),
  )
  return kept.length === 0 ? null : kept.slice(0, MAX_ADDRESSES).join(',')
}

/**
 * A neighbour now reported on another local port is the same link, because finding the local port depends on names that
 * change. Only if exactly one link is missing and one is new, so nothing is guessed.
 */
function pairMoved(added: Difference['added'], missing: Difference['missing']) {
  const endOf = (row: Values) => [row['protocol'], row['remote_hostname'], row['remote_port']].join('\n')
  const fresh = Map.groupBy(added, endOf)
  const old = Map.groupBy(missing, ({ before }) => endOf(before))
  const moved = [...fresh].flatMap(([end, [values, ...others]]) => {
    const [link, ...more] = old.get(end) ?? []
    if (values === undefined || link === undefined || others.length + more.length > 0) return []
    return [{ ...link, values }]
  })
  const taken = new Set(moved.map(({ values }) => values))
  const found = new Set(moved.map(({ id }) => id))
  return {
    added: added.filter((row) => !taken.has(row)),
    moved,
    missing: missing.filter(({ id }) => !found.has(id)),
  }
}

/**
 * Telephones and computers that send only what LLDP requires: two MAC addresses and a TTL. They become links only if
 * they are known devices.
 */
function isNameless(version: string, { name }: RemoteEnd): boolean {
  return name === null && version === ''
}

function event(deviceId: number, row: Values, what: string, severity: Severity): Event {
  const port = row['local_port_id'] ?? null
  return {
    deviceId,
    message: `Link to ${row['remote_hostname']} ${row['remote_port']} (${row['protocol']}) ${what}`,
    type: 'link',
    reference: port === null ? null : Number(port),
    severity,
  }
}
