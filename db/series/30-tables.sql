-- The series. Samples are what one poll measured; unknown is NULL.

-- Deltas, not raw counters and not rates: exact sums, no wrap logic in SQL. They span period_ms of the agent's clock and
-- end at `time`.
select ts.define('port', 'port_id', interval '1 day', array[
  'in_octets:bigint:counter:min:max', 'out_octets:bigint:counter:min:max',
  'in_pkts:bigint:counter:max', 'out_pkts:bigint:counter:max',
  'in_err:bigint:counter:max', 'out_err:bigint:counter:max',
  'in_disc:bigint:counter', 'out_disc:bigint:counter',
  'in_bcast:bigint:counter', 'out_bcast:bigint:counter',
  'in_mcast:bigint:counter', 'out_mcast:bigint:counter']);
-- «All ports in the last hour» without a second B-tree: a few kilobytes a day.
create index if not exists port_samples_time on ts.port_samples using brin ("time") with (pages_per_range = 32);

select ts.define('sensor', 'sensor_id', interval '7 days', array['value:float8:gauge:min:max']);
select ts.define('wireless', 'sensor_id', interval '7 days', array['value:float8:gauge:min:max']);
select ts.define('processor', 'processor_id', interval '7 days', array['usage:real:gauge:min:max']);
select ts.define('mempool', 'mempool_id', interval '7 days', array[
  'used:bigint:gauge:min:max', 'free:bigint:gauge', 'total:bigint:gauge', 'perc:real:gauge:min:max']);
select ts.define('storage', 'storage_id', interval '7 days', array[
  'used:bigint:gauge:min:max', 'free:bigint:gauge', 'total:bigint:gauge', 'perc:real:gauge:min:max']);
-- uptime_s null: SNMP did not answer, or the agent has no sysUpTime.
select ts.define('device', 'device_id', interval '7 days', array[
  'uptime_s:bigint:gauge:max', 'took_ms:real:gauge:max', 'requests:int:total', 'timeouts:int:total']);
select ts.define('icmp', 'device_id', interval '7 days', array[
  'rtt_avg:real:gauge:min:max', 'rtt_min:real:gauge:min', 'rtt_max:real:gauge:max', 'sent:int:total', 'received:int:total']);

-- What a printer has left of a supply, percent.
select ts.define('supply', 'supply_id', interval '7 days', array['value:real:gauge:min']);
-- What a device says of itself as a whole, a row each poll: gauges as they are, counters per second, processor time in
-- percent. The columns are those of src/lib/system-stats.ts, in its order.
select ts.define('stats', 'device_id', interval '7 days', array[
  'load1:real:gauge:max', 'load5:real:gauge:max', 'load15:real:gauge:max', 'ssCpuRawUser:real:gauge:max',
  'ssCpuRawNice:real:gauge:max', 'ssCpuRawSystem:real:gauge:max', 'ssCpuRawIdle:real:gauge:max',
  'ssCpuRawWait:real:gauge:max', 'ssCpuRawKernel:real:gauge:max', 'ssCpuRawInterrupt:real:gauge:max',
  'ssCpuRawSoftIRQ:real:gauge:max', 'ssCpuRawSteal:real:gauge:max', 'ssCpuRawGuest:real:gauge:max',
  'ssRawContexts:real:gauge', 'ssRawInterrupts:real:gauge', 'ssIORawSent:real:gauge', 'ssIORawReceived:real:gauge',
  'ssRawSwapIn:real:gauge', 'ssRawSwapOut:real:gauge', 'hrSystemNumUsers:real:gauge:max',
  'hrSystemProcesses:real:gauge:max', 'ipInReceives:real:gauge', 'ipInHdrErrors:real:gauge',
  'ipInAddrErrors:real:gauge', 'ipForwDatagrams:real:gauge', 'ipInUnknownProtos:real:gauge',
  'ipInDiscards:real:gauge', 'ipInDelivers:real:gauge', 'ipOutRequests:real:gauge', 'ipOutDiscards:real:gauge',
  'ipOutNoRoutes:real:gauge', 'ipReasmReqds:real:gauge', 'ipReasmOKs:real:gauge', 'ipReasmFails:real:gauge',
  'ipFragOKs:real:gauge', 'ipFragFails:real:gauge', 'ipFragCreates:real:gauge', 'ipv4InReceives:real:gauge',
  'ipv4InHdrErrors:real:gauge', 'ipv4InNoRoutes:real:gauge', 'ipv4InAddrErrors:real:gauge',
  'ipv4InUnknownProtos:real:gauge', 'ipv4InTruncatedPkts:real:gauge', 'ipv4InForwDatagrams:real:gauge',
  'ipv4ReasmReqds:real:gauge', 'ipv4ReasmOKs:real:gauge', 'ipv4ReasmFails:real:gauge', 'ipv4InDiscards:real:gauge',
  'ipv4InDelivers:real:gauge', 'ipv4OutRequests:real:gauge', 'ipv4OutNoRoutes:real:gauge',
  'ipv4OutForwDatagrams:real:gauge', 'ipv4OutDiscards:real:gauge', 'ipv4OutFragReqds:real:gauge',
  'ipv4OutFragOKs:real:gauge', 'ipv4OutFragFails:real:gauge', 'ipv4OutFragCreates:real:gauge',
  'ipv6InReceives:real:gauge', 'ipv6InHdrErrors:real:gauge', 'ipv6InNoRoutes:real:gauge',
  'ipv6InAddrErrors:real:gauge', 'ipv6InUnknownProtos:real:gauge', 'ipv6InTruncatedPkts:real:gauge',
  'ipv6InForwDatagrams:real:gauge', 'ipv6ReasmReqds:real:gauge', 'ipv6ReasmOKs:real:gauge',
  'ipv6ReasmFails:real:gauge', 'ipv6InDiscards:real:gauge', 'ipv6InDelivers:real:gauge',
  'ipv6OutRequests:real:gauge', 'ipv6OutNoRoutes:real:gauge', 'ipv6OutForwDatagrams:real:gauge',
  'ipv6OutDiscards:real:gauge', 'ipv6OutFragReqds:real:gauge', 'ipv6OutFragOKs:real:gauge',
  'ipv6OutFragFails:real:gauge', 'ipv6OutFragCreates:real:gauge', 'icmpInMsgs:real:gauge',
  'icmpInErrors:real:gauge', 'icmpInDestUnreachs:real:gauge', 'icmpInTimeExcds:real:gauge',
  'icmpInParmProbs:real:gauge', 'icmpInSrcQuenchs:real:gauge', 'icmpInRedirects:real:gauge',
  'icmpInEchos:real:gauge', 'icmpInEchoReps:real:gauge', 'icmpInTimestamps:real:gauge',
  'icmpInTimestampReps:real:gauge', 'icmpInAddrMasks:real:gauge', 'icmpInAddrMaskReps:real:gauge',
  'icmpOutMsgs:real:gauge', 'icmpOutErrors:real:gauge', 'icmpOutDestUnreachs:real:gauge',
  'icmpOutTimeExcds:real:gauge', 'icmpOutParmProbs:real:gauge', 'icmpOutSrcQuenchs:real:gauge',
  'icmpOutRedirects:real:gauge', 'icmpOutEchos:real:gauge', 'icmpOutEchoReps:real:gauge',
  'icmpOutTimestamps:real:gauge', 'icmpOutTimestampReps:real:gauge', 'icmpOutAddrMasks:real:gauge',
  'icmpOutAddrMaskReps:real:gauge', 'tcpActiveOpens:real:gauge', 'tcpPassiveOpens:real:gauge',
  'tcpAttemptFails:real:gauge', 'tcpEstabResets:real:gauge', 'tcpInSegs:real:gauge', 'tcpOutSegs:real:gauge',
  'tcpRetransSegs:real:gauge', 'tcpInErrs:real:gauge', 'tcpOutRsts:real:gauge', 'udpInDatagrams:real:gauge',
  'udpNoPorts:real:gauge', 'udpInErrors:real:gauge', 'udpOutDatagrams:real:gauge', 'snmpInPkts:real:gauge',
  'snmpOutPkts:real:gauge', 'snmpInBadVersions:real:gauge', 'snmpInBadCommunityNames:real:gauge',
  'snmpInBadCommunityUses:real:gauge', 'snmpInASNParseErrs:real:gauge', 'snmpInTooBigs:real:gauge',
  'snmpInNoSuchNames:real:gauge', 'snmpInBadValues:real:gauge', 'snmpInReadOnlys:real:gauge',
  'snmpInGenErrs:real:gauge', 'snmpInTotalReqVars:real:gauge', 'snmpInTotalSetVars:real:gauge',
  'snmpInGetRequests:real:gauge', 'snmpInGetNexts:real:gauge', 'snmpInSetRequests:real:gauge',
  'snmpInGetResponses:real:gauge', 'snmpInTraps:real:gauge', 'snmpOutTooBigs:real:gauge',
  'snmpOutNoSuchNames:real:gauge', 'snmpOutBadValues:real:gauge', 'snmpOutGenErrs:real:gauge',
  'snmpOutGetRequests:real:gauge', 'snmpOutGetNexts:real:gauge', 'snmpOutSetRequests:real:gauge',
  'snmpOutGetResponses:real:gauge', 'snmpOutTraps:real:gauge', 'fdb_count:real:gauge', 'ms_ports:real:gauge',
  'ms_gauges:real:gauge', 'ms_modules:real:gauge']);

-- One series for each data set that the check of a service measures.
select ts.define('service', 'service_dataset_id', interval '7 days', array['value:float8:gauge:min:max']);

-- The raw counters of a device's ports at its last poll: what the next poll subtracts from, also after a restart.
-- Arrays by port; `counters` is column-major (counter c of port i of n at c * n + i, from 0), 64 bits in two's
-- complement, as one string of octets, most significant first. Bit c of present[i]: counter c was read.
create table if not exists ts.port_state (
  device_id int primary key,
  "time" timestamptz not null,
  port_id int[] not null,
  ticks bigint[] not null,
  present int[] not null,
  counters bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 1);
-- Out of line and as it is: to compress 5 kB at each poll costs seven times the rest of the update.
alter table ts.port_state alter counters set storage external;

-- Rows whose subject was deleted; ts.forget_gone() removes them piece by piece.
create table if not exists ts.gone (base text not null, id int not null, primary key (base, id));

create or replace function ts.note_gone() returns trigger language plpgsql as $f$
begin
  execute format('insert into ts.gone select %L, %I from old_rows on conflict do nothing', tg_argv[0], tg_argv[1]);
  return null;
end $f$;
do $d$
declare
  t text[];
begin
  foreach t slice 1 in array array[
    ['service_datasets', 'service', 'service_dataset_id'],
    ['ports', 'port', 'port_id'], ['sensors', 'sensor', 'sensor_id'], ['wireless_sensors', 'wireless', 'sensor_id'],
    ['processors', 'processor', 'processor_id'],
    ['printer_supplies', 'supply', 'supply_id'],
    ['mempools', 'mempool', 'mempool_id'], ['storage', 'storage', 'storage_id'], ['devices', 'device', 'device_id']]
  loop
    execute format('create or replace trigger note_gone after delete on %I referencing old table as old_rows
      for each statement execute function ts.note_gone(%L, %L)', t[1], t[2], t[3]);
  end loop;
end $d$;

create or replace function ts.counter_at(counters bytea, cell int) returns numeric language sql immutable strict parallel safe as $f$
  select case when v < 0 then v + 18446744073709551616 else v end
  from (select ('x' || encode(substring(counters from cell * 8 + 1 for 8), 'hex'))::bit(64)::bigint::numeric as v) x $f$;
