import type { Settings } from '../config/schema.ts'
import type { Contact, PingOutcome } from '../core/base/gateway.ts'
import type { EchoRounds } from './echo-rounds.ts'
import type { Runs } from './job-runner.ts'
import { addressOf, type PolledDevice, targetOf } from './polled-device.ts'
import { pingOutcome } from './protocol.ts'
import type { Resolver } from './resolve.ts'

/** Pings an address with the settings used for devices. */
export async function pingNow(
  address: string,
  { echo, settings }: { readonly echo: Pick<EchoRounds, 'ping'>; readonly settings: Settings },
): Promise<PingOutcome> {
  const results = await echo.ping([address], settings.get('ping.count'), settings.get('ping.timeout'))
  return pingOutcome(results[0])
}

/** Looks up the device's name, pings it and probes it by SNMP. Stores nothing. */
export async function tryDevice(
  { stored }: Pick<PolledDevice, 'stored'>,
  by: {
    readonly resolver: Resolver
    readonly echo: Pick<EchoRounds, 'ping'>
    readonly runs: Pick<Runs, 'probe'>
    readonly settings: Settings
  },
): Promise<Contact> {
  const address = await addressOf(by.resolver, stored)
  if (address === null) return { address, ping: null, probe: null }
  const [ping, probe] = await Promise.all([
    pingNow(address, by),
    stored.snmp_disable === 1 ? null : by.runs.probe(targetOf(stored, address)),
  ])
  return { address, ping, probe }
}
