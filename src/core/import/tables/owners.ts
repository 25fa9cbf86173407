import type { Conditions } from '../conditions.ts'
import type { TableSpec } from '../context.ts'
import { intOf, textOf } from '../source.ts'

/** Attributes with secrets, which other programs on the installation's host use. */
const FOREIGN_ATTRIBUTES = /^ipmi_/
const VERSIONS = new Set(['v1', 'v2c', 'v3'])
const TRANSPORTS = new Set(['udp', 'udp6', 'tcp', 'tcp6'])
const LEVELS = new Set(['noAuthNoPriv', 'authNoPriv', 'authPriv'])

/** Devices and what describes them. */
export const DEVICES: readonly TableSpec[] = [
  { table: 'poller_groups', known: true, key: ['group_name'], caseless: true },
  { table: 'locations', known: true, key: ['location'], caseless: true, local: ['timestamp'] },
  {
    table: 'devices',
    known: true,
    key: ['hostname'],
    caseless: true,
    convert(row, values, of) {
      const version = textOf(row, 'snmpver')
      const hostname = plainName(textOf(row, 'hostname'))
      if (hostname === '') return 'left out'
      if (!VERSIONS.has(version)) of.note(`device ${hostname}: SNMP version ${version || 'none'} was changed to v2c`)
      const positive = (name: string): number | null => {
        const value = intOf(row, name)
        return value !== null && value > 0 ? value : null
      }
      // Until May 2026 the column contained the template instead of the text.
      const template =
        row['display_template'] === undefined ? { display: '', display_template: values['display'] || null } : {}
      const level = textOf(row, 'authlevel')
      return {
        ...values,
        ...template,
        hostname,
        snmpver: VERSIONS.has(version) ? version : 'v2c',
        transport: TRANSPORTS.has(textOf(row, 'transport')) ? textOf(row, 'transport') : 'udp',
        authlevel: LEVELS.has(level) ? level : null,
        timeout: positive('timeout'),
        retries: positive('retries'),
        // Makes the first discovery due at once, because it supplies what polls need.
        last_discovered: null,
      }
    },
  },
  {
    table: 'devices_attribs',
    key: ['device_id', 'attrib_type'],
    lastCounts: true,
    convert: (row, values) => (FOREIGN_ATTRIBUTES.test(textOf(row, 'attrib_type')) ? 'left out' : values),
  },
  {
    table: 'device_relationships',
    convert: (row, values) => (intOf(row, 'parent_device_id') === intOf(row, 'child_device_id') ? 'left out' : values),
  },
]

/** Ports and other rows with history. */
export const OWNERS: readonly TableSpec[] = [
  { table: 'ports', known: true, key: ['device_id', 'ifIndex', 'ifName', 'deleted'] },
  {
    table: 'sensors',
    key: ['device_id', 'sensor_class', 'sensor_type', 'sensor_index'],
    convert: (row, values) => ({ ...values, sensor_index: textOf(row, 'sensor_index') }),
  },
  {
    table: 'wireless_sensors',
    key: ['device_id', 'sensor_class', 'sensor_type', 'sensor_index'],
    convert: (row, values) => ({ ...values, sensor_index: textOf(row, 'sensor_index') }),
  },
  { table: 'state_indexes', key: ['state_name'] },
  {
    table: 'state_translations',
    key: ['state_index_id', 'state_value'],
    convert: (row, values) => ({ ...values, state_draw_graph: intOf(row, 'state_draw_graph') ?? 0 }),
  },
  { table: 'sensors_to_state_indexes', key: ['sensor_id'] },
  { table: 'processors', key: ['device_id', 'processor_type', 'processor_index'] },
  { table: 'mempools', key: ['device_id', 'mempool_type', 'mempool_index'] },
  {
    table: 'storage',
    key: ['device_id', 'type', 'storage_index'],
    // Until 2025 the column had another name and rows were marked instead of deleted.
    convert: (row, values) =>
      textOf(row, 'storage_deleted') === '1'
        ? 'left out'
        : { ...values, type: textOf(row, 'type') || textOf(row, 'storage_mib') },
  },
  { table: 'printer_supplies', key: ['device_id', 'supply_type', 'supply_index'] },
]

/** Groups, grants and services. */
export const groupTables = (conditions: Conditions): readonly TableSpec[] => [
  {
    table: 'device_groups',
    known: true,
    key: ['name'],
    caseless: true,
    rename: { column: 'name', same: ['type', 'rules'] },
    convert(row, values, of) {
      const name = textOf(row, 'name')
      const rules = builderText(textOf(row, 'rules'))
      if (textOf(row, 'type') !== 'dynamic') return { ...values, pattern: null, rules }
      const stays = 'its members stay those of the installation'
      if (rules === null) {
        of.note(`group ${name} has no conditions, or conditions in an old format: ${stays}`)
        return { ...values, pattern: null, rules }
      }
      const { builder, problem } = conditions.convert(rules, `group ${name}`)
      if (problem !== null) of.note(`group ${name} cannot be evaluated (${problem}): ${stays}`)
      return { ...values, pattern: null, rules: builder }
    },
  },
  { table: 'device_group_device' },
  { table: 'port_groups', known: true, key: ['name'], caseless: true },
  { table: 'port_group_port' },
  { table: 'devices_perms', key: ['user_id', 'device_id'] },
  { table: 'ports_perms', key: ['user_id', 'port_id'] },
  { table: 'devices_group_perms' },
  {
    table: 'services',
    known: true,
    convert: (row, values) => ({ ...values, service_ds: dataSets(textOf(row, 'service_ds')) }),
  },
]

/**
 * A hostname without the parts that make no difference: surrounding spaces, the brackets of an IPv6 address, a trailing
 * dot.
 */
function plainName(hostname: string): string {
  return hostname
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=[^.])\.$/, '')
}

/** The rules of a builder, unchanged; null: none. */
function builderText(text: string): string | null {
  return text.trim() === '' || text === '[]' || text === 'null' ? null : text
}

/** Converts `{name: {"uom": unit}}` and the older `{name: unit}` to `{name: unit}`. */
export function dataSets(text: string): string {
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>>
    const units = Object.entries(given).map(([name, value]) => {
      const unit = typeof value === 'object' && value !== null && 'uom' in value ? value.uom : value
      return [name, typeof unit === 'string' ? unit : '']
    })
    return JSON.stringify(Object.fromEntries(units))
  } catch {
    return '{}'
  }
}
