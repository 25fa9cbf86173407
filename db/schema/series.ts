import { customType, doublePrecision, integer, pgSchema, primaryKey, real, timestamp } from 'drizzle-orm/pg-core'

/**
 * The time series, for queries by Drizzle. The tables are made by db/series/30-tables.sql, which can say what Drizzle
 * cannot (partitions, hypertables), so this file is not part of db/schema/index.ts; a test holds it to the database.
 */
const ts = pgSchema('ts')

/** A 64-bit integer that may lie beyond 2^53: a number where exact, else text, as the client reads it. */
const count = customType<{ data: number | string }>({ dataType: () => 'bigint' })
const counts = customType<{ data: readonly (number | string)[] }>({ dataType: () => 'bigint[]' })
const octets = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const end = () => timestamp({ withTimezone: true, mode: 'date' }).notNull()
const key = () => integer().notNull()

/** What was counted over `period_ms`. null: unknown. */
const counters = {
  in_octets: count(),
  out_octets: count(),
  in_pkts: count(),
  out_pkts: count(),
  in_err: count(),
  out_err: count(),
  in_disc: count(),
  out_disc: count(),
  in_bcast: count(),
  out_bcast: count(),
  in_mcast: count(),
  out_mcast: count(),
}

/** Octets and percent of a memory or storage. */
const usage = { used: count(), free: count(), total: count(), perc: real() }

/** One row per port and poll. `period_ms` is of the agent's clock and ends at `time`. */
export const portSamples = ts.table(
  'port_samples',
  { time: end(), port_id: key(), period_ms: integer().notNull(), ...counters },
  (t) => [primaryKey({ columns: [t.port_id, t.time] })],
)

/** One row per sensor and poll, in the sensor's unit. */
export const sensorSamples = ts.table(
  'sensor_samples',
  { time: end(), sensor_id: key(), value: doublePrecision() },
  (t) => [primaryKey({ columns: [t.sensor_id, t.time] })],
)

/** One row per wireless sensor and poll, in the unit of its class. */
export const wirelessSamples = ts.table(
  'wireless_samples',
  { time: end(), sensor_id: key(), value: doublePrecision() },
  (t) => [primaryKey({ columns: [t.sensor_id, t.time] })],
)

/** One row per data set and check of a service, in the unit that the check says. */
export const serviceSamples = ts.table(
  'service_samples',
  { time: end(), service_dataset_id: key(), value: doublePrecision() },
  (t) => [primaryKey({ columns: [t.service_dataset_id, t.time] })],
)

/** One row per processor and poll, percent. */
export const processorSamples = ts.table(
  'processor_samples',
  { time: end(), processor_id: key(), usage: real() },
  (t) => [primaryKey({ columns: [t.processor_id, t.time] })],
)

export const mempoolSamples = ts.table('mempool_samples', { time: end(), mempool_id: key(), ...usage }, (t) => [
  primaryKey({ columns: [t.mempool_id, t.time] }),
])

export const storageSamples = ts.table('storage_samples', { time: end(), storage_id: key(), ...usage }, (t) => [
  primaryKey({ columns: [t.storage_id, t.time] }),
])

/** One row per poll of a device. `uptime_s` null: SNMP did not answer, or the agent has no sysUpTime. */
export const deviceSamples = ts.table(
  'device_samples',
  { time: end(), device_id: key(), uptime_s: count(), took_ms: real(), requests: integer(), timeouts: integer() },
  (t) => [primaryKey({ columns: [t.device_id, t.time] })],
)

/** One row per round of ICMP echo; round-trip times in ms, null: no answer. */
export const icmpSamples = ts.table(
  'icmp_samples',
  {
    time: end(),
    device_id: key(),
    rtt_avg: real(),
    rtt_min: real(),
    rtt_max: real(),
    sent: integer(),
    received: integer(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.time] })],
)

/** What every roll-up has: the bucket's start, the number of samples, and the weights of fields that were known for less. */
const rolled = () => ({ bucket: end(), n: integer().notNull(), known: counts() })

/** Sums of the counters; `_min` and `_max` are the lowest and highest rate of a sample, per second. */
const rolledCounters = {
  ...counters,
  in_octets_min: real(),
  in_octets_max: real(),
  out_octets_min: real(),
  out_octets_max: real(),
  in_pkts_max: real(),
  out_pkts_max: real(),
  in_err_max: real(),
  out_err_max: real(),
}

const rolledUsage = { ...usage, used_min: count(), used_max: count(), perc_min: real(), perc_max: real() }

const portRollup = (name: string) =>
  ts.table(name, { ...rolled(), port_id: key(), period_ms: count().notNull(), ...rolledCounters }, (t) => [
    primaryKey({ columns: [t.port_id, t.bucket] }),
  ])
const sensorRollup = (name: string) =>
  ts.table(
    name,
    {
      ...rolled(),
      sensor_id: key(),
      value: doublePrecision(),
      value_min: doublePrecision(),
      value_max: doublePrecision(),
    },
    (t) => [primaryKey({ columns: [t.sensor_id, t.bucket] })],
  )
const serviceRollup = (name: string) =>
  ts.table(
    name,
    {
      ...rolled(),
      service_dataset_id: key(),
      value: doublePrecision(),
      value_min: doublePrecision(),
      value_max: doublePrecision(),
    },
    (t) => [primaryKey({ columns: [t.service_dataset_id, t.bucket] })],
  )
const processorRollup = (name: string) =>
  ts.table(name, { ...rolled(), processor_id: key(), usage: real(), usage_min: real(), usage_max: real() }, (t) => [
    primaryKey({ columns: [t.processor_id, t.bucket] }),
  ])
const mempoolRollup = (name: string) =>
  ts.table(name, { ...rolled(), mempool_id: key(), ...rolledUsage }, (t) => [
    primaryKey({ columns: [t.mempool_id, t.bucket] }),
  ])
const storageRollup = (name: string) =>
  ts.table(name, { ...rolled(), storage_id: key(), ...rolledUsage }, (t) => [
    primaryKey({ columns: [t.storage_id, t.bucket] }),
  ])
const deviceRollup = (name: string) =>
  ts.table(
    name,
    {
      ...rolled(),
      device_id: key(),
      uptime_s: count(),
      uptime_s_max: count(),
      took_ms: real(),
      took_ms_max: real(),
      requests: integer(),
      timeouts: integer(),
    },
    (t) => [primaryKey({ columns: [t.device_id, t.bucket] })],
  )
const icmpRollup = (name: string) =>
  ts.table(
    name,
    {
      ...rolled(),
      device_id: key(),
      rtt_avg: real(),
      rtt_avg_min: real(),
      rtt_avg_max: real(),
      rtt_min: real(),
      rtt_min_min: real(),
      rtt_max: real(),
      rtt_max_max: real(),
      sent: integer(),
      received: integer(),
    },
    (t) => [primaryKey({ columns: [t.device_id, t.bucket] })],
  )

export const port1h = portRollup('port_1h')
export const port1d = portRollup('port_1d')
export const sensor1h = sensorRollup('sensor_1h')
export const sensor1d = sensorRollup('sensor_1d')
export const wireless1h = sensorRollup('wireless_1h')
export const wireless1d = sensorRollup('wireless_1d')
export const service1h = serviceRollup('service_1h')
export const service1d = serviceRollup('service_1d')
export const processor1h = processorRollup('processor_1h')
export const processor1d = processorRollup('processor_1d')
export const mempool1h = mempoolRollup('mempool_1h')
export const mempool1d = mempoolRollup('mempool_1d')
export const storage1h = storageRollup('storage_1h')
export const storage1d = storageRollup('storage_1d')
export const device1h = deviceRollup('device_1h')
export const device1d = deviceRollup('device_1d')
export const icmp1h = icmpRollup('icmp_1h')
export const icmp1d = icmpRollup('icmp_1d')

/** One row per printer supply and poll: percent that is left. */
export const supplySamples = ts.table('supply_samples', { time: end(), supply_id: key(), value: real() }, (t) => [
  primaryKey({ columns: [t.supply_id, t.time] }),
])
const supplyRollup = (name: string) =>
  ts.table(name, { ...rolled(), supply_id: key(), value: real(), value_min: real() }, (t) => [
    primaryKey({ columns: [t.supply_id, t.bucket] }),
  ])
export const supply1h = supplyRollup('supply_1h')
export const supply1d = supplyRollup('supply_1d')

/** Columns of `stats_samples`: src/lib/system-stats.ts says what each is. */
const STATS = [
  'load1 load5 load15',
  'ssCpuRawUser ssCpuRawNice ssCpuRawSystem ssCpuRawIdle ssCpuRawWait ssCpuRawKernel ssCpuRawInterrupt ssCpuRawSoftIRQ ssCpuRawSteal ssCpuRawGuest',
  'ssRawContexts ssRawInterrupts ssIORawSent ssIORawReceived ssRawSwapIn ssRawSwapOut',
  'hrSystemNumUsers',
  'hrSystemProcesses',
  'ipInReceives ipInHdrErrors ipInAddrErrors ipForwDatagrams ipInUnknownProtos ipInDiscards ipInDelivers ipOutRequests ipOutDiscards ipOutNoRoutes ipReasmReqds ipReasmOKs ipReasmFails ipFragOKs ipFragFails ipFragCreates',
  'ipv4InReceives ipv4InHdrErrors ipv4InNoRoutes ipv4InAddrErrors ipv4InUnknownProtos ipv4InTruncatedPkts ipv4InForwDatagrams ipv4ReasmReqds ipv4ReasmOKs ipv4ReasmFails ipv4InDiscards ipv4InDelivers ipv4OutRequests ipv4OutNoRoutes ipv4OutForwDatagrams ipv4OutDiscards ipv4OutFragReqds ipv4OutFragOKs ipv4OutFragFails ipv4OutFragCreates',
  'ipv6InReceives ipv6InHdrErrors ipv6InNoRoutes ipv6InAddrErrors ipv6InUnknownProtos ipv6InTruncatedPkts ipv6InForwDatagrams ipv6ReasmReqds ipv6ReasmOKs ipv6ReasmFails ipv6InDiscards ipv6InDelivers ipv6OutRequests ipv6OutNoRoutes ipv6OutForwDatagrams ipv6OutDiscards ipv6OutFragReqds ipv6OutFragOKs ipv6OutFragFails ipv6OutFragCreates',
  'icmpInMsgs icmpInErrors icmpInDestUnreachs icmpInTimeExcds icmpInParmProbs icmpInSrcQuenchs icmpInRedirects icmpInEchos icmpInEchoReps icmpInTimestamps icmpInTimestampReps icmpInAddrMasks icmpInAddrMaskReps icmpOutMsgs icmpOutErrors icmpOutDestUnreachs icmpOutTimeExcds icmpOutParmProbs icmpOutSrcQuenchs icmpOutRedirects icmpOutEchos icmpOutEchoReps icmpOutTimestamps icmpOutTimestampReps icmpOutAddrMasks icmpOutAddrMaskReps',
  'tcpActiveOpens tcpPassiveOpens tcpAttemptFails tcpEstabResets tcpInSegs tcpOutSegs tcpRetransSegs tcpInErrs tcpOutRsts',
  'udpInDatagrams udpNoPorts udpInErrors udpOutDatagrams',
  'snmpInPkts snmpOutPkts snmpInBadVersions snmpInBadCommunityNames snmpInBadCommunityUses snmpInASNParseErrs snmpInTooBigs snmpInNoSuchNames snmpInBadValues snmpInReadOnlys snmpInGenErrs snmpInTotalReqVars snmpInTotalSetVars snmpInGetRequests snmpInGetNexts snmpInSetRequests snmpInGetResponses snmpInTraps snmpOutTooBigs snmpOutNoSuchNames snmpOutBadValues snmpOutGenErrs snmpOutGetRequests snmpOutGetNexts snmpOutSetRequests snmpOutGetResponses snmpOutTraps',
  'fdb_count ms_ports ms_gauges ms_modules',
].flatMap((names) => names.split(' '))
const stats = () => Object.fromEntries(STATS.map((name) => [name, real()]))
/** Those whose roll-ups keep the highest sample. */
const statPeaks = () =>
  Object.fromEntries(STATS.filter((n) => /^load|^ssCpu|^hrSys/.test(n)).map((name) => [`${name}_max`, real()]))

/** One row per device and poll: gauges, counters per second, processor time in percent. */
export const statsSamples = ts.table('stats_samples', { time: end(), device_id: key(), ...stats() }, (t) => [
  primaryKey({ columns: [t.device_id, t.time] }),
])
const statsRollup = (name: string) =>
  ts.table(name, { ...rolled(), device_id: key(), ...stats(), ...statPeaks() }, (t) => [
    primaryKey({ columns: [t.device_id, t.bucket] }),
  ])
export const stats1h = statsRollup('stats_1h')
export const stats1d = statsRollup('stats_1d')

/** Raw counters of a device's ports at its last poll: arrays by port, in the order of `port_id`. */
export const portState = ts.table('port_state', {
  device_id: integer().primaryKey(),
  time: end(),
  port_id: integer().array().notNull(),
  /** sysUpTime of the response, 1/100 s. */
  ticks: counts().notNull(),
  /** Bit c: counter c was read. */
  present: integer().array().notNull(),
  /** Column-major, 64 bits each, most significant octet first. */
  counters: octets().notNull(),
})
