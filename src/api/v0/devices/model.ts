import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Value, Whole } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'

const Flag = t.Boolean()
const IsoTime = t.Union([t.String({ description: 'ISO 8601 UTC with microseconds' }), t.Null()])
const LocalTime = t.Union([t.String({ description: 'Y-m-d H:i:s, server time' }), t.Null()])

/** Members with the same type in both forms of the record. */
const shared = {
  device_id: whole(),
  hostname: t.String(),
  sysName: t.String(),
  display: t.String(),
  display_template: Text,
  ip: t.String({ description: 'Printable form; empty if unknown' }),
  overwrite_ip: Text,
  community: Text,
  authlevel: Text,
  authname: Text,
  authpass: Text,
  authalgo: Text,
  cryptopass: Text,
  cryptoalgo: Text,
  snmpver: t.String(),
  port: whole(),
  transport: t.String(),
  timeout: Whole,
  retries: Whole,
  bgpLocalAs: Whole,
  sysObjectID: Text,
  snmpEngineID: Text,
  sysDescr: Text,
  sysContact: Text,
  version: Text,
  hardware: t.String(),
  features: Text,
  location_id: Whole,
  os: Text,
  status_reason: t.String(),
  uptime: Whole,
  agent_uptime: whole(),
  last_poll_attempted: LocalTime,
  last_polled_timetaken: t.Number(),
  last_discovered_timetaken: t.Number(),
  last_ping_timetaken: Value,
  purpose: Text,
  type: t.String(),
  serial: Text,
  icon: Text,
  poller_group: whole(),
  notes: Text,
  port_association_mode: whole(),
  max_depth: whole(),
  location: Text,
}

/** A device in model form: booleans, ISO times. Secrets are null for all but administrators. */
export const Device = t.Object(
  {
    ...shared,
    inserted: IsoTime,
    last_polled: IsoTime,
    last_discovered: IsoTime,
    last_ping: IsoTime,
    snmp_disable: Flag,
    status: Flag,
    ignore: Flag,
    disabled: Flag,
    override_sysLocation: Flag,
    disable_notify: Flag,
    ignore_status: Flag,
    mtu_status: Flag,
    lat: Value,
    lng: Value,
  },
  { title: 'Device' },
)
export type Device = typeof Device.static

const Bit = t.Union([t.Literal(0), t.Literal(1)])

/** A device in raw form, as in list_devices: flags 0/1, local times, decimal text. */
export const DeviceListRecord = t.Object(
  {
    ...shared,
    inserted: LocalTime,
    last_polled: LocalTime,
    last_discovered: LocalTime,
    last_ping: LocalTime,
    snmp_disable: Bit,
    status: Bit,
    ignore: Bit,
    disabled: Bit,
    override_sysLocation: t.Union([Bit, t.Null()]),
    disable_notify: Bit,
    ignore_status: Bit,
    mtu_status: Bit,
    lat: Text,
    lng: Text,
    dependency_parent_id: t.Union([t.String({ description: 'Ids, separated by commas' }), t.Null()]),
    dependency_parent_hostname: Text,
  },
  { title: 'DeviceRow' },
)

const Message = t.Object({ status: Ok, message: t.String() }, { title: 'Done' })
const Credential = t.Optional(t.String())

export const DeviceModel = {
  hostname: documented(t.Object({ hostname: t.String({ description: 'Hostname, numeric device id, or address' }) })),
  listQuery: documented(
    t.Object({
      order: t.Optional(t.String({ description: 'Column, optionally followed by ASC or DESC; default hostname' })),
      type: t.Optional(
        t.String({
          description:
            'all, active, ignored, up, down, disabled; or with query: os, mac, ipv4, ipv6, location, location_id, hostname, sysName, display, device_id, type, serial, version, hardware, features',
        }),
      ),
      query: t.Optional(t.String({ description: 'Search text, for types that search' })),
      columns: t.Optional(t.String({ description: 'Members of the records, separated by commas; absent: all' })),
      limit: t.Optional(t.String({ description: 'Maximum number of devices in the answer; absent: all' })),
      offset: t.Optional(t.String({ description: 'Number of devices to skip; absent: none' })),
    }),
  ),
  list: documented(
    t.Object({
      status: Ok,
      devices: t.Array(t.Partial(DeviceListRecord, { title: 'DeviceColumns' })),
      count: whole(),
      total: t.Optional(whole({ description: 'Devices on all pages; only with columns, limit or offset' })),
    }),
  ),
  one: documented(t.Object({ status: Ok, devices: t.Array(Device), count: whole() })),
  add: documented(
    t.Object({
      hostname: t.String(),
      version: t.Optional(t.String({ description: 'v1, v2c or v3; also as snmpver' })),
      snmpver: t.Optional(t.String()),
      port: t.Optional(t.Union([whole(), t.String()])),
      transport: t.Optional(t.String({ description: 'udp, udp6, tcp, tcp6' })),
      poller_group: t.Optional(t.Union([whole(), t.String()])),
      force_add: t.Optional(t.Union([t.Boolean(), whole()])),
      ping_fallback: t.Optional(t.Union([t.Boolean(), whole()])),
      snmp_any_source: t.Optional(
        t.Union([t.Boolean(), whole()], { description: 'Accept answers from another address or port' }),
      ),
      snmp_disable: t.Optional(t.Union([t.Boolean(), whole()])),
      community: Credential,
      authlevel: t.Optional(t.String({ description: 'noAuthNoPriv, authNoPriv, authPriv; any case' })),
      authname: Credential,
      authpass: Credential,
      authalgo: t.Optional(t.String({ description: 'MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512' })),
      cryptopass: Credential,
      cryptoalgo: t.Optional(t.String({ description: 'DES, AES, AES-192, AES-256, AES-192-C, AES-256-C' })),
      os: t.Optional(t.String()),
      sysName: t.Optional(t.String()),
      hardware: t.Optional(t.String()),
      display: t.Optional(t.String()),
      display_template: t.Optional(t.String()),
      overwrite_ip: t.Optional(t.String()),
      location: t.Optional(t.String()),
      location_id: t.Optional(whole()),
      override_sysLocation: t.Optional(t.Union([t.Boolean(), whole()])),
      port_association_mode: t.Optional(t.Union([t.String(), whole()])),
    }),
  ),
  added: documented(t.Object({ status: Ok, message: t.String(), devices: t.Array(Device), count: whole() })),
  update: documented(
    t.Object({
      field: t.Union([t.String(), t.Array(t.String())]),
      data: t.Union([t.String(), t.Number(), t.Boolean(), t.Null(), t.Array(t.Unknown())]),
    }),
  ),
  updated: documented(t.Union([t.Array(Message), Message])),
  renameParams: documented(t.Object({ hostname: t.String(), new_hostname: t.String() })),
  discovered: documented(
    t.Object({
      status: Ok,
      result: t.Object({ status: whole({ description: '0: already scheduled' }), message: t.String() }),
      count: whole(),
    }),
  ),
  availability: documented(
    t.Object({
      status: Ok,
      availability: t.Array(t.Object({ duration: whole(), availability_perc: t.String() })),
      count: whole(),
    }),
  ),
  outages: documented(
    t.Object({
      status: Ok,
      outages: t.Array(t.Object({ going_down: whole(), up_again: Whole })),
      count: whole(),
    }),
  ),
}
