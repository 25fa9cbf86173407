import { failureText } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import type { Actor } from '../base/actor.ts'
import type { Gateway, SnmpTarget } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import { authLevel, isSnmpVersion } from './credentials.ts'
import type { DeviceLookup } from './lookup.ts'
import { requireOwnNetwork } from './own-networks.ts'
import { readDevice } from './read-record.ts'
import { type AddStep, millis } from './steps.ts'
import { acceptsAnySource } from './write-overrides.ts'

export interface OverrideDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly devices: Pick<DeviceLookup, 'require'>
}

/** Credentials to test; absent members are taken from the stored record. */
export type TestedCredentials = Readonly<Partial<Record<'snmpver' | 'community' | 'authlevel' | 'authname', string>>> &
  Readonly<Partial<Record<'authpass' | 'authalgo' | 'cryptopass' | 'cryptoalgo', string>>> & {
    readonly port?: number
    readonly anySource?: boolean
  }

/** Probes the device with these credentials instead of the stored ones. Stores nothing. Throws `not_found`. */
export async function testCredentials(
  { store, settings, gateway, devices }: OverrideDeps,
  actor: Actor,
  ref: string,
  given: TestedCredentials,
): Promise<AddStep> {
  const device = await devices.require(actor, ref)
  const record = await readDevice(store, device.device_id, { secrets: true })
  const stored = (name: string): string | null => {
    const value = (record as Readonly<Record<string, unknown>> | null)?.[name]
    return typeof value === 'string' ? value : null
  }
  const transport = stored('transport') ?? 'udp'
  const address = await gateway.resolve(stored('overwrite_ip') || device.hostname, transport.endsWith('6') ? 6 : 'any')
  const version = given.snmpver ?? stored('snmpver') ?? 'v2c'
  const what = `SNMP ${version} with the values of the form`
  if (address === null) return { what, result: 'the name does not resolve', state: 'no', tookMs: 0 }
  if (given.port !== undefined && given.port !== record?.port)
    await requireOwnNetwork({ settings, gateway }, actor, [address])
  const isV3 = version === 'v3'
  const v3 = (name: 'authname' | 'authpass' | 'authalgo' | 'cryptopass' | 'cryptoalgo') =>
    isV3 ? (given[name] ?? stored(name)) : null
  const target: SnmpTarget = {
    address,
    port: given.port ?? record?.port ?? 161,
    transport: address.includes(':') ? 'udp6' : 'udp',
    ...((given.anySource ?? (await acceptsAnySource(store, device.device_id))) && { anySource: true }),
    snmpver: isSnmpVersion(version) ? version : 'v2c',
    community: isV3 ? null : (given.community ?? stored('community')),
    authlevel: isV3 ? authLevel(given.authlevel ?? stored('authlevel') ?? undefined) : null,
    authname: v3('authname'),
    authpass: v3('authpass'),
    authalgo: v3('authalgo'),
    cryptopass: v3('cryptopass'),
    cryptoalgo: v3('cryptoalgo'),
    timeout: record?.timeout ?? null,
    retries: record?.retries ?? null,
  }
  const before = performance.now()
  const probe = await gateway.probe(target)
  const tookMs = performance.now() - before
  return probe.kind === 'answer'
    ? { what, result: `answers as ${probe.sysName ?? 'unknown'} in ${millis(tookMs)}`, state: 'ok', tookMs }
    : { what, result: failureText(probe.failure), state: 'no', tookMs }
}
