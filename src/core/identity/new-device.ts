import { isIP } from 'node:net'
import type { Sql } from '../database/client.ts'
import { type Evidence, evidenceOf, type ReportedIdentity, universalMacs, usefulAddress } from './evidence.ts'
import { placeHost } from './identity.ts'
import { devicesLike, type KnownDevice, ownsAddress } from './read-devices.ts'

/** A device that is to be added, as far as it was read. */
export interface NewHost {
  /** null: its name does not resolve. */
  readonly address: string | null
  readonly pollerGroup: number
  readonly engineId: string | null
  readonly sysName: string | null
  /** Everything that it says of itself; null: it was not read. */
  readonly said: ReportedIdentity | null
  /** Whether several devices may have a system name (setting allow_duplicate_sysName). */
  readonly namesRepeat: boolean
}

/** The monitored device that a new one is. */
export interface MonitoredAs {
  readonly deviceId: number
  /** A sentence without its subject: `is switch1 (device 7), which answers at 10.0.0.1: they have the engine ID …`. */
  readonly text: string
}

/** Finds the monitored device that a new one is; null: it is none. Throws StoreError. */
export async function monitoredAs(sql: Sql, host: NewHost): Promise<MonitoredAs | null> {
  const { address, pollerGroup, sysName, said } = host
  const engineId = said?.engineId ?? host.engineId
  // agents on one host answer at one loopback address on several ports
  const at = address === null || isIP(address) === 0 || usefulAddress(address) === null ? [] : [address]
  const evidence = evidenceOf({ ...said, engineId, sysName, addresses: [...(said?.addresses ?? []), ...at] })
  const devices = await devicesLike(sql, evidence, pollerGroup, at)
  const owners = at.flatMap((one) => devices.filter((device) => ownsAddress(device, pollerGroup, one)))
  const owner = owners.length === 1 ? owners[0] : undefined
  const { same, near } = placeHost(evidence, devices)
  for (const { key, reason } of same) {
    const device = devices.find((one) => one.key === key)
    // clones have the engine ID of their image, and no more was read than that
    const isNamed = evidence.sysName !== null && device?.evidence.some((one) => one.sysName === evidence.sysName)
    const isSure = device?.evidence.some((one) => sharesHardware(evidence, one)) === true
    if (device !== undefined && (isSure || device === owner || (isNamed === true && !host.namesRepeat)))
      return sentence(device, reason)
  }
  if (owner === undefined || owner.address === address) return null
  // units of a cluster have its address
  if (near.some(({ key, verdict }) => key === owner.key && verdict === 'different')) return null
  const [known] = owner.evidence
  const isOther =
    (evidence.sysName !== null && known?.sysName !== evidence.sysName) ||
    (evidence.engineId !== null && known?.engineId != null && known.engineId !== evidence.engineId)
  return isOther || evidence.sysName === null
    ? null
    : sentence(owner, `${address} is an address of one of its interfaces, and it has its name`)
}

/** Whether they share more than engine ID, names and addresses. */
export function sharesHardware(a: Evidence, b: Evidence): boolean {
  const macs = new Set(universalMacs(b))
  return universalMacs(a).some((mac) => macs.has(mac)) || a.serials.some((serial) => b.serials.includes(serial))
}

const sentence = ({ name, key, address }: KnownDevice, reason: string): MonitoredAs => ({
  deviceId: key,
  text: `is ${name} (device ${key}), which answers at ${address ?? 'another address'}: ${reason}`,
})
