-- Schema `grafana`: the inventory, and functions over the series, for dashboards. Names need no quotes and carry the
-- unit. No view has a secret; tests/grafana/role.test.ts lists all that the role reaches.

select ts.make_view('grafana.devices', $v$
  select d.device_id, d.hostname, coalesce(nullif(d.display, ''), d.hostname) as display_name, d."sysName" as sys_name,
    host(d.ip) as ip, case when d.disabled = 1 then 'disabled' when d.status = 1 then 'up' else 'down' end as status,
    d.status_reason, d.os, d.version, d.hardware, d.serial, d.type, d.purpose, l.location, l.lat::float8 as latitude,
    l.lng::float8 as longitude,
    (select string_agg(g.name, ', ' order by g.name) from public.device_group_device m
      join public.device_groups g on g.id = m.device_group_id where m.device_id = d.device_id) as groups,
    d.uptime as uptime_s, d.last_polled as last_polled_at, d.last_discovered as last_discovered_at,
    d.last_polled_timetaken as last_poll_s, d.last_ping_timetaken as last_ping_ms, d.inserted as added_at,
    d.ignore = 1 as ignored, d.disabled = 1 as disabled
  from public.devices d left join public.locations l on l.id = d.location_id$v$);

-- One row per device and group it is in.
select ts.make_view('grafana.device_groups', $v$
  select g.id as device_group_id, g.name as device_group, d.device_id, d.hostname
  from public.device_groups g join public.device_group_device m on m.device_group_id = g.id
    join public.devices d on d.device_id = m.device_id$v$);

select ts.make_view('grafana.ports', $v$
  select p.port_id, d.device_id, d.hostname, p."ifIndex" as if_index, coalesce(nullif(p."ifName", ''), p."ifDescr") as port,
    p."ifDescr" as description, p."ifAlias" as alias, p."ifType" as type, p."ifSpeed" as speed_bps, p."ifMtu" as mtu_octets,
    p."ifPhysAddress" as mac_address, p."ifAdminStatus" as admin_status, p."ifOperStatus" as oper_status,
    p."ifDuplex" as duplex, p."ifVlan" as vlan, p.ignore = 1 as ignored, p.disabled = 1 as disabled, p.deleted = 1 as deleted
  from public.ports p join public.devices d on d.device_id = p.device_id$v$);

-- status: ok, warning, critical, or unknown (no value, or a state without a meaning). Limits as in the API.
do $d$
declare
  t record;
begin
  for t in select * from (values
    ('sensors', 'sensors', 'sensor_unit',
      'left join lateral (select t.state_descr, t.state_generic_value from public.sensors_to_state_indexes i
        join public.state_translations t on t.state_index_id = i.state_index_id
        where i.sensor_id = s.sensor_id and t.state_value = s.sensor_current limit 1) st on s.sensor_class = ''state''',
      'st.state_descr', 'when s.sensor_class = ''state'' then case st.state_generic_value when 0 then ''ok'' when 1 then ''warning''
        when 2 then ''critical'' else ''unknown'' end'),
    ('wireless', 'wireless_sensors', 'wireless_unit', '', 'null::text', '')) x(name, source, unit, joins, state, by_state)
  loop
    perform ts.make_view('grafana.' || t.name, format($v$
      select s.sensor_id, d.device_id, d.hostname, s.sensor_class, coalesce(s.sensor_descr, s.sensor_index, '') as sensor,
        s.sensor_current as value, grafana.%2$I(s.sensor_class) as unit, %4$s as state_name,
        case when s.sensor_current is null then 'unknown' %5$s
          when s.sensor_current > s.sensor_limit or s.sensor_current < s.sensor_limit_low then 'critical'
          when s.sensor_current > s.sensor_limit_warn or s.sensor_current < s.sensor_limit_low_warn then 'warning'
          else 'ok' end as status,
        s.sensor_limit as limit_high, s.sensor_limit_warn as limit_high_warning, s.sensor_limit_low as limit_low,
        s.sensor_limit_low_warn as limit_low_warning, s.sensor_alert = 1 as alerts_on, s.lastupdate as changed_at
      from public.%1$I s join public.devices d on d.device_id = s.device_id %3$s where s.sensor_deleted = 0$v$,
      t.source, t.unit, t.joins, t.state, t.by_state));
  end loop;
end $d$;

select ts.make_view('grafana.processors', $v$
  select x.processor_id, d.device_id, d.hostname, x.processor_descr as processor, x.processor_usage as usage_percent,
    x.processor_perc_warn as warning_percent
  from public.processors x join public.devices d on d.device_id = x.device_id$v$);
select ts.make_view('grafana.memory', $v$
  select x.mempool_id, d.device_id, d.hostname, x.mempool_descr as mempool, x.mempool_class as class, x.mempool_used as used_octets,
    x.mempool_free as free_octets, x.mempool_total as total_octets, x.mempool_perc as used_percent,
    x.mempool_perc_warn as warning_percent
  from public.mempools x join public.devices d on d.device_id = x.device_id where x.mempool_deleted = 0$v$);
select ts.make_view('grafana.storage', $v$
  select x.storage_id, d.device_id, d.hostname, x.storage_descr as storage, x.storage_type as type, x.storage_used as used_octets,
    x.storage_free as free_octets, x.storage_size as total_octets, x.storage_perc as used_percent,
    x.storage_perc_warn as warning_percent
  from public.storage x join public.devices d on d.device_id = x.device_id$v$);
select ts.make_view('grafana.supplies', $v$
  select x.supply_id, d.device_id, d.hostname, x.supply_type, x.supply_descr as supply, x.supply_current as level_percent
  from public.printer_supplies x join public.devices d on d.device_id = x.device_id$v$);

select ts.make_view('grafana.bgp_peers', $v$
  select b."bgpPeer_id" as bgp_peer_id, d.device_id, d.hostname, b."bgpPeerIdentifier" as peer, b."bgpLocalAddr" as local_address,
    b."bgpPeerRemoteAs" as remote_as, coalesce(nullif(b.astext, ''), n.name) as remote_as_name, b."bgpPeerDescr" as description,
    v.vrf_name as vrf, b."bgpPeerState" as state, b."bgpPeerAdminStatus" as admin_status,
    b."bgpPeerFsmEstablishedTime" as state_since_s, b."bgpPeerLastErrorText" as last_error,
    (select sum(c."AcceptedPrefixes")::bigint from public."bgpPeers_cbgp" c where c.device_id = b.device_id
      and c."bgpPeerIdentifier" = b."bgpPeerIdentifier" and c.context_name is not distinct from b.context_name) as accepted_prefixes
  from public."bgpPeers" b join public.devices d on d.device_id = b.device_id
    left join public.as_names n on n.asn = b."bgpPeerRemoteAs" left join public.vrfs v on v.vrf_id = b.vrf_id$v$);

select ts.make_view('grafana.spanning_trees', $v$
  select t.stp_id, d.device_id, d.hostname, t.instance, t.vlan, t.protocol, t."bridgeAddress" as bridge_address, t.priority,
    t."designatedRoot" as root_address, t."rootPriority" as root_priority, t.is_root = 1 as is_root,
    t."rootCost" as root_cost, coalesce(nullif(p."ifName", ''), p."ifDescr") as root_port, t."topChanges" as topology_changes,
    t."timeSinceTopologyChange" as since_change_s
  from public.stp t join public.devices d on d.device_id = t.device_id
    left join public.ports_stp s on s.device_id = t.device_id and s.instance = t.instance and s.port_index = t."rootPort"
      and t.is_root is distinct from 1
    left join public.ports p on p.port_id = s.port_id$v$)
  -- not in a schema of an earlier version, to which a backup of that version is restored first
  where to_regclass('public.stp') is not null;
select ts.make_view('grafana.spanning_tree_ports', $v$
  select s.port_stp_id, d.device_id, d.hostname, s.instance, s.vlan, s.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port,
    s.state, s.role, s.priority, s."pathCost" as path_cost, s."designatedBridge" as designated_bridge,
    s."forwardTransitions" as forward_transitions, s.edge = 1 as edge
  from public.ports_stp s join public.devices d on d.device_id = s.device_id left join public.ports p on p.port_id = s.port_id$v$)
  where to_regclass('public.ports_stp') is not null;
select ts.make_view('grafana.isis_adjacencies', $v$
  select a.id as isis_adjacency_id, d.device_id, d.hostname, a.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port,
    a."isisISAdjNeighSysID" as neighbour, a."isisISAdjIPAddrAddress" as neighbour_address, a."isisISAdjUsage" as level,
    a."isisISAdjAreaAddress" as area, a."isisISAdjState" as state, a."isisISAdjUptime" as up_s
  from public.isis_adjacencies a join public.devices d on d.device_id = a.device_id left join public.ports p on p.port_id = a.port_id$v$)
  where to_regclass('public.isis_adjacencies') is not null;
select ts.make_view('grafana.default_routes', $v$
  select r.default_route_id, d.device_id, d.hostname, r.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port, r.next_hop
  from public.default_routes r join public.devices d on d.device_id = r.device_id left join public.ports p on p.port_id = r.port_id$v$)
  where to_regclass('public.default_routes') is not null;

select ts.make_view('grafana.qos_classes', $v$
  select q.qos_id, d.device_id, d.hostname, q.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port, q.circuit, q.direction,
    q.policy, q.class, q.offered_rate as offered_bits_per_s, q.sent_rate as sent_bits_per_s, q.dropped_rate as dropped_bits_per_s,
    q.offered_packets_rate as offered_packets_per_s, q.dropped_packets_rate as dropped_packets_per_s
  from public.qos_classes q join public.devices d on d.device_id = q.device_id left join public.ports p on p.port_id = q.port_id$v$)
  where to_regclass('public.qos_classes') is not null;

-- One row per rule and device that ever matched.
select ts.make_view('grafana.alerts', $v$
  select a.id as alert_id, d.device_id, d.hostname, r.id as rule_id, r.name as rule, r.severity,
    case a.state when 0 then 'ok' when 1 then 'active' when 2 then 'acknowledged' when 3 then 'worse' when 4 then 'better'
      when 5 then 'changed' end as state, a."timestamp" as changed_at, a.note
  from public.alerts a join public.alert_rules r on r.id = a.rule_id join public.devices d on d.device_id = a.device_id$v$);
select ts.make_view('grafana.alert_log', $v$
  select l.time_logged as "time", l.id as alert_log_id, d.device_id, d.hostname, r.id as rule_id, r.name as rule, r.severity,
    case l.state when 0 then 'ok' when 1 then 'active' when 2 then 'acknowledged' when 3 then 'worse' when 4 then 'better'
      when 5 then 'changed' end as state
  from public.alert_log l join public.alert_rules r on r.id = l.rule_id join public.devices d on d.device_id = l.device_id$v$);
-- One row per thing that a rule found wrong, from its beginning to its end.
select ts.make_view('grafana.faults', $v$
  select f.began_at as "time", f.id as fault_id, f.alert_id, d.device_id, d.hostname, r.id as rule_id, r.name as rule, f.severity,
    case f.state when 0 then 'over' when 1 then 'active' when 2 then 'acknowledged' end as state, f.kind, f.subject_id,
    f.message, f.ended_at, extract(epoch from coalesce(f.ended_at, now()) - f.began_at)::float8 as duration_s,
    f.acknowledged_by, u.username as assigned_to
  from public.faults f join public.alert_rules r on r.id = f.rule_id join public.devices d on d.device_id = f.device_id
    left join public.users u on u.user_id = f.assigned_to$v$)
  -- not in a schema of an earlier version, to which a backup of that version is restored first
  where to_regclass('public.faults') is not null;
-- Events of devices, from the partitioned log. Those of users and of the program, which have no device, are not here.
select ts.make_view('grafana.events', $v$
  select e.datetime as "time", e.event_id, d.device_id, d.hostname, e.type, e.message,
    case e.severity when 1 then 'ok' when 2 then 'info' when 3 then 'notice' when 4 then 'warning' when 5 then 'error'
      else 'unknown' end as severity
  from public.eventlog e join public.devices d on d.device_id = e.device_id$v$);

select ts.make_view('grafana.availability', $v$
  select d.device_id, d.hostname, a.duration as window_s, a.availability_perc::float8 as availability_percent
  from public.availability a join public.devices d on d.device_id = a.device_id$v$);
-- up_at null: the device is still down.
select ts.make_view('grafana.outages', $v$
  select to_timestamp(o.going_down) as down_at, to_timestamp(o.up_again) as up_at, d.device_id, d.hostname,
    coalesce(o.up_again, extract(epoch from now())::bigint) - o.going_down as outage_s
  from public.device_outages o join public.devices d on d.device_id = o.device_id$v$);

-- Figures of the current period, as of calculated_at.
select ts.make_view('grafana.bills', $v$
  select b.bill_id, b.bill_name as bill, b.bill_type as type, b.bill_cdr as cdr_bits_per_s, b.bill_quota as quota_octets,
    b.bill_day as first_day, b.dir_95th as direction_95th, b.rate_95th as rate_95th_bits_per_s,
    b.rate_95th_in as rate_95th_in_bits_per_s, b.rate_95th_out as rate_95th_out_bits_per_s,
    b.rate_average as average_bits_per_s, b.total_data as total_octets, b.total_data_in as total_in_octets,
    b.total_data_out as total_out_octets, case b.bill_type when 'cdr' then b.rate_95th * 100.0::float8 / nullif(b.bill_cdr, 0)
      else b.total_data * 100.0::float8 / nullif(b.bill_quota, 0) end as used_percent,
    b.bill_custid as customer, b.bill_ref as reference, b.bill_last_calc as calculated_at
  from public.bills b$v$);
-- One row per bill and 5 minutes, which end at `time`. unknown_s: seconds of them without a sample, of all ports.
select ts.make_view('grafana.bill_traffic', $v$
  select t."timestamp" as "time", b.bill_id, b.bill_name as bill, t.period as period_s,
    t.in_delta * 8.0::float8 / nullif(t.period, 0) as in_bits_per_s, t.out_delta * 8.0::float8 / nullif(t.period, 0) as out_bits_per_s,
    t.in_delta as in_octets, t.out_delta as out_octets, t.unknown_s
  from public.bill_data t join public.bills b on b.bill_id = t.bill_id$v$);
select ts.make_view('grafana.bill_periods', $v$
  select h.bill_datefrom as period_from, h.bill_dateto as period_to, b.bill_id, b.bill_name as bill, h.bill_type as type,
    case h.bill_type when 'cdr' then h.bill_allowed end as cdr_bits_per_s,
    case h.bill_type when 'quota' then h.bill_allowed end as quota_octets,
    h.rate_95th as rate_95th_bits_per_s, h.rate_average as average_bits_per_s, h.traf_total as total_octets,
    h.bill_percent::float8 as used_percent
  from public.bill_history h join public.bills b on b.bill_id = h.bill_id$v$);

-- How each device is polled. failure null: the last poll and discovery had none.
select ts.make_view('grafana.poller', $v$
  select d.device_id, d.hostname, d.poll_interval as own_interval_s, d.last_polled as last_polled_at,
    d.last_poll_attempted as last_attempt_at, d.last_polled_timetaken as last_poll_s, d.last_discovered as last_discovered_at,
    d.last_discovered_timetaken as last_discovery_s, f.kind as failure, f.since as failing_since
  from public.devices d left join public.device_failures f on f.device_id = d.device_id where d.disabled = 0$v$);
-- Processes that poll, as of their last report.
select ts.make_view('grafana.pollers', $v$
  select p.id as poller_id, p.poller_name as poller, p.last_polled as last_report_at, p.devices as devices_per_minute,
    p.time_taken as busy_s
  from public.pollers p$v$);

-- Roll-ups of ports without the live tail, which costs a few hundred milliseconds with ten thousand ports: for
-- functions below and for queries that can do without the last hour (or day). in_known_s, out_known_s: time for which the
-- octets of the direction are known.
select ts.make_view('grafana.port_totals', $v$
  select s."time", s.port_id, s.period_ms / 1000.0::float8 as period_s, s.in_octets, s.out_octets,
    s.in_err as in_errors, s.out_err as out_errors, s.in_disc as in_discards, s.out_disc as out_discards,
    case when s.in_octets is not null then s.period_ms / 1000.0::float8 end as in_known_s,
    case when s.out_octets is not null then s.period_ms / 1000.0::float8 end as out_known_s
  from ts.port_samples_dated s$v$);
select ts.make_view('grafana.port_totals_1h', $v$
  select s.bucket as "time", s.port_id, s.period_ms / 1000.0::float8 as period_s, s.in_octets, s.out_octets,
    s.in_err as in_errors, s.out_err as out_errors, s.in_disc as in_discards, s.out_disc as out_discards,
    case when s.in_octets is not null then coalesce(s.known[1], s.period_ms) / 1000.0::float8 end as in_known_s,
    case when s.out_octets is not null then coalesce(s.known[2], s.period_ms) / 1000.0::float8 end as out_known_s
  from ts.port_1h_dated s where s.bucket < (select ts.watermark('ts.port_1h'))$v$);
select ts.make_view('grafana.port_totals_1d', $v$
  select s.bucket as "time", s.port_id, s.period_ms / 1000.0::float8 as period_s, s.in_octets, s.out_octets,
    s.in_err as in_errors, s.out_err as out_errors, s.in_disc as in_discards, s.out_disc as out_discards,
    case when s.in_octets is not null then coalesce(s.known[1], s.period_ms) / 1000.0::float8 end as in_known_s,
    case when s.out_octets is not null then coalesce(s.known[2], s.period_ms) / 1000.0::float8 end as out_known_s
  from ts.port_1d_dated s where s.bucket < (select ts.watermark('ts.port_1d'))$v$);
-- They read all ports of a range. Rows are written in the order of time, so a small index by ranges of pages finds them; the
-- primary key begins with the port.
create index if not exists port_1h_bucket on ts.port_1h using brin (bucket) with (pages_per_range = 32, autosummarize = on);
create index if not exists port_1d_bucket on ts.port_1d using brin (bucket) with (pages_per_range = 32, autosummarize = on);
-- The levels of each kind: how long they are kept, and up to when a roll-up is complete (null: samples).
select ts.make_view('grafana.levels', $v$
  select s.base as kind, s.level, s.keep, r.width, r.watermark as complete_to
  from ts.series s left join ts.rollup r on r.dst = s.rel$v$);
