import { DEVICE, DEVICE_PARENTS } from '../../../core/records/device.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Whole } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'
import { properties, singleModel } from '../records/model.ts'

/** A device in model form. Secrets are null for all but administrators. */
export const Device = singleModel(DEVICE, 'Device')

/** Some members of a device in list_devices. */
const DeviceColumns = t.Partial(t.Object({ ...properties(DEVICE, 'list'), ...properties(DEVICE_PARENTS, 'list') }), {
  title: 'DeviceColumns',
})

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
      devices: t.Array(DeviceColumns),
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
