import type { Settings } from '../../config/schema.ts'
import type { Actor } from './actor.ts'

/** Kinds of objects that permissions name. */
export const SUBJECTS = [
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

/** Verbs of permissions. */
export const VERBS = ['viewAny', 'create', 'update', 'delete', 'list', 'search'] as const

/**
 * The permission that an operation requires. `token`: any valid token. `admin`: role `admin`; no permission suffices.
 */
export type Permission = 'token' | 'admin' | `${Subject}.${(typeof VERBS)[number]}`

/** Methods that change nothing (RFC 9110 §9.2.1), unless the permission is for a change. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Whether an operation changes something, so that read-only tokens may not call it. */
export const isChange = (method: string, gate: Permission): boolean =>
  !SAFE_METHODS.has(method) || /\.(?:create|update|delete)$/.test(gate)

/** Lists open to role `user`, limited to granted objects. */
const USER_MAY_VIEW: ReadonlySet<string> = new Set<Permission>([
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
 * Whether the actor's roles pass the gate: `admin` passes all, `global-read` every `viewAny`, `user` views of objects
 * that can be granted, and a custom role those named by its permissions (`device.update`).
 */
export function isAllowed(actor: Actor, gate: Permission, settings: Settings): boolean {
  if (gate === 'token' || actor.roles.has('admin')) return true
  if (gate === 'admin') return false
  if (actor.roles.has('global-read') && gate.endsWith('.viewAny')) return true
  if (actor.permissions.size > 0 && permissionsOf(gate).some((name) => actor.permissions.has(name))) return true
  if (!actor.roles.has('user')) return false
  if (gate === 'Bill.viewAny') return settings.get('enable_billing')
  if (gate === 'Service.viewAny') return settings.get('show_services')
  return USER_MAY_VIEW.has(gate)
}

/** Subjects with a different name in LibreNMS's permissions. */
const ALSO: Readonly<Partial<Record<string, string>>> = { BgpPeer: 'routing' }

const hyphened = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')

/**
 * Names of the permission that opens a gate, lower case, with subject and verb each as one word or hyphenated:
 * `devicegroup.viewany` and, as in LibreNMS, `device-group.viewany`.
 */
function permissionsOf(gate: Permission): readonly string[] {
  const [subject = '', verb = ''] = gate.split('.')
  const subjects = [subject, hyphened(subject), ALSO[subject] ?? subject]
  return subjects.flatMap((name) => [`${name}.${verb}`, `${name}.${hyphened(verb)}`]).map((name) => name.toLowerCase())
}

/**
 * The permission to read stored device configurations. It has no gate, because get_oxidized_config checks it itself.
 */
export const VIEW_CONFIG_BACKUPS = 'config-backup.view'

/** Whether a permission opens any gate: `device.update`, `device-group.viewany`; lower case. */
export function isPermission(name: string): boolean {
  if (name === VIEW_CONFIG_BACKUPS) return true
  return SUBJECTS.some((subject) => VERBS.some((verb) => permissionsOf(`${subject}.${verb}`).includes(name)))
}
