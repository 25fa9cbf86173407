import { deflateSync } from 'node:zlib'
import type { TestMaria } from './maria.ts'

/** Tables of a recent installation as far as an import reads them, in our own description. */
const TABLES = `
create table migrations (id int primary key, migration varchar(255), batch int);
create table locations (id int unsigned primary key, location varchar(255) unique, lat decimal(10,8), lng decimal(11,8), timestamp datetime, fixed_coordinates tinyint not null default 0);
create table devices (device_id int unsigned primary key, inserted timestamp null, hostname varchar(128) not null, sysName varchar(128), display varchar(128) not null default '',
  display_template varchar(128), ip varbinary(16), overwrite_ip varchar(40), community varchar(255), authlevel enum('noAuthNoPriv','authNoPriv','authPriv'), authname varchar(64), authpass varchar(64),
  cryptopass varchar(64), authalgo varchar(10), cryptoalgo varchar(10), snmpver varchar(4) not null default 'v2c', port smallint unsigned not null default 161, transport varchar(16) not null default 'udp',
  timeout int, retries int, snmp_disable tinyint not null default 0, sysObjectID varchar(128), sysDescr text, os varchar(32), status tinyint not null default 0, status_reason varchar(255) not null default '',
  \`ignore\` tinyint not null default 0, disabled tinyint not null default 0, uptime bigint, last_polled timestamp null, last_ping timestamp null, last_discovered timestamp null, location_id int unsigned, type varchar(20) not null default '',
  notes text, port_association_mode int not null default 1, poller_group int not null default 0);
create table devices_attribs (attrib_id int primary key, device_id int unsigned, attrib_type varchar(64), attrib_value text, updated timestamp null);
create table ports (port_id int unsigned primary key, device_id int unsigned, ifIndex bigint, ifName varchar(255), ifDescr varchar(255), ifAlias varchar(255), ifSpeed bigint, ifType varchar(64), ifPhysAddress varchar(64),
  ifOperStatus varchar(16), ifAdminStatus varchar(16), ifInOctets bigint unsigned, \`ignore\` tinyint not null default 0, disabled tinyint not null default 0, deleted tinyint not null default 0);
create table sensors (sensor_id int unsigned primary key, device_id int unsigned, sensor_class varchar(64), poller_type varchar(16) not null default 'snmp', sensor_oid varchar(255), sensor_index varchar(128), sensor_type varchar(255),
  sensor_descr varchar(255), sensor_divisor bigint not null default 1, sensor_multiplier int not null default 1, sensor_current double, sensor_limit double, sensor_custom varchar(3) not null default 'No', rrd_type varchar(16) not null default 'GAUGE');
create table processors (processor_id int unsigned primary key, device_id int unsigned, processor_oid varchar(128), processor_index varchar(32), processor_type varchar(16), processor_usage int, processor_descr varchar(64), processor_precision int not null default 1);
create table mempools (mempool_id int unsigned primary key, device_id int unsigned, mempool_index varchar(16), mempool_type varchar(32), mempool_class varchar(32), mempool_descr varchar(64), mempool_perc int, mempool_used bigint, mempool_free bigint, mempool_total bigint);
create table users (user_id int unsigned primary key, auth_type varchar(32), username varchar(255), password varchar(255), realname varchar(64), email varchar(64), descr char(30), can_modify_passwd tinyint default 1, enabled tinyint default 1, remember_token varchar(100));
create table roles (id bigint unsigned primary key, name varchar(255), guard_name varchar(255));
create table model_has_roles (role_id bigint unsigned, model_type varchar(255), model_id bigint unsigned);
create table permissions (id bigint unsigned primary key, name varchar(255));
create table role_has_permissions (permission_id bigint unsigned, role_id bigint unsigned);
create table api_tokens (id int unsigned primary key, user_id int unsigned, token_hash varchar(256), description varchar(100), disabled tinyint default 0);
create table devices_perms (id int primary key, user_id int unsigned, device_id int unsigned);
create table device_groups (id int unsigned primary key, name varchar(255) default '', \`desc\` varchar(255), type varchar(16) default 'dynamic', rules text, pattern text);
create table device_group_device (device_group_id int unsigned, device_id int unsigned);
create table services (service_id int unsigned primary key, device_id int unsigned, service_ip text, service_type varchar(255), service_desc text, service_param text, service_ignore tinyint default 0, service_status tinyint default 0,
  service_changed int unsigned default 0, service_message text, service_disabled tinyint default 0, service_ds text, service_name varchar(255));
create table alert_rules (id int unsigned primary key, severity varchar(10), extra varchar(255), disabled tinyint default 0, name varchar(255), query text, builder text, proc varchar(80), invert_map tinyint default 0, notes text, alert_operation_id int);
create table alert_operations (id int primary key, name varchar(255), default_operation_step_duration_seconds int, notifications_suppressed tinyint default 0);
create table alert_operation_segments (id int primary key, alert_operation_id int, position smallint, operation_phase varchar(16), escalation_step_from int default 1, escalation_step_to int, start_in_seconds int, step_duration_seconds int);
create table alert_device_map (id int primary key, rule_id int unsigned, device_id int unsigned);
create table alert_templates (id int unsigned primary key, name varchar(255), template longtext, title varchar(255), title_rec varchar(255));
create table alert_transports (transport_id int unsigned primary key, transport_name varchar(30), transport_type varchar(20), is_default tinyint default 0, transport_config text);
create table alerts (id int unsigned primary key, device_id int unsigned, rule_id int unsigned, state int, alerted int, open int, note text, timestamp timestamp null, info text);
create table alert_log (id int unsigned primary key, rule_id int unsigned, device_id int unsigned, state int, details longblob, time_logged timestamp null);
create table alert_schedule (schedule_id int primary key, recurring tinyint default 0, start datetime, end datetime, recurring_day varchar(15), title varchar(255), notes text, behavior tinyint default 1);
create table alert_schedulables (item_id int unsigned primary key, schedule_id int, alert_schedulable_id int unsigned, alert_schedulable_type varchar(255));
create table bills (bill_id int unsigned primary key, bill_name text, bill_type text, bill_cdr bigint, bill_day int default 1, bill_quota bigint, rate_95th_in bigint default 0, rate_95th_out bigint default 0, rate_95th bigint default 0, dir_95th varchar(3),
  total_data bigint default 0, total_data_in bigint default 0, total_data_out bigint default 0, rate_average_in bigint default 0, rate_average_out bigint default 0, rate_average bigint default 0, bill_last_calc datetime, bill_custid varchar(64) default '', bill_ref varchar(64) default '', bill_notes varchar(256) default '', bill_autoadded tinyint default 0);
create table bill_ports (id int unsigned primary key, bill_id int unsigned, port_id int unsigned, bill_port_autoadded tinyint default 0);
create table bill_data (id bigint unsigned primary key, bill_id int unsigned, timestamp datetime, period int, delta bigint, in_delta bigint, out_delta bigint);
create table bill_history (bill_hist_id int unsigned primary key, bill_id int unsigned, updated timestamp null, bill_datefrom datetime, bill_dateto datetime, bill_type text, bill_allowed bigint, bill_used bigint, bill_overuse bigint, bill_percent decimal(10,2),
  rate_95th_in bigint, rate_95th_out bigint, rate_95th bigint, dir_95th varchar(3), rate_average bigint, rate_average_in bigint, rate_average_out bigint, traf_in bigint, traf_out bigint, traf_total bigint, pdf longblob);
create table device_outages (id int unsigned primary key, device_id int unsigned, going_down bigint, up_again bigint);
create table eventlog (event_id int unsigned primary key, device_id int unsigned, datetime datetime default '1970-01-02 00:00:01', message text, type varchar(64), reference varchar(64), username varchar(128), severity tinyint default 2);
create table config (config_id int primary key, config_name varchar(255), config_value mediumtext);
create table vrfs (vrf_id int unsigned primary key, vrf_oid varchar(256), vrf_name varchar(128), bgpLocalAs int unsigned, mplsVpnVrfRouteDistinguisher varchar(128), mplsVpnVrfDescription text, device_id int unsigned);
create table bgpPeers (bgpPeer_id int unsigned primary key, device_id int unsigned, vrf_id int unsigned, astext varchar(255) not null, bgpPeerIdentifier text, bgpPeerRemoteAs bigint, bgpPeerState text, bgpPeerAdminStatus text, bgpPeerDescr varchar(255) not null default '', context_name varchar(128));
create table bgpPeers_cbgp (device_id int unsigned, bgpPeerIdentifier varchar(64), afi varchar(16), safi varchar(16), AcceptedPrefixes bigint unsigned, context_name varchar(128));
create table ospf_nbrs (id int unsigned primary key, device_id int unsigned, port_id int unsigned, ospf_nbr_id varchar(32), ospfNbrIpAddr varchar(32), ospfNbrRtrId varchar(32), ospfNbrState varchar(32), context_name varchar(128));
create table ospf_ports (id int unsigned primary key, device_id int unsigned, port_id int unsigned, ospf_port_id varchar(32), ospfIfIpAddress varchar(32), ospfIfAreaId varchar(32), context_name varchar(128));
create table ospfv3_instances (id int unsigned primary key, device_id int unsigned, router_id varchar(32), ospfv3AdminStatus varchar(32), context_name varchar(128));
create table ospfv3_areas (id int unsigned primary key, ospfv3_instance_id int unsigned, device_id int unsigned, ospfv3AreaId int unsigned, context_name varchar(128));
create table ospfv3_nbrs (id int unsigned primary key, device_id int unsigned, ospfv3_instance_id int unsigned, port_id int unsigned, router_id varchar(32), ospfv3NbrIfIndex int unsigned, ospfv3NbrIfInstId int unsigned, ospfv3NbrRtrId int unsigned, ospfv3NbrAddress varchar(39), context_name varchar(128));
create table ospfv3_ports (id int unsigned primary key, device_id int unsigned, ospfv3_instance_id int unsigned, ospfv3_area_id int unsigned, port_id int unsigned, ospfv3IfIndex int unsigned, ospfv3IfInstId int unsigned, context_name varchar(128));
create table mpls_services (svc_id int unsigned primary key, svc_oid int unsigned, device_id int unsigned, svcType varchar(16));
create table mpls_saps (sap_id int unsigned primary key, svc_id int unsigned, svc_oid int unsigned, sapPortId int unsigned, ifName varchar(255), device_id int unsigned, sapEncapValue varchar(255));
create table ipsec_tunnels (tunnel_id int unsigned primary key, device_id int unsigned, peer_port int unsigned, peer_addr varchar(64), local_addr varchar(64), local_port int unsigned, tunnel_name varchar(96), tunnel_status varchar(11));
create table ports_stack (device_id int unsigned, port_id_high int unsigned, port_id_low int unsigned, ifStackStatus varchar(32));
create table port_security (id int unsigned primary key, port_id int unsigned, device_id int unsigned, port_security_enable varchar(5), sticky_enable varchar(5));
create table ipv6_nd (id int unsigned primary key, port_id int unsigned, device_id int unsigned, mac_address varchar(32), ipv6_address varchar(128), context_name varchar(128));
create table mpls_lsps (lsp_id int unsigned primary key);
create table dashboards (dashboard_id int unsigned primary key);
create table pollers (id int primary key, poller_name varchar(255), last_polled datetime)`

export const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
/** Longer than 72 bytes, the part of a password that PHP uses. */
export const PASSWORD = `correct horse ${'é'.repeat(20)} battery staple and so on, until it is long enough`

export interface Installation {
  readonly devices: number
  readonly portsPerDevice: number
  /** Epoch seconds of the last update of each file. */
  readonly endS: number
}

const BUILDER =
  '{"condition":"AND","rules":[{"id":"macros.device_down","field":"macros.device_down","type":"integer","input":"radio","operator":"equal","value":"1"}],"valid":true}'

/** `2026-01-31 12:00:00` in the local time of the host, Berlin. */
export function berlin(ms: number): string {
  return new Date(ms).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
}

/**
 * Fills a database with an installation that contains difficult cases: orphans, names in use, invalid bytes, clock
 * changes.
 */
export async function fillInstallation(
  maria: TestMaria,
  { devices, portsPerDevice, endS }: Installation,
): Promise<void> {
  for (const statement of TABLES.split(';')) await maria.run(statement)
  const insert = async (table: string, rows: readonly (readonly unknown[])[], columns: string): Promise<void> => {
    const marks = `(${columns
      .split(',')
      .map(() => '?')
      .join()})`
    for (let i = 0; i < rows.length; i += 200) {
      const some = rows.slice(i, i + 200)
      await maria.run(`insert into ${table} (${columns}) values ${some.map(() => marks).join()}`, some.flat())
    }
  }
  const utc = (s: number): string => new Date(s * 1000).toISOString().slice(0, 19).replace('T', ' ')
  await maria.run("set time_zone = '+00:00'")
  await insert('migrations', [[1, '2026_06_01_000000_something', 1]], 'id,migration,batch')
  await insert(
    'locations',
    [[7, 'Rack “12” \\ Köln 🏢', '50.93750000', '6.96030000', '0000-00-00 00:00:00']],
    'id,location,lat,lng,timestamp',
  )
  const ids = Array.from({ length: devices }, (_, d) => 42 + d)
  await insert(
    'devices',
    ids.map((id, d) => [
      id,
      utc(endS - 86_400),
      d === 1 ? '2001:db8::20' : `router-${id}.example.net`,
      `router-${id}`,
      `Router ${id}`,
      null,
      Buffer.from([10, 39, 92, d % 256]),
      `comm"'\\${id}`,
      'v2c',
      161,
      'udp',
      d === 2 ? 0 : null,
      1,
      utc(endS - 30),
      utc(endS - 20),
      utc(endS - 3600),
      7,
      'it’s a\nnote',
      'linux',
    ]),
    'device_id,inserted,hostname,sysName,display,display_template,ip,community,snmpver,port,transport,timeout,status,last_polled,last_ping,last_discovered,location_id,notes,os',
  )
  await insert(
    'devices_attribs',
    [
      [1, 42, 'poll_bgp', '0'],
      [2, 42, 'poll_bgp', '1'],
      [3, 9999, 'x', 'y'],
      [4, 42, 'ipmi_password', 'secret'],
    ],
    'attrib_id,device_id,attrib_type,attrib_value',
  )
  await insert(
    'ports',
    [
      ...ids.flatMap((id, d) =>
        Array.from({ length: portsPerDevice }, (_, p) => [
          4711 + d * portsPerDevice + p,
          id,
          p + 1,
          `eth${p}`,
          `eth${p}`,
          `uplink ${p}`,
          1e9,
          'ethernetCsmacd',
          'up',
          'up',
        ]),
      ),
      [999_999, 31_337, 1, 'gone', 'gone', '', 1, 'x', 'up', 'up'],
    ],
    'port_id,device_id,ifIndex,ifName,ifDescr,ifAlias,ifSpeed,ifType,ifOperStatus,ifAdminStatus',
  )
  await insert(
    'sensors',
    ids.flatMap((id, d) => [
      [100 + 2 * d, id, 'temperature', '.1.3.6.1.4.1.1.1', 'a/b', 'test', 'Inlet', 21.5],
      [101 + 2 * d, id, 'temperature', '.1.3.6.1.4.1.1.2', 'a_b', 'test', 'shares the file', 21.5],
    ]),
    'sensor_id,device_id,sensor_class,sensor_oid,sensor_index,sensor_type,sensor_descr,sensor_current',
  )
  await insert(
    'processors',
    ids.map((id, d) => [500 + d, id, '.1.3.6.1.2.1.25.3.3.1.2.1', '1', 'hr', 5, 'CPU']),
    'processor_id,device_id,processor_oid,processor_index,processor_type,processor_usage,processor_descr',
  )
  await insert(
    'mempools',
    ids.map((id, d) => [600 + d, id, '1', 'hrstorage', 'system', 'Physical memory', 50, 500, 500, 1000]),
    'mempool_id,device_id,mempool_index,mempool_type,mempool_class,mempool_descr,mempool_perc,mempool_used,mempool_free,mempool_total',
  )
  const hash = (
    await Bun.password.hash(Buffer.from(PASSWORD).subarray(0, 72), { algorithm: 'bcrypt', cost: 4 })
  ).replace('$2b$', '$2y$')
  await insert(
    'users',
    [
      [3, 'mysql', 'alice', hash, 'Alice', 'alice@example.net', ''],
      [4, 'ldap', 'bob', null, 'Bob', '', ''],
      [5, 'mysql', 'carol', '$P$Babcdefgh', 'Carol', '', ''],
    ],
    'user_id,auth_type,username,password,realname,email,descr',
  )
  await insert(
    'roles',
    [
      [1, 'admin', 'web'],
      [2, 'operators', 'web'],
    ],
    'id,name,guard_name',
  )
  await insert('permissions', [[1, 'device.update']], 'id,name')
  await insert('role_has_permissions', [[1, 2]], 'permission_id,role_id')
  await insert(
    'model_has_roles',
    [
      [1, 'App\\Models\\User', 3],
      [2, 'App\\Models\\User', 4],
    ],
    'role_id,model_type,model_id',
  )
  await insert(
    'api_tokens',
    [
      [1, 3, TOKEN, 'scripts', 0],
      [2, 4, `${TOKEN}2`, 'old', 1],
      [3, 77, `${TOKEN}3`, 'of nobody', 0],
    ],
    'id,user_id,token_hash,description,disabled',
  )
  await insert('devices_perms', [[1, 4, 42]], 'id,user_id,device_id')
  await insert('device_groups', [[11, 'Core', 'the core', 'static', '']], 'id,name,`desc`,type,rules')
  await insert(
    'device_group_device',
    [
      [11, 42],
      [11, 9999],
    ],
    'device_group_id,device_id',
  )
  await insert(
    'services',
    [[21, 42, '', 'http', 'web', '-p 80', '{"time":{"uom":"s","full_name":"Time"}}', 'web']],
    'service_id,device_id,service_ip,service_type,service_desc,service_param,service_ds,service_name',
  )
  await insert(
    'alert_rules',
    [
      [31, 'critical', '{"mute":true,"count":"5","delay":0,"interval":1}', 'Device down', '', BUILDER, 1],
      [32, 'warning', '{"options":{"override_query":"on"}}', 'By hand', 'select 1', '', null],
    ],
    'id,severity,extra,name,query,builder,alert_operation_id',
  )
  await insert(
    'alert_operations',
    [[1, 'default', 300, 0]],
    'id,name,default_operation_step_duration_seconds,notifications_suppressed',
  )
  await insert(
    'alert_operation_segments',
    [[1, 1, 1, 'problem', 1, 3, 120, 0]],
    'id,alert_operation_id,position,operation_phase,escalation_step_from,escalation_step_to,start_in_seconds,step_duration_seconds',
  )
  await insert('alert_device_map', [[1, 31, 42]], 'id,rule_id,device_id')
  await insert('alert_templates', [[41, 'Default', '{{ $alert->title }}', 'Alert']], 'id,name,template,title')
  await insert(
    'alert_transports',
    [[51, 'Mail', 'mail', 1, '{"email":"noc@example.net"}']],
    'transport_id,transport_name,transport_type,is_default,transport_config',
  )
  await insert(
    'alerts',
    [
      [61, 42, 31, 1, 0, 1, utc(endS - 600), ''],
      [62, 9999, 31, 1, 0, 1, utc(endS), ''],
    ],
    'id,device_id,rule_id,state,alerted,open,timestamp,info',
  )

  await insert(
    'alert_log',
    [
      [71, 31, 42, 1, zlibOf('{"rule":[{"hostname":"router-42"}]}'), utc(endS - 600)],
      [72, 31, 42, 0, Buffer.from([0x78, 1, 2]), utc(endS - 300)],
    ],
    'id,rule_id,device_id,state,details,time_logged',
  )
  await insert(
    'alert_schedule',
    [[81, 0, '2026-12-24 18:00:00', '2026-12-24 20:00:00', 'Holiday', 'quiet']],
    'schedule_id,recurring,start,end,title,notes',
  )
  await insert(
    'alert_schedulables',
    [
      [1, 81, 42, 'device'],
      [2, 81, 9999, 'device'],
    ],
    'item_id,schedule_id,alert_schedulable_id,alert_schedulable_type',
  )
  await insert(
    'bills',
    [[5, 'Transit', 'cdr', 1e9, 1, 'in', berlin(endS * 1000)]],
    'bill_id,bill_name,bill_type,bill_cdr,bill_day,dir_95th,bill_last_calc',
  )
  await insert(
    'bill_ports',
    [
      [1, 5, 4711],
      [2, 5, 999_999],
    ],
    'id,bill_id,port_id',
  )
  // The night in which the clocks are set back, followed by the newest rows.
  const night = Date.parse('2026-10-25T00:00:00Z') / 1000
  const moments = [
    ...Array.from({ length: 36 }, (_, i) => night - 3600 + i * 300),
    ...Array.from({ length: 100 }, (_, i) => endS - 30_000 + i * 300),
  ]
  await insert(
    'bill_data',
    moments.map((s, i) => [i + 1, 5, berlin(s * 1000), 300, 3000 + i, 1000 + i, 2000]),
    'id,bill_id,timestamp,period,delta,in_delta,out_delta',
  )
  await insert(
    'bill_history',
    [
      [
        91,
        5,
        '2026-10-31 22:59:59',
        '2026-10-01 00:00:00',
        '2026-10-31 23:59:59',
        'CDR',
        1e9,
        5e8,
        0,
        '50.00',
        1,
        2,
        3,
        'in',
        4,
        5,
        6,
        7,
        8,
        15,
      ],
    ],
    'bill_hist_id,bill_id,updated,bill_datefrom,bill_dateto,bill_type,bill_allowed,bill_used,bill_overuse,bill_percent,rate_95th_in,rate_95th_out,rate_95th,dir_95th,rate_average,rate_average_in,rate_average_out,traf_in,traf_out,traf_total',
  )
  await insert(
    'device_outages',
    [
      [1, 42, endS - 90_000, endS - 89_000],
      [2, 9999, 1, 2],
    ],
    'id,device_id,going_down,up_again',
  )
  await insert(
    'eventlog',
    Array.from({ length: 30 }, (_, i) => [
      i + 1,
      i === 3 ? 9999 : 42,
      berlin((endS - 3000 + i * 60) * 1000),
      `event ${i} 🏢 it's`,
      'system',
      '42',
    ]),
    'event_id,device_id,datetime,message,type,reference',
  )
  await insert(
    'config',
    [
      [1, 'snmp.community', '["public","it\'s"]'],
      [2, 'bad_if.0', '"lo"'],
      [3, 'bad_if.1', '"tun"'],
      [4, 'ping_rrd_step', '60'],
      [5, 'graylog.password', '"geheim"'],
      [6, 'bad_if_regexp', '["/^ng[0-9]+$/i"]'],
    ],
    'config_id,config_name,config_value',
  )
  await insert(
    'vrfs',
    [[301, '10', 'customer', 42, '1:1', '', 42]],
    'vrf_id,vrf_oid,vrf_name,bgpLocalAs,mplsVpnVrfRouteDistinguisher,mplsVpnVrfDescription,device_id',
  )
  await insert(
    'bgpPeers',
    [
      [311, 42, 301, 'EXAMPLE', '192.0.2.1', 64_496, 'established', 'start', 'a transit', null],
      [312, 42, null, '', '192.0.2.2', 64_497, 'idle', 'start', '', ''],
    ],
    'bgpPeer_id,device_id,vrf_id,astext,bgpPeerIdentifier,bgpPeerRemoteAs,bgpPeerState,bgpPeerAdminStatus,bgpPeerDescr,context_name',
  )
  await insert(
    'bgpPeers_cbgp',
    [[42, '192.0.2.1', 'ipv4', 'unicast', 900_000, null]],
    'device_id,bgpPeerIdentifier,afi,safi,AcceptedPrefixes,context_name',
  )
  await insert(
    'ospf_nbrs',
    [[321, 42, 4711, '192.0.2.9.0', '192.0.2.9', '198.51.100.9', 'full', null]],
    'id,device_id,port_id,ospf_nbr_id,ospfNbrIpAddr,ospfNbrRtrId,ospfNbrState,context_name',
  )
  await insert(
    'ospf_ports',
    [
      [331, 42, 4712, '192.0.2.8.0', '192.0.2.8', '0.0.0.0', ''],
      [332, 42, 888_888, '192.0.2.7.0', '192.0.2.7', '0.0.0.0', ''],
    ],
    'id,device_id,port_id,ospf_port_id,ospfIfIpAddress,ospfIfAreaId,context_name',
  )
  await insert(
    'ospfv3_instances',
    [[341, 42, '198.51.100.1', 'enabled', null]],
    'id,device_id,router_id,ospfv3AdminStatus,context_name',
  )
  await insert(
    'ospfv3_areas',
    [[351, 341, 42, 4_000_000_000, '']],
    'id,ospfv3_instance_id,device_id,ospfv3AreaId,context_name',
  )
  await insert(
    'ospfv3_nbrs',
    [[361, 42, 341, 4711, '198.51.100.2', 1, 0, 77, 'fe80::1', null]],
    'id,device_id,ospfv3_instance_id,port_id,router_id,ospfv3NbrIfIndex,ospfv3NbrIfInstId,ospfv3NbrRtrId,ospfv3NbrAddress,context_name',
  )
  await insert(
    'ospfv3_ports',
    [[371, 42, 341, 351, 4711, 1, 0, null]],
    'id,device_id,ospfv3_instance_id,ospfv3_area_id,port_id,ospfv3IfIndex,ospfv3IfInstId,context_name',
  )
  await insert('mpls_services', [[381, 100, 42, 'epipe']], 'svc_id,svc_oid,device_id,svcType')
  await insert(
    'mpls_saps',
    [[391, 381, 100, 35_684_352, '1/1/1', 42, '10']],
    'sap_id,svc_id,svc_oid,sapPortId,ifName,device_id,sapEncapValue',
  )
  await insert(
    'ipsec_tunnels',
    [[401, 42, 500, '192.0.2.50', '192.0.2.51', 500, 'branch', 'active']],
    'tunnel_id,device_id,peer_port,peer_addr,local_addr,local_port,tunnel_name,tunnel_status',
  )
  await insert('ports_stack', [[42, 3, 1, 'active']], 'device_id,port_id_high,port_id_low,ifStackStatus')
  await insert(
    'port_security',
    [[411, 4711, 42, 'true', 'false']],
    'id,port_id,device_id,port_security_enable,sticky_enable',
  )
  await insert(
    'ipv6_nd',
    [[421, 4711, 42, '0200c0a80001', '2001:0db8:0000:0000:0000:0000:0000:0001', '']],
    'id,port_id,device_id,mac_address,ipv6_address,context_name',
  )
  await insert('pollers', [[1, 'localhost', berlin(endS * 1000)]], 'id,poller_name,last_polled')
}

function zlibOf(text: string): Buffer {
  return Buffer.from(deflateSync(text))
}
