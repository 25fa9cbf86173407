import { isIP } from 'node:net'
import type { Sql } from '../database/client.ts'
import { evidenceOf, usefulAddress } from './evidence.ts'
import { placeHost } from './identity.ts'
import { devicesLike, type KnownDevice } from './read-devices.ts'

/** A device that is to be added, as far as it was read. */
export interface NewHost {
  /** null: its name does not resolve. */
  readonly address: string | null
  readonly pollerGroup: number
  readonly engineId: string | null
  readonly sysName: string | null
  /** Whether several devices may have a system name (setting allow_duplicate_sysName). */
  readonly namesRepeat: boolean
}

/**
 * The monitored device that a new one is, as a sentence without its subject: `is switch1 (device 7), which answers at
 * 10.0.0.1: they have the engine ID …`. null: it is none. Throws StoreError.
 */
export async function monitoredAs(sql: Sql, host: NewHost): Promise<string | null> {
  const { address, pollerGroup, engineId, sysName } = host
  // agents on one host answer at one loopback address on several ports
  const at = address === null || isIP(address) === 0 || usefulAddress(address) === null ? [] : [address]
  const evidence = evidenceOf({ engineId, sysName, addresses: at })
  const devices = await devicesLike(sql, evidence, pollerGroup, at)
  const owners = devices.filter((device) => ownsAddress(device, pollerGroup, at[0] ?? null))
  const owner = owners.length === 1 ? owners[0] : undefined
  const { same } = placeHost(evidence, devices)
  for (const { key, reason } of same) {
    const device = devices.find((one) => one.key === key)
    // clones have the engine ID of their image, and no more was read than that
    const isNamed = evidence.sysName !== null && device?.evidence.some((one) => one.sysName === evidence.sysName)
    if (device !== undefined && (device === owner || (isNamed === true && !host.namesRepeat)))
      return sentence(device, reason)
  }
  if (owner === undefined || owner.address === address) return null
  const [known] = owner.evidence
  const isOther =
    (evidence.sysName !== null && known?.sysName !== evidence.sysName) ||
    (evidence.engineId !== null && known?.engineId != null && known.engineId !== evidence.engineId)
  return isOther || evidence.sysName === null
    ? null
    : sentence(owner, `${address} is an address of one of its interfaces, and it has its name`)
}

function ownsAddress({ pollerGroup, evidence }: KnownDevice, group: number, address: string | null): boolean {
  return pollerGroup === group && address !== null && evidence.some(({ addresses }) => addresses.includes(address))
}

const sentence = ({ name, key, address }: KnownDevice, reason: string): string =>
  `is ${name} (device ${key}), which answers at ${address ?? 'another address'}: ${reason}`
