import { isIP } from 'node:net'
import { type AdviceWords, advice } from './advice.ts'
import type { AddDeps } from './new-device.ts'
import { type ProbeSetting, probeSettings } from './probe-settings.ts'
import { deviceBySysName } from './read.ts'
import { type AddStep, type Report, step } from './steps.ts'
import { firstAnswer, pinged } from './try-credentials.ts'

/** What is at a name or address that is not monitored. Contains no secrets. */
export interface AddressExplanation {
  readonly address: string
  /** UDP port of the agent that was asked. */
  readonly port: number
  /** What was tried, in order. */
  readonly steps: readonly AddStep[]
  /** Whether the agent answered with one of the credentials of the settings. */
  readonly answers: boolean
  /** Whether the name has an address; true for an address. */
  readonly resolves: boolean
  /** Hostname of the monitored device whose sysName this is; null: none. */
  readonly monitoredAs: string | null
  readonly settings: readonly ProbeSetting[]
  /** What to check, most likely cause first. */
  readonly advice: readonly string[]
}

/** Tries to contact an address as adding it would, with the credentials of the settings, and stores nothing. */
export async function explainAddress(
  { store, settings, gateway, report }: Pick<AddDeps, 'store' | 'settings' | 'gateway' | 'report'>,
  address: string,
  words?: AdviceWords,
): Promise<AddressExplanation> {
  const steps: AddStep[] = []
  const note: Report = {
    begins: (start) => report?.begins?.(start),
    ended(one) {
      steps.push(one)
      report?.ended(one)
    },
  }
  const port = settings.get('snmp.port')
  const transport = settings.get('snmp.transports')[0] === 'udp6' ? 'udp6' : 'udp'
  const ip =
    isIP(address) !== 0
      ? address
      : await step(
          note,
          `Name ${address}`,
          () => gateway.resolve(address, transport === 'udp6' ? 6 : 'any'),
          (found) => ({
            result: found === null ? 'does not resolve to an address' : `is ${found}`,
            state: found === null ? 'no' : 'ok',
          }),
        )
  if (ip !== null) await pinged(gateway, note, ip)
  const { found = null } =
    ip === null ? {} : await firstAnswer({ gateway, settings, report: note }, { hostname: address }, transport, ip)
  const answers = found !== null
  return {
    address,
    port,
    steps,
    answers,
    resolves: ip !== null,
    monitoredAs: (await deviceBySysName(store, address))?.hostname ?? null,
    settings: probeSettings(settings),
    advice: answers ? [] : advice('silent', steps, port, words),
  }
}
