import type { TransceiverRow } from '../../../modules/transceivers/observation.ts'
import type { Values } from './columns.ts'
import { float8, int2, int4, int8, text } from './columns.ts'
import type { ComponentTable } from './components.ts'
import { statement, type Tx } from './rows.ts'

const TEXT = text(255)

/** Pluggable optics and wireless sensors, by kind of observation. */
export const OPTICS = {
  transceivers: {
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
    told(before, row) {
      const [old, now] = [before['serial'], row['serial']]
      return old && now && old !== now ? { message: `serial number: ${old} -> ${now}`, severity: 3 } : null
    },
    resolve: withPorts,
  },
  wireless: {
    table: 'wireless_sensors',
    id: 'sensor_id',
    key: ['sensor_class', 'sensor_type', 'sensor_index'],
    columns: {
      sensor_class: text(64),
      sensor_type: TEXT,
      sensor_index: text(64),
      sensor_descr: TEXT,
      sensor_divisor: int8,
      sensor_multiplier: int4,
      sensor_aggregator: text(16),
      sensor_oids: text(65_535),
      entPhysicalIndex: text(16),
      entPhysicalIndex_measured: text(16),
      sensor_deleted: int2,
    },
    first: {
      sensor_current: float8,
      sensor_limit: float8,
      sensor_limit_warn: float8,
      sensor_limit_low: float8,
      sensor_limit_low_warn: float8,
    },
    defaults: { sensor_divisor: 1, sensor_multiplier: 1, sensor_aggregator: 'sum', sensor_deleted: 0 },
    flag: 'sensor_deleted',
    event: 'wireless',
    label: (row: Values) => `Wireless sensor ${row['sensor_class']} ${row['sensor_descr']}`,
  },
} as const satisfies Record<string, ComponentTable>

/** Puts in the port that has the interface; null where the interface is no port. */
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
