import type { TransceiverRow } from '../../modules/transceivers/observation.ts'
import { int2, int4, text } from './columns.ts'
import type { DiscoveredTable } from './table.ts'
import { statement, type Tx } from './write-rows.ts'

const TEXT = text(255)

/** Pluggable optics. */
export const transceivers = {
  table: 'transceivers',
  id: 'id',
  key: ['index'],
  columns: {
    index: TEXT,
    port_id: int4,
    entity_physical_index: int4,
    type: TEXT,
    vendor: TEXT,
    oui: TEXT,
    model: TEXT,
    revision: TEXT,
    serial: TEXT,
    date: TEXT,
    ddm: int2,
    encoding: TEXT,
    cable: TEXT,
    distance: int4,
    wavelength: int4,
    connector: TEXT,
    channels: int2,
  },
  first: {},
  defaults: { channels: 1 },
  flag: null,
  event: 'transceiver',
  label: (row) => ['Transceiver', row['vendor'], row['model'] || row['type'], row['index']].filter(Boolean).join(' '),
  changeEvent(before, row) {
    const [old, now] = [before['serial'], row['serial']]
    return old && now && old !== now ? { message: `serial number: ${old} -> ${now}`, severity: 3 } : null
  },
  resolve: withPorts,
} as const satisfies DiscoveredTable

/** Adds the port of each interface; null: the interface has no port. */
async function withPorts(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  const ports = await statement<{ ifIndex: number; port_id: number }[]>(
    tx,
    'select "ifIndex", port_id from ports where device_id = $1 and deleted = 0 and "ifIndex" is not null',
    [deviceId],
  )
  const ids = new Map(ports.map((port) => [Number(port.ifIndex), port.port_id]))
  return (found as readonly TransceiverRow[]).map(({ ifIndex, ...row }) => ({
    ...row,
    port_id: ifIndex === null ? null : (ids.get(ifIndex) ?? null),
  }))
}
