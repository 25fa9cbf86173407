import type { Store } from '../../src/core/database/client.ts'
import { PORT_COUNTER_COUNT, PORT_COUNTERS } from '../../src/lib/port-counters.ts'
import { createBatch, type DeviceSample, type IcmpSample } from '../../src/poller/samples/batch.ts'
import type { PortCounters, PortSamples, SampleBatch } from '../../src/series/samples.ts'

/** The contents of a batch. */
export interface BatchMembers {
  readonly ports?: PortSamples
  readonly portState?: readonly PortCounters[]
  readonly devices?: readonly DeviceSample[]
  readonly icmp?: readonly IcmpSample[]
  readonly sensors?: readonly Gauge[]
  readonly wireless?: readonly Gauge[]
  readonly processors?: readonly Gauge[]
  readonly mempools?: readonly Usage[]
  readonly storage?: readonly Usage[]
  readonly supplies?: readonly Gauge[]
  readonly stats?: readonly { readonly deviceId: number; readonly time: number; readonly values: Float64Array }[]
}

interface Gauge {
  readonly id: number
  readonly time: number
  readonly value: number
}

interface Usage {
  readonly id: number
  readonly time: number
  readonly used: number | null
  readonly free: number | null
  readonly total: number | null
  readonly perc: number | null
}

/** A batch with these members. */
export function batch(members: BatchMembers): SampleBatch {
  const builder = createBatch(1)
  for (const poll of members.devices ?? []) builder.addDevice(poll)
  for (const round of members.icmp ?? []) builder.addIcmp(round)
  for (const [kind, samples] of [
    ['sensor', members.sensors],
    ['wireless', members.wireless],
    ['processor', members.processors],
    ['supply', members.supplies],
  ] as const) {
    for (const { id, time, value } of samples ?? []) builder.add(kind, id, time, [value])
  }
  for (const [kind, samples] of [
    ['mempool', members.mempools],
    ['storage', members.storage],
  ] as const) {
    for (const { id, time, used, free, total, perc } of samples ?? []) {
      builder.add(
        kind,
        id,
        time,
        [used, free, total, perc].map((value) => value ?? Number.NaN),
      )
    }
  }
  for (const { deviceId, time, values } of members.stats ?? []) builder.add('stats', deviceId, time, values)
  return { ...builder.seal(), ports: members.ports ?? portSamples([]), portState: members.portState ?? [] }
}

export interface PortSample {
  readonly portId: number
  /** Epoch ms. */
  readonly time: number
  readonly periodMs: number
  /** By name; counters that are not named are unknown. */
  readonly deltas: Partial<Record<(typeof PORT_COUNTERS)[number]['series'], number>>
}

/** Port samples as columns, in arrays longer than needed, as the poller hands them over. */
export function portSamples(samples: readonly PortSample[]): PortSamples {
  const capacity = samples.length + 3
  const deltas = new Float64Array(PORT_COUNTER_COUNT * capacity).fill(Number.NaN)
  samples.forEach((sample, row) => {
    PORT_COUNTERS.forEach(({ series }, c) => {
      deltas[c * capacity + row] = sample.deltas[series] ?? Number.NaN
    })
  })
  const padded = (values: number[]): number[] => [...values, 0, 0, 0]
  return {
    length: samples.length,
    capacity,
    time: Float64Array.from(padded(samples.map((s) => s.time))),
    portId: Int32Array.from(padded(samples.map((s) => s.portId))),
    periodMs: Int32Array.from(padded(samples.map((s) => s.periodMs))),
    deltas,
  }
}

/** The state of a device after a poll: `counter(port, c)` is what was read. */
export function portState(
  deviceId: number,
  time: number,
  portIds: readonly number[],
  counter: (port: number, c: number) => bigint,
): PortCounters {
  return {
    deviceId,
    time,
    portId: Int32Array.from(portIds),
    ticks: new Uint32Array(portIds.length).fill(4_000_000_000),
    present: new Uint32Array(portIds.length).fill(2 ** PORT_COUNTER_COUNT - 1),
    counters: BigUint64Array.from({ length: PORT_COUNTER_COUNT * portIds.length }, (_, i) =>
      counter(portIds[i % portIds.length] ?? 0, Math.floor(i / portIds.length)),
    ),
  }
}

/** A device with ports and one gauge of each kind; their ids. */
export async function makeDevice(store: Store, ports: number) {
  const { sql } = store
  const name = `device-${Bun.randomUUIDv7()}`
  const one = async (rows: PromiseLike<readonly { id: number }[]>): Promise<number> => (await rows)[0]?.id ?? 0
  const deviceId = await one(
    sql<{ id: number }[]>`insert into devices (hostname) values (${name}) returning device_id as id`,
  )
  const made = await sql<{ id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName")
    select ${deviceId}, i, 'Gi0/' || i from generate_series(1, ${ports}::int) i returning port_id as id`
  return {
    name,
    deviceId,
    portIds: made.map((r) => r.id),
    sensorId: await one(sql<{ id: number }[]>`
      insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
      values (${deviceId}, 'temperature', 'test', '1', '1.3.6.1', 'Inlet') returning sensor_id as id`),
    processorId: await one(sql<{ id: number }[]>`
      insert into processors (device_id, processor_type, processor_index, processor_oid, processor_descr)
      values (${deviceId}, 'test', '1', '1.3.6.1', 'CPU') returning processor_id as id`),
    mempoolId: await one(sql<{ id: number }[]>`
      insert into mempools (device_id, mempool_type, mempool_index, mempool_descr)
      values (${deviceId}, 'test', '1', 'RAM') returning mempool_id as id`),
    storageId: await one(sql<{ id: number }[]>`
      insert into storage (device_id, type, storage_index, storage_descr)
      values (${deviceId}, 'test', '1', '/') returning storage_id as id`),
  }
}
