import type { Settings } from '../config/schema.ts'
import type { Actor } from './actor.ts'

const SUBJECTS = [
  'Device',
  'Port',
  'DeviceGroup',
  'PortGroup',
  'Alert',
  'AlertRule',
  'AlertTemplate',
  'BgpPeer',
  'Route',
  'Vrf',
  'Vlan',
  'Link',
  'PortsNac',
  'Sensor',
  'Location',
  'Eventlog',
  'Syslog',
  'AlertLog',
  'AuthLog',
  'Poller',
  'PollerGroup',
  'Bill',
  'Service',
  'Component',
  'oxidized',
] as const
export type Subject = (typeof SUBJECTS)[number]

const VERBS = ['viewAny', 'create', 'update', 'delete', 'list', 'search'] as const

/** What an operation demands of its caller; `token`: only that there is one. */
export type Gate = 'token' | `${Subject}.${(typeof VERBS)[number]}`

/** What role `user` may list; the rows are then limited to what was granted. */
const USER_MAY_VIEW: ReadonlySet<string> = new Set<Gate>([
  'Device.viewAny',
  'Port.viewAny',
  'DeviceGroup.viewAny',
  'PortGroup.viewAny',
  'Alert.viewAny',
  'AlertRule.viewAny',
  'BgpPeer.viewAny',
  'Route.viewAny',
  'Vrf.viewAny',
  'Link.viewAny',
  'PortsNac.viewAny',
  'Sensor.viewAny',
  'Location.viewAny',
  'Eventlog.viewAny',
  'Syslog.viewAny',
  'AlertLog.viewAny',
  'AuthLog.viewAny',
])

/**
 * Whether the actor's roles pass the gate. `admin` passes all, `global-read` every `viewAny`, `user` the views of what
 * can be granted; a role the operator made passes what its permissions name (`device.update`).
 */
export function passes(actor: Actor, gate: Gate, settings: Settings): boolean {
  if (gate === 'token' || actor.roles.has('admin')) return true
  if (actor.roles.has('global-read') && gate.endsWith('.viewAny')) return true
  if (actor.permissions.size > 0 && permissionsOf(gate).some((name) => actor.permissions.has(name))) return true
  if (!actor.roles.has('user')) return false
  if (gate === 'Bill.viewAny') return settings.get('enable_billing')
  if (gate === 'Service.viewAny') return settings.get('show_services')
  return USER_MAY_VIEW.has(gate)
}

/** Names of the permission that opens a gate: `devicegroup.create`, and with hyphens as LibreNMS writes it, `device-group.create`. */
function permissionsOf(gate: Gate): readonly string[] {
  return [gate.toLowerCase(), gate.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()]
}

/** Whether a permission opens a gate: `device.update`, `device-group.create`; lower case. */
export function isPermission(name: string): boolean {
  return SUBJECTS.some((subject) => VERBS.some((verb) => permissionsOf(`${subject}.${verb}`).includes(name)))
}
