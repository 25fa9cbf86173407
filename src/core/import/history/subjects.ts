import type { KindName } from '../../../series/kinds.ts'
import { fileName, folderName } from '../rrd-names.ts'
import { findTable, intOf, type Row, type Source, textOf } from '../source.ts'
import { COLUMNS, type Columns, oneOf, PING } from './columns.ts'
import { POLLS, STATS, type Together } from './together.ts'

/** A row with history, and where that history is. */
export interface Subject {
  readonly kind: KindName
  /** Its id here. */
  readonly id: number
  /** Files below the RRD folder that may contain it, the usual one first. */
  readonly files: readonly string[]
  /** How each of these files is read, in the same order. */
  readonly columns: readonly Columns[]
  readonly states: boolean
  /** Its rows are made from all of `files` instead of the first that exists. */
  readonly together?: Together
}

/** What the search for subjects needs. */
export interface Owners {
  readonly source: Source
  /** For each table, ids here by ids in the installation. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Ids here of a service's data sets, by name. */
  dataSets(serviceId: number, names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Names of the GAUGE data sets of a file; null: there is no such file. */
  namesOf(file: string): readonly string[] | null
}

type NameOf = (row: Row) => readonly string[]

const TABLES: readonly {
  readonly table: string
  readonly id: string
  readonly kind: KindName
  readonly names: NameOf
}[] = [
  { table: 'ports', id: 'port_id', kind: 'port', names: (row) => [fileName(`port-id${textOf(row, 'port_id')}`)] },
  { table: 'sensors', id: 'sensor_id', kind: 'sensor', names: (row) => sensorFiles('sensor', row) },
  { table: 'wireless_sensors', id: 'sensor_id', kind: 'wireless', names: (row) => sensorFiles('wireless-sensor', row) },
  {
    table: 'processors',
    id: 'processor_id',
    kind: 'processor',
    names: (row) => [fileName('processor', textOf(row, 'processor_type'), textOf(row, 'processor_index'))],
  },
  {
    table: 'mempools',
    id: 'mempool_id',
    kind: 'mempool',
    names: (row) => [
      fileName('mempool', textOf(row, 'mempool_type'), textOf(row, 'mempool_class'), textOf(row, 'mempool_index')),
      fileName('mempool', textOf(row, 'mempool_type'), textOf(row, 'mempool_index')),
    ],
  },
  {
    table: 'storage',
    id: 'storage_id',
    kind: 'storage',
    names: (row) => [
      fileName('storage', textOf(row, 'type') || textOf(row, 'storage_mib'), textOf(row, 'storage_descr')),
    ],
  },
  {
    table: 'printer_supplies',
    id: 'supply_id',
    kind: 'supply',
    names: (row) => [
      fileName('toner', textOf(row, 'supply_type'), textOf(row, 'supply_index')),
      fileName('toner', textOf(row, 'supply_descr')),
    ],
  },
]

function sensorFiles(first: string, row: Row): readonly string[] {
  // The file contains a rate, but a reading is needed.
  if ((textOf(row, 'rrd_type') || 'GAUGE').toUpperCase() !== 'GAUGE') return []
  const parts = [first, textOf(row, 'sensor_class'), textOf(row, 'sensor_type')]
  const [index, descr] = [
    fileName(...parts, textOf(row, 'sensor_index')),
    fileName(...parts, textOf(row, 'sensor_descr')),
  ]
  return textOf(row, 'poller_type') === 'ipmi' ? [descr, index] : [index, descr]
}

/** Everything that has history, table by table in order of ids. */
export async function* subjectsOf(owners: Owners): AsyncGenerator<Subject> {
  const { source, ids } = owners
  const folders = new Map<number, string>()
  const devices = findTable(source, 'devices')
  if (devices === null) return
  for await (const rows of source.rows(devices, { columns: ['device_id', 'hostname'], orderBy: 'device_id' }))
    for (const row of rows) folders.set(intOf(row, 'device_id') ?? 0, folderName(textOf(row, 'hostname')))
  for (const { table, id, kind, names } of TABLES) {
    const found = findTable(source, table)
    const columns = COLUMNS[kind]
    if (found === null || columns === undefined) continue
    for await (const rows of source.rows(found, { orderBy: id })) {
      for (const row of rows) {
        const own = ids.get(table)?.get(intOf(row, id) ?? 0)
        const folder = folders.get(intOf(row, 'device_id') ?? 0)
        const files = names(row)
        if (own === undefined || folder === undefined || files.length === 0) continue
        yield {
          kind,
          id: own,
          files: files.map((name) => `${folder}/${name}`),
          columns: files.map(() => columns),
          states: textOf(row, 'sensor_class') === 'state',
        }
      }
    }
  }
  yield* services(owners, folders)
  for (const [there, folder] of folders) {
    const id = ids.get('devices')?.get(there)
    const icmp = COLUMNS.icmp
    if (id === undefined || icmp === undefined) continue
    const rounds = [`${folder}/icmp-perf.rrd`, `${folder}/ping-perf.rrd`]
    yield { kind: 'icmp', id, files: rounds, columns: [icmp, PING], states: false }
    for (const [kind, together] of [
      ['device', POLLS],
      ['stats', STATS],
    ] as const) {
      const files = together.files.map((name) => `${folder}/${name}`)
      yield { kind, id, files, columns: [], states: false, together }
    }
  }
}

async function* services(owners: Owners, folders: ReadonlyMap<number, string>): AsyncGenerator<Subject> {
  const { source, ids } = owners
  const table = findTable(source, 'services')
  if (table === null) return
  for await (const rows of source.rows(table, { orderBy: 'service_id' })) {
    for (const row of rows) {
      const there = intOf(row, 'service_id') ?? 0
      const own = ids.get('services')?.get(there)
      const folder = folders.get(intOf(row, 'device_id') ?? 0)
      if (own === undefined || folder === undefined) continue
      const file = `${folder}/${fileName('services', there)}`
      const names = owners.namesOf(file)
      if (names === null) continue
      for (const [name, id] of await owners.dataSets(own, names))
        yield { kind: 'service', id, files: [file], columns: [oneOf(name)], states: false }
    }
  }
}
