import type { Settings } from '../config/schema.ts'
import type { AgentIdentity, Contact, PingOutcome, ProbeOutcome, SnmpTarget } from '../core/base/gateway.ts'
import type { Log } from '../observe/log.ts'
import { addressOf, type PolledDevice, targetOf } from './devices/polled-device.ts'
import type { Pool } from './pool.ts'
import { pingOutcome } from './protocol.ts'
import type { Resolver } from './resolve.ts'
import type { EchoRounds } from './runs/echo-rounds.ts'

/** Contacts agents on request, without storing anything. */
export interface Contacts {
  /** Pings an address with the settings used for devices. */
  ping(address: string): Promise<PingOutcome>
  /** One GET of objects of the system group. */
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** Reads what identifies the agent; null: it did not answer. */
  identify(target: SnmpTarget): Promise<AgentIdentity | null>
  /** Looks up the device's name, pings it and probes it by SNMP. */
  tryDevice(device: Pick<PolledDevice, 'stored'>): Promise<Contact>
}

export interface ContactsParts {
  readonly settings: Settings
  readonly log: Log
  readonly pool: Pool
  readonly resolver: Resolver
  readonly echo: Pick<EchoRounds, 'ping'>
}

export function createContacts({ settings, log, pool, resolver, echo }: ContactsParts): Contacts {
  async function ping(address: string): Promise<PingOutcome> {
    const results = await echo.ping([address], settings.get('ping.count'), settings.get('ping.timeout'))
    return pingOutcome(results[0])
  }

  function probe(target: SnmpTarget): Promise<ProbeOutcome> {
    return new Promise((resolve) => {
      pool.run(Math.floor(Math.random() * pool.max), { kind: 'probe', target }, (answer) => {
        if (answer.kind === 'probed') return resolve(answer.outcome)
        log.error({ reason: answer.kind === 'failed' ? answer.message : 'the worker died' }, 'probe failed')
        resolve({ kind: 'failed', failure: { kind: 'lost' } })
      })
    })
  }

  function identify(target: SnmpTarget): Promise<AgentIdentity | null> {
    return new Promise((resolve) => {
      pool.run(Math.floor(Math.random() * pool.max), { kind: 'identify', target }, (answer) => {
        if (answer.kind === 'identified') return resolve(answer.identity)
        log.error({ reason: answer.kind === 'failed' ? answer.message : 'the worker died' }, 'reading identity failed')
        resolve(null)
      })
    })
  }

  return {
    ping,
    probe,
    identify,
    async tryDevice({ stored }) {
      const address = await addressOf(resolver, stored)
      if (address === null) return { address, ping: null, probe: null }
      const [pinged, probed] = await Promise.all([
        ping(address),
        stored.snmp_disable === 1 ? null : probe(targetOf(stored, address)),
      ])
      return { address, ping: pinged, probe: probed }
    },
  }
}
