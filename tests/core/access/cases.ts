import { v1Cases } from './cases-v1.ts'
import { FOREIGN_ADDRESS, OTHER_FOREIGN_ADDRESS, type World } from './world.ts'

/** One request of an operation. */
export interface Attempt {
  /** What it tries; shown when the test fails. */
  readonly aim: string
  /** Path below /api/v0, or that of a v1 operation. */
  readonly path: string
  readonly body?: unknown
  /** The response is 200, and objects that are not granted are skipped. */
  readonly passesOver?: true
  /** An administrator is refused too, for another reason. */
  readonly always?: true
}

/** Requests to try: `foreign` must be refused, `own` must succeed. A string is the reason why there are none. */
export interface Case {
  readonly operation: string
  readonly foreign: readonly Attempt[] | string
  readonly own: readonly Attempt[] | string
}

const BUILDER = { condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: 'x' }] }
const RULE = { severity: 'critical', builder: BUILDER }
const FORCED = { force_add: true, snmp_disable: true }
const BILL = { bill_type: 'quota', bill_quota: 1, bill_day: 1, bill_custid: '', bill_ref: '', bill_notes: '' }
const MAINTENANCE = { duration: '1:00' }
const CHILD_AND_PARENT = 'needs two granted devices: tested separately'

/** Every writing operation, deletions last. Objects are given by path, body or name, or as the target of a move. */
export function cases({ mine, foreign, shared, other: person }: World): Case[] {
  const [device, otherDevice] = [mine('devices'), foreign('devices')]
  const [port, otherPort] = [mine('ports'), foreign('ports')]
  const group = (id: number | string, body: unknown, aim: string, rest = '') =>
    ({ aim, path: `/devicegroups/${id}${rest}`, body }) as const
  const field = (id: number | string, name: string, data: unknown, aim: string): Attempt => ({
    aim,
    path: `/devices/${id}`,
    body: { field: name, data },
  })
  const rule = (aim: string, body: object): Attempt => ({ aim, path: '/rules', body: { name: aim, ...RULE, ...body } })
  const service = (id: number, body: unknown, aim: string): Attempt => ({ aim, path: `/services/${id}`, body })
  const groupIds = [
    [foreign('device_groups'), 'of another device'],
    [shared.group, 'with another device'],
    [shared.dynamicGroup, 'with rules'],
  ] as const
  const ruleIds = [
    [foreign('alert_rules'), 'of another device'],
    [shared.rule, 'with another device'],
    [shared.globalRule, 'for all devices'],
    [shared.invertedRule, 'for all but some'],
  ] as const

  return [
    ...v1Cases({ mine, foreign, other: person }),
    {
      operation: 'add_alert_template',
      foreign: [
        { aim: 'for everybody', path: '/alert_templates', body: { name: 'a', template: 'a' } },
        {
          aim: 'for a foreign rule',
          path: '/alert_templates',
          body: { name: 'b', template: 'b', alert_rules: [foreign('alert_rules')] },
        },
      ],
      own: 'templates belong to no device',
    },
    {
      operation: 'edit_alert_template',
      foreign: [
        {
          aim: 'by id',
          path: '/alert_templates',
          body: { template_id: shared.template, name: 'c', template: 'c', alert_rules: [] },
        },
      ],
      own: 'templates belong to no device',
    },
    {
      operation: 'ack_alert',
      foreign: [{ aim: 'by id', path: `/alerts/${foreign('alerts')}`, body: { note: 'x' } }],
      own: [{ aim: 'by id', path: `/alerts/${mine('alerts')}`, body: { note: 'x' } }],
    },
    {
      operation: 'unmute_alert',
      foreign: [{ aim: 'by id', path: `/alerts/unmute/${foreign('alerts')}`, body: { note: 'x' } }],
      own: [{ aim: 'by id', path: `/alerts/unmute/${mine('alerts')}`, body: { note: 'x' } }],
    },
    {
      operation: 'edit_bgp_descr',
      foreign: [{ aim: 'by id', path: `/bgp/${foreign('bgpPeers')}`, body: { bgp_descr: 'x' } }],
      own: [{ aim: 'by id', path: `/bgp/${mine('bgpPeers')}`, body: { bgp_descr: 'x' } }],
    },
    {
      operation: 'create_edit_bill',
      foreign: [
        { aim: 'a new one of a foreign port', path: '/bills', body: { bill_name: 'a', ...BILL, ports: [otherPort] } },
        { aim: 'by id', path: '/bills', body: { bill_id: foreign('bills'), bill_notes: 'x' } },
        { aim: 'add a foreign port', path: '/bills', body: { bill_id: mine('bills'), ports: [port, otherPort] } },
        { aim: 'take a foreign port out', path: '/bills', body: { bill_id: shared.bill, ports: [port] } },
      ],
      own: [
        { aim: 'by id', path: '/bills', body: { bill_id: mine('bills'), bill_notes: 'x', ports: [port] } },
        { aim: 'leave the ports', path: '/bills', body: { bill_id: shared.bill, bill_notes: 'x' } },
        { aim: 'keep the ports', path: '/bills', body: { bill_id: shared.bill, ports: [otherPort, port] } },
        { aim: 'a new one', path: '/bills', body: { bill_name: 'b', ...BILL, ports: [port] } },
      ],
    },
    {
      operation: 'add_devicegroup',
      foreign: [
        {
          aim: 'of a foreign device',
          path: '/devicegroups',
          body: { name: 'a', type: 'static', devices: [otherDevice] },
        },
        {
          aim: 'of both',
          path: '/devicegroups',
          body: { name: 'b', type: 'static', devices: [device, otherDevice] },
        },
        {
          aim: 'with rules',
          path: '/devicegroups',
          body: { name: 'c', type: 'dynamic', rules: JSON.stringify(BUILDER) },
        },
      ],
      own: [
        { aim: 'of a granted device', path: '/devicegroups', body: { name: 'd', type: 'static', devices: [device] } },
      ],
    },
    {
      operation: 'add_devices_to_group',
      foreign: [
        group(mine('device_groups'), { devices: [otherDevice] }, 'widen the granted one', '/devices'),
        group('mine%20name', { devices: [device, otherDevice] }, 'widen the granted one by name', '/devices'),
        ...groupIds
          .filter(([id]) => id !== shared.dynamicGroup)
          .map(([id, aim]) => group(id, { devices: [device] }, aim, '/devices')),
      ],
      own: [group(mine('device_groups'), { devices: [device] }, 'by id', '/devices')],
    },
    {
      operation: 'maintenance_devicegroup',
      foreign: groupIds.map(([id, aim]) => group(id, MAINTENANCE, aim, '/maintenance')),
      own: [group(mine('device_groups'), MAINTENANCE, 'by id', '/maintenance')],
    },
    {
      operation: 'update_devicegroup',
      foreign: [
        group('foreign%20name', { desc: 'x' }, 'by name'),
        ...groupIds.map(([id, aim]) => group(id, { desc: 'x' }, aim)),
        group(shared.group, { type: 'static', devices: [device] }, 'take the other device out'),
        group(mine('device_groups'), { type: 'static', devices: [device, otherDevice] }, 'widen the granted one'),
        group(mine('device_groups'), { type: 'dynamic', rules: JSON.stringify(BUILDER) }, 'make it follow rules'),
      ],
      own: [
        group(mine('device_groups'), { desc: 'x' }, 'by id'),
        group('mine%20name', { type: 'static', devices: [device] }, 'by name, its devices'),
      ],
    },
    {
      operation: 'add_device',
      foreign: [
        {
          aim: 'at a foreign location',
          path: '/devices',
          body: { hostname: 'a.example.net', ...FORCED, location_id: foreign('locations') },
        },
        {
          aim: 'at a foreign location by name',
          path: '/devices',
          body: { hostname: 'b.example.net', ...FORCED, location: 'Foreign Location' },
        },
        { aim: 'at a foreign address', path: '/devices', body: { hostname: FOREIGN_ADDRESS, ...FORCED } },
        {
          aim: 'with a foreign address',
          path: '/devices',
          body: { hostname: 'c.example.net', ...FORCED, overwrite_ip: FOREIGN_ADDRESS },
        },
      ],
      own: [
        {
          aim: 'at a new location',
          path: '/devices',
          body: { hostname: 'd.example.net', ...FORCED, location: 'elsewhere' },
        },
      ],
    },
    {
      operation: 'update_device_field',
      foreign: [
        field(otherDevice, 'notes', 'x', 'by id'),
        field('foreign.example.net', 'notes', 'x', 'by name'),
        field(device, 'location_id', foreign('locations'), 'move to a foreign location'),
        field(device, 'location', 'FOREIGN location', 'move to a foreign location by name'),
        field(device, 'overwrite_ip', FOREIGN_ADDRESS, 'poll a foreign address'),
        field(device, 'ip', FOREIGN_ADDRESS, 'take a foreign address'),
        {
          aim: 'among other fields',
          path: `/devices/${device}`,
          body: { field: ['notes', 'location_id'], data: ['x', foreign('locations')] },
        },
      ],
      own: [
        field(device, 'notes', 'x', 'by id'),
        field('mine.example.net', 'location_id', mine('locations'), 'by name'),
        field(device, 'location', 'mine location', 'where it is'),
        field(device, 'location', 'a new place', 'to a new location'),
        field(device, 'location', 'mine location', 'and back: no other device is there'),
        field(device, 'overwrite_ip', '198.51.100.77', 'an address of its own'),
      ],
    },
    {
      operation: 'edit_components',
      foreign: [
        {
          aim: 'by device',
          path: `/devices/${otherDevice}/components`,
          body: { [foreign('component')]: { label: 'x' } },
        },
        {
          aim: 'below the granted device',
          path: `/devices/${device}/components`,
          body: { [foreign('component')]: { label: 'y' } },
          passesOver: true,
        },
      ],
      own: [{ aim: 'by id', path: `/devices/${device}/components`, body: { [mine('component')]: { label: 'x' } } }],
    },
    {
      operation: 'add_components',
      foreign: [{ aim: 'by device', path: `/devices/${otherDevice}/components/x` }],
      own: [{ aim: 'by device', path: `/devices/${device}/components/x` }],
    },
    {
      operation: 'add_eventlog',
      foreign: [{ aim: 'by device', path: `/devices/${otherDevice}/eventlog`, body: { text: 'x' } }],
      own: [{ aim: 'by device', path: `/devices/${device}/eventlog`, body: { text: 'x' } }],
    },
    {
      operation: 'discover_device',
      foreign: [{ aim: 'by device', path: `/devices/${otherDevice}/discover` }],
      own: [{ aim: 'by device', path: `/devices/${device}/discover` }],
    },
    {
      operation: 'maintenance_device',
      foreign: [{ aim: 'by device', path: `/devices/${otherDevice}/maintenance`, body: MAINTENANCE }],
      own: [{ aim: 'by device', path: `/devices/${device}/maintenance`, body: MAINTENANCE }],
    },
    {
      operation: 'update_device_port_notes',
      foreign: [
        { aim: 'by device', path: `/devices/${otherDevice}/port/${otherPort}`, body: { notes: 'x' } },
        {
          aim: 'below the granted device',
          path: `/devices/${device}/port/${otherPort}`,
          body: { notes: 'x' },
          always: true,
        },
      ],
      own: [{ aim: 'by id', path: `/devices/${device}/port/${port}`, body: { notes: 'x' } }],
    },
    {
      operation: 'add_parents_to_host',
      foreign: [
        {
          aim: 'of a foreign child',
          path: `/devices/${otherDevice}/parents`,
          body: { parent_ids: device },
          always: true,
        },
        { aim: 'a foreign parent', path: `/devices/${device}/parents`, body: { parent_ids: otherDevice } },
        {
          aim: 'a foreign parent by name',
          path: `/devices/${device}/parents`,
          body: { parent_ids: 'foreign.example.net' },
        },
      ],
      own: CHILD_AND_PARENT,
    },
    {
      operation: 'add_location',
      foreign: 'a new location holds no device',
      own: [{ aim: 'a new one', path: '/locations', body: { location: 'new', lat: 1, lng: 1 } }],
    },
    {
      operation: 'edit_location',
      foreign: [
        { aim: 'by id', path: `/locations/${foreign('locations')}`, body: { lat: 2 } },
        { aim: 'by name', path: '/locations/foreign%20location', body: { lat: 3 } },
      ],
      own: [{ aim: 'by id', path: `/locations/${mine('locations')}`, body: { lat: 2 } }],
    },
    {
      operation: 'maintenance_location',
      foreign: [{ aim: 'by id', path: `/locations/${foreign('locations')}/maintenance`, body: MAINTENANCE }],
      own: [{ aim: 'by id', path: `/locations/${mine('locations')}/maintenance`, body: MAINTENANCE }],
    },
    {
      operation: 'add_port_group',
      foreign: 'a new group holds no port',
      own: [{ aim: 'a new one', path: '/port_groups', body: { name: 'new' } }],
    },
    {
      operation: 'assign_port_group',
      foreign: [
        {
          aim: 'to a foreign group',
          path: `/port_groups/${foreign('port_groups')}/assign`,
          body: { port_ids: [port] },
        },
        { aim: 'a foreign port', path: `/port_groups/${mine('port_groups')}/assign`, body: { port_ids: [otherPort] } },
        { aim: 'to a group of both', path: `/port_groups/${shared.portGroup}/assign`, body: { port_ids: [port] } },
      ],
      own: [{ aim: 'by id', path: `/port_groups/${mine('port_groups')}/assign`, body: { port_ids: [port] } }],
    },
    {
      operation: 'update_transceiver_metric_thresholds',
      foreign: 'refused for everybody',
      own: 'refused for everybody',
    },
    {
      operation: 'update_port_description',
      foreign: [{ aim: 'by id', path: `/ports/${otherPort}/description`, body: { description: 'x' } }],
      own: [{ aim: 'by id', path: `/ports/${port}/description`, body: { description: 'x' } }],
    },
    {
      operation: 'add_rule',
      foreign: [
        rule('for a foreign device', { devices: [otherDevice] }),
        rule('for a foreign device by name', { devices: [device, 'foreign.example.net'] }),
        rule('for a foreign group', { devices: [device], groups: [foreign('device_groups')] }),
        rule('for a group of both', { devices: [device], groups: [shared.group] }),
        rule('for a group with rules', { devices: [device], groups: [shared.dynamicGroup] }),
        rule('for a foreign location', { devices: [device], locations: [foreign('locations')] }),
        rule('for all', { devices: [-1] }),
        rule('for all but', { devices: [device], invert_map: true }),
        rule('with SQL of its own', { devices: [device], override_query: true, adv_query: 'select 1' }),
      ],
      own: [
        rule('for what is granted', {
          devices: [device],
          groups: [mine('device_groups')],
          locations: [mine('locations')],
        }),
      ],
    },
    {
      operation: 'edit_rule',
      foreign: [
        rule('a new one for all', { devices: [-1] }),
        ...ruleIds.map(([id, aim]) => rule(`take one ${aim}`, { rule_id: id, devices: [device] })),
        rule('aim at a foreign device', { rule_id: mine('alert_rules'), devices: [otherDevice] }),
        rule('aim at all', { rule_id: mine('alert_rules'), devices: [-1] }),
        rule('change the operation of a rule for all', {
          ...{ rule_id: mine('alert_rules'), devices: [device], alert_operation_id: mine('alert_operations') },
          default_operation_step_duration: '7 m',
        }),
      ],
      own: [rule('by id', { rule_id: mine('alert_rules'), devices: [device] })],
    },
    {
      operation: 'add_service_for_host',
      foreign: [{ aim: 'by device', path: `/services/${otherDevice}`, body: { type: 'ping' } }],
      own: [{ aim: 'by device', path: `/services/${device}`, body: { type: 'ping' } }],
    },
    {
      operation: 'edit_service_from_host',
      foreign: [
        service(foreign('services'), { service_desc: 'x' }, 'by id'),
        service(foreign('services'), { device_id: device }, 'take it over'),
        service(mine('services'), { device_id: otherDevice }, 'move the granted one'),
      ],
      own: [
        service(mine('services'), { service_desc: 'x' }, 'by id'),
        service(mine('services'), { device_id: device, service_desc: 'y' }, 'stay where it is'),
      ],
    },
    {
      operation: 'syslogsink',
      foreign: [
        { aim: 'by name', path: '/syslogsink', body: [{ host: 'foreign.example.net', msg: 'x' }], passesOver: true },
        { aim: 'by address', path: '/syslogsink', body: [{ host: FOREIGN_ADDRESS, msg: 'x' }], passesOver: true },
      ],
      own: [{ aim: 'by name', path: '/syslogsink', body: [{ host: 'mine.example.net', msg: 'x' }] }],
    },
    {
      operation: 'rename_device',
      foreign: [
        { aim: 'to a foreign address', path: `/devices/${device}/rename/${OTHER_FOREIGN_ADDRESS}` },
        { aim: 'by id', path: `/devices/${otherDevice}/rename/foreign2.example.net` },
      ],
      own: [{ aim: 'by id', path: `/devices/${device}/rename/mine2.example.net` }],
    },

    {
      operation: 'del_parents_from_host',
      foreign: [
        {
          aim: 'of a foreign child',
          path: `/devices/${otherDevice}/parents`,
          body: { parent_ids: device },
          always: true,
        },
        { aim: 'a foreign parent', path: `/devices/${device}/parents`, body: { parent_ids: otherDevice } },
        { aim: 'all, which are foreign', path: `/devices/${device}/parents`, always: true },
      ],
      own: CHILD_AND_PARENT,
    },
    {
      operation: 'remove_port_group',
      foreign: [
        { aim: 'a group of both', path: `/port_groups/${shared.portGroup}/remove`, body: { port_ids: [otherPort] } },
        {
          aim: 'a foreign group',
          path: `/port_groups/${foreign('port_groups')}/remove`,
          body: { port_ids: [otherPort] },
        },
      ],
      own: [{ aim: 'by id', path: `/port_groups/${mine('port_groups')}/remove`, body: { port_ids: [port] } }],
    },
    {
      operation: 'remove_devices_from_group',
      foreign: [
        group(shared.group, { devices: [otherDevice] }, 'of a group of both', '/devices'),
        group(foreign('device_groups'), { devices: [otherDevice] }, 'of a foreign group', '/devices'),
      ],
      own: [group(mine('device_groups'), { devices: [device] }, 'by id', '/devices')],
    },
    {
      operation: 'delete_components',
      foreign: [
        { aim: 'below the granted device', path: `/devices/${device}/components/${foreign('component')}` },
        { aim: 'by device', path: `/devices/${otherDevice}/components/${mine('component')}` },
      ],
      own: [{ aim: 'by id', path: `/devices/${device}/components/${mine('component')}` }],
    },
    {
      operation: 'delete_service_from_host',
      foreign: [{ aim: 'by id', path: `/services/${foreign('services')}` }],
      own: [{ aim: 'by id', path: `/services/${mine('services')}` }],
    },
    {
      operation: 'delete_rule',
      foreign: ruleIds.map(([id, aim]) => ({ aim, path: `/rules/${id}` })),
      own: [{ aim: 'by id', path: `/rules/${mine('alert_rules')}` }],
    },
    {
      operation: 'delete_devicegroup',
      foreign: groupIds.map(([id, aim]) => ({ aim, path: `/devicegroups/${id}` })),
      own: [{ aim: 'by id', path: `/devicegroups/${mine('device_groups')}` }],
    },
    {
      operation: 'delete_bill',
      foreign: [{ aim: 'by id', path: `/bills/${foreign('bills')}` }],
      own: [{ aim: 'by id', path: `/bills/${mine('bills')}` }],
    },
    {
      operation: 'delete_location',
      foreign: [{ aim: 'by id', path: `/locations/${foreign('locations')}` }],
      own: [{ aim: 'by id', path: `/locations/${mine('locations')}` }],
    },
    {
      operation: 'del_device',
      foreign: [{ aim: 'by name', path: `/devices/${otherDevice}` }],
      own: [{ aim: 'by id', path: `/devices/${device}` }],
    },
  ]
}
