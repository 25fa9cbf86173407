import { unreachable } from '../../lib/unreachable.ts'
import { listUsers, tokenOwner } from '../access/read.ts'
import { hashToken } from '../access/tokens/service.ts'
import { deleteUser, insertToken, insertUser, notifyAccess } from '../access/write.ts'
import { deleteAlertRule } from '../alerts/rules/write.ts'
import { conflict } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import { deleteBill } from '../bills/write.ts'
import { listRules } from '../candidates/read-rules.ts'
import { deleteRule } from '../candidates/write-rules.ts'
import type { Store } from '../database/client.ts'
import { findDevice } from '../devices/read.ts'
import { deleteDevice } from '../devices/write.ts'
import { deleteDeviceGroup } from '../groups/write.ts'
import { deleteSchedule } from '../maintenance/write.ts'
import { forgetGone } from '../series/write-roll-ups.ts'
import type { SettingsService } from '../settings/service.ts'
import { demoDevices, foundDevices } from './read.ts'
import { type DemoObject, demoObjects, hasDemo } from './read-objects.ts'
import { DEMO_ATTACHED, isDemoAttached, isDemoRule, networkSettings, withoutNetwork } from './settings.ts'
import { deleteEmptyLocations, deleteFound } from './write.ts'

/** Owner of the token that `serve --demo` prints: sees everything, changes nothing, has no password. */
const DEMO_USER = 'portlight-demo'
const DESCRIPTION = 'Demonstration'
const TOKEN_OCTETS = 16

export interface DemoDeps {
  readonly store: Store
  readonly gateway: Gateway
  readonly stored: SettingsService
  readonly changed: () => void
}

/** What was removed with the demo. */
export interface DemoRemoved {
  readonly devices: readonly string[]
  /** Locations left without devices. */
  readonly locations: readonly string[]
  /** Whether the demo user was removed, and with it the token. */
  readonly token: boolean
}

/** Operations on the demo as a whole. */
export function createDemoService({ store, gateway, stored, changed }: DemoDeps) {
  async function owner() {
    const [user] = await listUsers(store, DEMO_USER)
    return user === undefined || user.descr === DESCRIPTION ? user : null
  }

  /** Takes back what the demo has set so that devices are found. */
  async function forgetNetwork(): Promise<void> {
    const values = await stored.stored()
    const before = networkSettings(values.get('nets'), values.get('autodiscovery.networks'))
    const after = withoutNetwork(before)
    if (after.nets.length < before.nets.length) await change('nets', after.nets, after.nets.length)
    const left = Object.keys(after.networks).length
    if (left < Object.keys(before.networks).length) await change('autodiscovery.networks', after.networks, left)
    for (const rule of await listRules(store)) if (isDemoRule(rule)) await deleteRule(store, rule.id)
  }

  /** The pollers are not in the simulated network any more, unless a device of the user's own has the name. */
  async function detachPollers(): Promise<void> {
    const value = (await stored.stored()).get('dependencies.attached')
    if (isDemoAttached(value) && (await findDevice(store, DEMO_ATTACHED)) === null)
      await stored.unset('dependencies.attached')
  }

  const change = (name: string, value: unknown, left: number): Promise<unknown> =>
    left === 0 ? stored.unset(name) : stored.set(name, value)

  /** A service goes with its device. Rules go first, because they belong to a group. */
  async function forget({ kind, id }: DemoObject): Promise<unknown> {
    switch (kind) {
      case 'rule':
        return await deleteAlertRule(store, id)
      case 'group':
        return await deleteDeviceGroup(store, id)
      case 'bill':
        return await deleteBill(store, id, '')
      case 'maintenance':
        return await deleteSchedule(store, id)
      case 'service':
        return
      default:
        unreachable(kind)
    }
  }

  async function forgetObjects(): Promise<void> {
    for (const object of await demoObjects(store)) await forget(object)
  }

  return {
    /** Whether there are devices of the demo. Throws StoreError. */
    isHere: (): Promise<boolean> => hasDemo(store),

    /** Whether this token is valid and belongs to the demo user. */
    async holdsToken(token: string): Promise<boolean> {
      const found = await tokenOwner(store, hashToken(token))
      return found?.username === DEMO_USER && found.disabled === 0 && found.enabled === 1
    },

    /**
     * Creates a token that may read everything and change nothing. Throws `conflict` when another user has the demo
     * user's name.
     */
    async createToken(): Promise<string> {
      const user = await owner()
      if (user === null) throw conflict(`User ${DEMO_USER} does not belong to the demo`)
      const userId =
        user?.user_id ??
        (await insertUser(store, {
          username: DEMO_USER,
          password: null,
          realname: '',
          email: '',
          descr: DESCRIPTION,
          roles: ['global-read'],
        }))
      const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS)).toHex()
      await insertToken(store, {
        userId,
        hash: hashToken(token),
        description: DESCRIPTION,
        dialect: null,
        scope: 'write',
        expiresAt: null,
      })
      return token
    },

    /**
     * Removes the demo devices with all their data, those that were found in its network and accepted, its network, groups,
     * rules, bill and maintenance, locations used only by them, and the token. Other devices are not affected.
     */
    async remove(): Promise<DemoRemoved> {
      const devices = [...(await demoDevices(store)), ...(await foundDevices(store))]
      await forgetNetwork()
      await forgetObjects()
      for (const { device_id, hostname } of devices) {
        await deleteDevice(store, device_id, hostname, '')
        gateway.refresh(device_id)
      }
      // what a running demo has added meanwhile; without its devices it adds no more
      await forgetObjects()
      await detachPollers()
      const locations = await deleteEmptyLocations(
        store,
        devices.flatMap(({ location_id }) => location_id ?? []),
      )
      await deleteFound(store)
      const user = await owner()
      if (user) {
        await deleteUser(store, user.user_id)
        changed()
        await notifyAccess(store)
      }
      await forgetGone(store)
      return { devices: devices.map(({ hostname }) => hostname), locations, token: Boolean(user) }
    },
  }
}

export type DemoService = ReturnType<typeof createDemoService>
