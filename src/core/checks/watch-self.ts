import type { Settings } from '../../config/schema.ts'
import type { AlertRuleService } from '../alerts/rules/service.ts'
import { SYSTEM } from '../base/actor.ts'
import { DomainError } from '../base/errors.ts'
import type { DeviceService } from '../devices/service.ts'
import { SELF_PARTS } from './self-parts.ts'
import type { HostServiceService } from './service.ts'

/** Hostname of the device that gets the services if none is named. */
const OWN_DEVICE = 'localhost'

export interface WatchedSelf {
  readonly hostname: string
  /** Whether the device was added for this. */
  readonly added: boolean
  /** Names of the added services, without those that the device already had. */
  readonly services: readonly string[]
  /** Name of the rule for warnings that was added; null: it already existed. */
  readonly rule: string | null
}

/**
 * Adds a service of type `portlight` for each part of this installation, on a separate device that is only pinged or on
 * the named one, and the ready-made rule for warnings. `api`: where the running server listens; null: none runs, and
 * the settings of this process say it. Throws `not_found` for an unknown device.
 */
export async function watchSelf(
  {
    devices,
    hostServices,
    alertRules,
    settings,
  }: { devices: DeviceService; hostServices: HostServiceService; alertRules: AlertRuleService; settings: Settings },
  device: string | undefined,
  api: URL | null,
): Promise<WatchedSelf> {
  const known = await existing(devices, device ?? OWN_DEVICE)
  if (known === null && device !== undefined) await devices.require(SYSTEM, device)
  const key = known ?? (await addOwn(devices))
  const before = new Set(
    (await hostServices.list(SYSTEM, { deviceId: key.device_id }))
      .filter(({ service_type }) => service_type === 'portlight')
      .map(({ service_name }) => service_name),
  )
  const tls = api === null ? settings.get('tls.cert') !== '' : api.protocol === 'https:'
  const port = api === null ? settings.get('port') : Number(api.port || (tls ? 443 : 80))
  const listen = api === null ? settings.get('listen') : api.hostname.replace(/^\[|\]$/g, '')
  const options = `-p ${port}${tls ? ' -S' : ''}`
  const added: string[] = []
  for (const [part, name] of Object.entries(SELF_PARTS)) {
    if (before.has(name)) continue
    await hostServices.add(SYSTEM, key.device_id, {
      type: 'portlight',
      ip: addressOf(listen),
      param: `${options} -k ${part}`,
      name,
      desc: 'limits: see the help, /help/how-to/monitor-portlight',
      ignore: 0,
      disabled: 0,
    })
    added.push(name)
  }
  return { hostname: key.hostname, added: known === null, services: added, rule: await warnings(alertRules) }
}

/** Adds the rule for warnings. Rule `Service down`, which every new installation has, covers critical states. */
async function warnings(alertRules: AlertRuleService): Promise<string | null> {
  try {
    return (await alertRules.addPreset(SYSTEM, 'portlight-warning')).name
  } catch (error) {
    if (error instanceof DomainError) return null // its name is in use
    throw error
  }
}

async function existing(devices: DeviceService, ref: string) {
  try {
    return await devices.require(SYSTEM, ref)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  }
}

async function addOwn(devices: DeviceService) {
  await devices.add(SYSTEM, { hostname: OWN_DEVICE, force: true, snmpDisable: true, os: 'ping' })
  return await devices.require(SYSTEM, OWN_DEVICE)
}

/** The address at which a server listening there is reached from this machine. */
function addressOf(listen: string): string {
  if (['0.0.0.0', '*', ''].includes(listen)) return '127.0.0.1'
  return listen === '::' ? '::1' : listen
}
