import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { forbidden, notFound } from '../base/errors.ts'
import { isWithinGrants } from '../base/grants-check.ts'
import { VIEW_CONFIG_BACKUPS } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import { deviceByHostname, findDevice, maySeeDevice } from '../devices/read.ts'
import { type MapRule, mapRules } from './maps.ts'
import { fetchConfig, searchConfigs } from './oxidized.ts'
import { isComparable, listBackupDevices } from './read.ts'

/** A device for a backup tool: hostname, os, ip, and members from attributes and maps. */
export type BackupTarget = Readonly<Record<string, string | null>> & {
  readonly hostname: string
  readonly os: string
  readonly ip: string | null
}

const NO_DATA = 'Received no data from Oxidized'

/** Operations on configuration backups. */
export function createBackupService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  /** Devices to back up, by id; `hostname` limits the list to one. */
  async function targets(actor: Actor, hostname: string | null): Promise<BackupTarget[]> {
    const rules = mapRules(settings.get('oxidized.maps')).filter((rule) => isComparable(rule.column))
    const columns = [...new Set(rules.map((rule) => rule.column))]
    const grouped = settings.get('oxidized.group_support')
    const ignored = new Set(settings.get('oxidized.ignore_groups'))
    const devices = await listBackupDevices(store, scopeOf(actor), {
      hostname,
      ignoreTypes: settings.get('oxidized.ignore_types'),
      ignoreOs: settings.get('oxidized.ignore_os'),
      columns,
    })
    const usual = settings.get('oxidized.default_group')
    return devices
      .map(({ compared, ssh_port, telnet_port, ...device }) => ({
        ...device,
        ...(ssh_port !== null && { ssh_port }),
        ...(telnet_port !== null && { telnet_port }),
        ...(grouped && usual !== '' && { group: usual }),
        ...mapped(rules, columns, compared, grouped),
      }))
      .filter((target) => !('group' in target) || !ignored.has(String(target.group)))
  }

  return {
    targets,

    /**
     * Nodes whose configuration contains the text, with the device's id or false. Only devices that the actor may see.
     * Throws `not_found` when there are none.
     */
    async search(actor: Actor, text: string): Promise<{ node: string; full_name: string; dev_id: number | false }[]> {
      const url = settings.get('oxidized.url')
      const nodes = url === '' ? null : await searchConfigs(url, text)
      if (nodes === null) throw notFound(NO_DATA)
      const found: { node: string; full_name: string; dev_id: number | false }[] = []
      for (const { node, full_name } of nodes) {
        const deviceId = (await deviceByHostname(store, node))?.device_id ?? null
        // a node that is not a device is visible only to users who see everything
        if (!(await isWithinGrants(store, actor, { devices: [deviceId ?? -1] }))) continue
        found.push({ node, full_name, dev_id: deviceId ?? false })
      }
      if (found.length === 0) throw notFound(NO_DATA)
      return found
    },

    /**
     * The backed-up configuration of a device. Throws `forbidden` when the device does not exist, or the actor may not
     * see it or lacks permission `config-backup.view` (which `admin` and `global-read` have); `not_found` without an
     * answer from Oxidized.
     */
    async config(actor: Actor, ref: string): Promise<string> {
      const device = await findDevice(store, ref)
      if (!device || !mayRead(actor) || !(await maySeeDevice(store, scopeOf(actor), device.device_id))) {
        throw forbidden('Insufficient permissions')
      }
      const url = settings.get('oxidized.url')
      if (url === '') throw notFound(NO_DATA)
      const [target] = await targets(actor, device.hostname)
      const config = await fetchConfig(url, target?.hostname ?? device.hostname, target?.['group'] ?? null)
      if (config === null) throw notFound(NO_DATA)
      return config
    },
  }
}

export type BackupService = ReturnType<typeof createBackupService>

function mayRead({ roles, permissions }: Actor): boolean {
  return roles.has('admin') || roles.has('global-read') || permissions.has(VIEW_CONFIG_BACKUPS)
}

/** Members of a device set by maps; the first match for each member counts. `group` only with `grouped`. */
function mapped(
  rules: readonly MapRule[],
  columns: readonly string[],
  compared: readonly (string | null)[],
  grouped: boolean,
): Readonly<Record<string, string>> {
  const members = new Map<string, string>()
  for (const { member, column, matches, value } of rules) {
    if (members.has(member) || (member === 'group' && !grouped)) continue
    const text = compared[columns.indexOf(column)] ?? null
    if (text !== null && matches(text)) members.set(member, value)
  }
  return Object.fromEntries(members)
}
