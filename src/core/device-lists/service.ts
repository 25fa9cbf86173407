import { createLimiter } from '@portlight/limit/limit.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { conflict, invalid } from '../base/errors.ts'
import type { Permission } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import type { NewDevice } from '../devices/new-device.ts'
import { type DeviceKey, findDevices, maySeeDevice } from '../devices/read.ts'
import type { DeviceService } from '../devices/service.ts'
import type { DeviceGroupService } from '../groups/device-groups.ts'
import { joinGroup } from '../groups/join.ts'
import { addListed, type ListedResult, type ListReport } from './add.ts'
import { type DeviceList, type ListedDevice, type ListFault, readDeviceList } from './text.ts'

/** The size of a list that is given on a page: lines with a device or a fault, and characters. */
export const LIST_LIMITS = { lines: 2000, characters: 262_144 } as const
/** Lists that are added at the same time, and devices of a list that are contacted at the same time. */
const AT_ONCE = { lists: 2, devices: 8 } as const

/** A line whose name or address is monitored already. */
export interface PresentLine extends ListFault {
  /** The device; null: the actor may not see it. */
  readonly known: number | null
}

/** A list that was read and compared with what is monitored. */
export interface CheckedList extends DeviceList {
  /** Lines whose name or address is monitored already. */
  readonly present: readonly PresentLine[]
}

/** A result of a group that a list names. */
export interface JoinResult {
  readonly group: string
  readonly devices: number
  /** Why they are not members; null: they are. */
  readonly problem: string | null
}

/** What happens while a list is added. */
export interface ListNotes {
  readonly line: (result: ListedResult) => void
  readonly group: (result: JoinResult) => void
}

export interface DeviceListDeps {
  readonly store: Store
  readonly devices: Pick<DeviceService, 'add'>
  readonly groups: Pick<DeviceGroupService, 'find' | 'create' | 'add'>
}

/** Members with credentials. */
const CREDENTIALS: readonly string[] = [
  ...['community', 'authlevel', 'authname', 'authpass', 'authalgo', 'cryptopass', 'cryptoalgo'],
]

/**
 * What a line says, and from `common` what it does not say. For a line with credentials, the method and the credentials
 * in `common` do not count.
 */
export function withCommon(given: NewDevice, common: Omit<NewDevice, 'hostname'>): NewDevice {
  const hasOwn = CREDENTIALS.some((name) => name in given)
  const without = [...CREDENTIALS, 'snmpver', 'snmpDisable']
  const kept = Object.entries(common).filter(([name]) => !hasOwn || !without.includes(name))
  return { ...Object.fromEntries(kept), ...given }
}

/** Adding the devices of a list at once, with the limits of a request. */
export function createDeviceLists({ store, devices, groups }: DeviceListDeps) {
  const inTurn = createLimiter(AT_ONCE.lists)

  /** The groups of a list that the actor may not change or create, with the reason. */
  async function closedGroups(actor: Actor, list: DeviceList, may: (permission: Permission) => boolean) {
    const closed = new Map<string, string>()
    for (const name of new Set(list.devices.flatMap((device) => device.groups))) {
      const isNew = (await groups.find(actor, name)) === null
      if (!may(isNew ? 'DeviceGroup.create' : 'DeviceGroup.update'))
        closed.set(
          name,
          isNew
            ? `There is no device group ${name}, and you may not create groups`
            : `You may not change device group ${name}`,
        )
    }
    return closed
  }

  /** Says which device it is, to those who may see it. */
  async function presentAs(actor: Actor, host: string, { device_id, hostname }: DeviceKey) {
    if (!(await maySeeDevice(store, scopeOf(actor), device_id))) return { text: 'Monitored already', known: null }
    const isNamed = hostname.toLowerCase() === host.toLowerCase()
    const text = isNamed ? 'Monitored already' : `Monitored already as ${hostname}`
    return { text: `${text} (device ${device_id})`, known: device_id }
  }

  return {
    /**
     * Reads a list (see `readDeviceList`) and contacts nothing. Faults include names that an earlier line has, and
     * groups that the actor may not change. Throws `invalid` for a list beyond LIST_LIMITS, or without a device.
     */
    async check(actor: Actor, text: string, may: (permission: Permission) => boolean): Promise<CheckedList> {
      if (text.length > LIST_LIMITS.characters)
        throw invalid(`The list is longer than ${LIST_LIMITS.characters} characters; split it`)
      const list = readDeviceList(text)
      const lines = list.devices.length + list.faults.length
      if (lines === 0) throw invalid('The list has no device')
      if (lines > LIST_LIMITS.lines)
        throw invalid(`The list has ${lines} devices; the most at once is ${LIST_LIMITS.lines}`)
      const closed = await closedGroups(actor, list, may)
      // of a number, `findDevices` takes the device with this id
      const hosts = list.devices.map(({ given }) => given.hostname).filter((host) => !/^\d+$/.test(host))
      const known = await findDevices(store, hosts)
      const monitored = new Map(hosts.flatMap((host, i) => (known[i] == null ? [] : [[host, known[i]] as const])))
      const first = new Map<string, number>()
      const faults = [...list.faults]
      const present: PresentLine[] = []
      const fresh: ListedDevice[] = []
      for (const device of list.devices) {
        const { line, given } = device
        const host = given.hostname
        const owner = monitored.get(host)
        const earlier = first.get(host.toLowerCase())
        const group = device.groups.find((name) => closed.has(name))
        if (earlier !== undefined) faults.push({ line, host, text: `Line ${earlier} has the same name or address` })
        else if (owner !== undefined) present.push({ line, host, ...(await presentAs(actor, host, owner)) })
        else if (group !== undefined) faults.push({ line, host, text: closed.get(group) ?? '' })
        else fresh.push(device)
        first.set(host.toLowerCase(), earlier ?? line)
      }
      return { devices: fresh, faults: faults.toSorted((a, b) => a.line - b.line), present }
    },

    /**
     * Adds the devices of a checked list, each as `DeviceService.add` does. `common`: what lines do not say themselves.
     * Throws `conflict` while too many lists are being added.
     */
    async add(
      actor: Actor,
      list: CheckedList,
      common: Omit<NewDevice, 'hostname'>,
      notes: ListNotes,
    ): Promise<ListReport> {
      const added = await inTurn(async () => {
        for (const one of list.present) notes.line({ ...one, outcome: 'present', deviceId: null })
        const { added, present, failed } = await addListed(list, {
          atOnce: AT_ONCE.devices,
          add: ({ given }) => devices.add(actor, withCommon(given, common)),
          tell: notes.line,
          join: async (group, ids) =>
            notes.group({ group, devices: ids.length, problem: await joinGroup(groups, actor, group, ids) }),
        })
        const report = { added, present: present + list.present.length, failed }
        await recordChange(store, actor, 'device-edit', 'list', `List of devices: ${reportText(report)}`)
        return report
      }, 0)
      if (added === null)
        throw conflict(`${AT_ONCE.lists} lists are being added already. Try it again when one has ended`)
      return added
    },
  }
}

/** For example `12 added, 1 already monitored, 2 not added`. */
export function reportText({ added, present, failed }: ListReport): string {
  return `${added} added, ${present} already monitored, ${failed} not added`
}

export type DeviceLists = ReturnType<typeof createDeviceLists>
