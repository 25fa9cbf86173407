import { KINDS } from '../../series/kinds.ts'
import type { SampleBatch } from '../../series/samples.ts'
import type { Store } from '../database/client.ts'
import { writeSamples } from '../series/write.ts'

/** What a check of a service measured. */
export interface ServiceReading {
  readonly serviceId: number
  /** Epoch ms. */
  readonly time: number
  /** Value of each data set, in its unit; NaN: the check did not know it. */
  readonly values: Readonly<Record<string, number>>
}

/** Maximum data sets of one service, and bytes of a name, because checks can print anything. */
const MAX_DATASETS = 64
const MAX_NAME = 128

/**
 * Stores the data sets of checks as samples of kind `service`. New data sets are added to `service_datasets`, up to 64
 * for each service; further ones, and those of services that no longer exist, are dropped. Throws StoreError.
 */
export async function writeServiceSamples(
  store: Store,
  readings: readonly ServiceReading[],
  nowMs = Date.now(),
): Promise<void> {
  const cells = readings.flatMap(({ serviceId, time, values }) =>
    Object.entries(values)
      .filter(([ds]) => ds !== '' && Buffer.byteLength(ds) <= MAX_NAME && !ds.includes('\0'))
      .map(([ds, value]) => ({ serviceId, ds, time, value })),
  )
  if (cells.length === 0) return
  const ids = await datasetIds(store, cells)
  const rows = cells.flatMap(({ serviceId, ds, time, value }) => {
    const id = ids.get(`${serviceId} ${ds}`)
    return id === undefined ? [] : [{ id, time, value }]
  })
  const batch: SampleBatch = {
    ports: NO_PORTS,
    portState: [],
    polls: [],
    series: {
      [KINDS.service.name]: {
        time: rows.map((row) => row.time),
        id: rows.map((row) => row.id),
        periodMs: rows.map(() => 0),
        values: [rows.map((row) => row.value)],
      },
    },
  }
  await writeSamples(store, batch, nowMs)
}

const NO_PORTS: SampleBatch['ports'] = {
  length: 0,
  capacity: 0,
  time: new Float64Array(),
  portId: new Int32Array(),
  periodMs: new Int32Array(),
  deltas: new Float64Array(),
}

interface Dataset {
  readonly serviceId: number
  readonly ds: string
}

/** Ids by `<service id> <name>`. */
async function datasetIds({ sql }: Store, datasets: readonly Dataset[]): Promise<ReadonlyMap<string, number>> {
  const services = datasets.map((dataset) => dataset.serviceId)
  const names = datasets.map((dataset) => dataset.ds)
  const rows = await sql.begin(async (tx) => {
    // one that is deleted meanwhile must not undo what is stored for the others
    await tx`select from services where service_id = any(${services}::int[]) order by service_id for key share`
    // Only names that are not stored yet, in the order in which the check has them.
    await tx`
        insert into service_datasets (service_id, ds)
        select service_id, ds from (
          select u.service_id, u.ds, row_number() over (partition by u.service_id order by min(u.at))
            + (select count(*) from service_datasets h where h.service_id = u.service_id) as place
          from unnest(${services}::int[], ${names}::text[]) with ordinality u(service_id, ds, at)
            join services s on s.service_id = u.service_id
          where not exists (select from service_datasets h where h.service_id = u.service_id and h.ds = u.ds)
          group by u.service_id, u.ds) n
        where place <= ${MAX_DATASETS} order by service_id, place
        on conflict (service_id, ds) do nothing`
    return await tx<{ id: number; serviceId: number; ds: string }[]>`
        select service_dataset_id as id, service_id as "serviceId", ds from service_datasets
        where service_id = any(${services}::int[]) and ds = any(${names}::text[])`
  })
  return new Map(rows.map(({ id, serviceId, ds }) => [`${serviceId} ${ds}`, id]))
}
