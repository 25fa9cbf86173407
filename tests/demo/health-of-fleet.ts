// What discovery has to find of the health of each device of the demo.

/** Health data a device must have; `none` for devices without it. */
export interface Health {
  readonly processors: number | 'none'
  readonly memory: number | 'none'
  readonly storage?: number
  readonly sensors: readonly string[] | 'none'
  readonly others?: readonly ('transceivers' | 'wireless' | 'supplies')[]
}

/** Devices that do not answer while warehouse-1 has no power. */
export const DARK: readonly string[] = ['warehouse-1', 'ap-2', 'printer-3']

export const HEALTH: Readonly<Record<string, Health>> = {
  'core-1': {
    processors: 1,
    memory: 1,
    storage: 1,
    sensors: ['temperature', 'fanspeed', 'power', 'state', 'dbm', 'current'],
    others: ['transceivers'],
  },
  'access-1': {
    processors: 1,
    memory: 1,
    storage: 1,
    sensors: ['temperature', 'fanspeed', 'power', 'state', 'dbm'],
    others: ['transceivers'],
  },
  'access-2': { processors: 1, memory: 1, sensors: ['temperature', 'fanspeed', 'state'] },
  'access-3': { processors: 1, memory: 1, storage: 1, sensors: ['temperature', 'fanspeed', 'power', 'state', 'dbm'] },
  'leaf-1': {
    processors: 4,
    memory: 1,
    storage: 1,
    sensors: ['temperature', 'fanspeed', 'power', 'dbm'],
    others: ['transceivers'],
  },
  'edge-1': { processors: 2, memory: 2, storage: 1, sensors: ['temperature', 'fanspeed', 'power', 'state', 'dbm'] },
  'wan-1': { processors: 2, memory: 1, storage: 1, sensors: ['temperature', 'fanspeed', 'power', 'state'] },
  'branch-1': { processors: 4, memory: 1, storage: 1, sensors: ['temperature', 'voltage'] },
  'fw-1': { processors: 8, memory: 1, sensors: ['temperature', 'fanspeed', 'voltage', 'state', 'count'] },
  'wlc-1': { processors: 2, memory: 1, sensors: ['temperature', 'fanspeed', 'power'], others: ['wireless'] },
  // a management card reports on the UPS, not on itself
  'ups-1': {
    processors: 'none',
    memory: 'none',
    sensors: ['charge', 'load', 'runtime', 'voltage', 'current', 'frequency', 'temperature', 'state'],
  },
  'web-1': { processors: 8, memory: 1, storage: 2, sensors: ['temperature', 'fanspeed', 'voltage'] },
  'db-1': { processors: 16, memory: 1, storage: 3, sensors: ['temperature', 'fanspeed', 'voltage'] },
  'nas-1': { processors: 4, memory: 1, storage: 3, sensors: ['temperature', 'state'] },
  // ESXi's agent has no sensors: they belong to the server's management processor
  'esx-1': { processors: 32, memory: 1, storage: 2, sensors: 'none' },
  'printer-1': { processors: 'none', memory: 1, sensors: ['count', 'state'], others: ['supplies'] },
  'warehouse-1': { processors: 1, memory: 1, storage: 1, sensors: ['temperature', 'voltage'] },
  'pe-1': { processors: 1, memory: 1, sensors: ['temperature', 'voltage', 'current', 'dbm', 'state'] },
  'lb-1': { processors: 4, memory: 1, storage: 2, sensors: ['temperature', 'fanspeed', 'state', 'count'] },
  'ap-2': { processors: 1, memory: 1, sensors: 'none' },
  'printer-3': { processors: 'none', memory: 1, sensors: ['count', 'state'], others: ['supplies'] },
}

export const OTHERS = {
  transceivers: 'transceivers',
  wireless: 'wireless_sensors',
  supplies: 'printer_supplies',
} as const
