import { failureText } from '@portlight/snmp/failure.ts'
import type { HostState, ObservedHost } from '../candidates/observed-host.ts'
import type { ScanCounts } from './scan.ts'

/** Kinds of refusals that are counted apart; further ones count as others. */
const MAX_REFUSALS = 20
const MAX_TEXT = 300
const OTHERS = 'other errors'

export function noCounts(total: number, excluded: number): ScanCounts {
  return {
    ...{ total, excluded, done: 0, answeredPing: 0, answeredSnmp: 0, refused: {}, silent: 0 },
    ...{ found: 0, added: 0, known: 0, ignored: 0 },
  }
}

/** The counts with one more host. */
export function withHost(counts: ScanCounts, host: ObservedHost, state: HostState): ScanCounts {
  const plus = (condition: boolean): number => (condition ? 1 : 0)
  return {
    ...counts,
    done: counts.done + 1,
    answeredPing: counts.answeredPing + plus(host.pingMs !== null),
    answeredSnmp: counts.answeredSnmp + plus(host.snmp !== null),
    refused: host.failure === null ? counts.refused : withRefusal(counts.refused, failureText(host.failure)),
    silent: counts.silent + plus(state === 'silent'),
    found: counts.found + plus(state === 'found'),
    added: counts.added + plus(state === 'added'),
    known: counts.known + plus(state === 'known'),
    ignored: counts.ignored + plus(state === 'ignored'),
  }
}

function withRefusal(refused: ScanCounts['refused'], text: string): ScanCounts['refused'] {
  const short = text.slice(0, MAX_TEXT)
  const isKnown = Object.hasOwn(refused, short) || Object.keys(refused).length < MAX_REFUSALS
  const name = isKnown ? short : OTHERS
  return { ...refused, [name]: (refused[name] ?? 0) + 1 }
}

/** What was asked, for the words of `whyNothing`. */
export interface Asked {
  readonly ping: boolean
  readonly snmp: boolean
  /** UDP port of the agents. */
  readonly port: number
  readonly communities: number
  readonly users: number
}

/** Why a scan found no devices, and what to check; null: it found some. */
export function whyNothing(counts: ScanCounts, asked: Asked): string | null {
  const { total, done, excluded, answeredPing, answeredSnmp, refused, silent, found, added, known, ignored } = counts
  if (found + added + known + ignored > 0 && (answeredSnmp > 0 || !asked.snmp)) return null
  if (total === 0)
    return excluded > 0
      ? `All ${excluded} addresses are left out by setting autodiscovery.nets-exclude or are outside of setting nets. Check these two settings.`
      : 'The networks have no addresses that could be asked.'
  const refusals = Object.entries(refused).map(([text, count]) => `${hosts(count)}: ${text}`)
  const refusedCount = Object.values(refused).reduce((sum, count) => sum + count, 0)
  const parts = [
    `Of ${done} addresses, ${asked.ping ? `${answeredPing} answered ping, ` : ''}${asked.snmp ? `${answeredSnmp} answered SNMP, ` : ''}${silent} were silent.`,
  ]
  if (refusals.length > 0) parts.push(`SNMP errors: ${refusals.join('; ')}.`)
  if (asked.snmp) {
    const tried = `${count(asked.communities, 'community', 'communities')} of setting snmp.community and ${count(asked.users, 'user', 'users')} of setting snmp.v3`
    if (refusedCount > 0) parts.push(`Check the users and passwords of setting snmp.v3 against those of the devices.`)
    if (answeredPing > refusedCount || !asked.ping)
      parts.push(
        `Agents do not answer a wrong community at all. Tried at UDP port ${asked.port}: ${tried}. Check that one of them is right, that the devices' access lists allow the host that asks, that the agents listen at that port (snmp.port), and that no firewall drops it.`,
      )
  }
  if (asked.ping && answeredPing === 0 && refusedCount === 0)
    parts.push('Nothing answered ping either: check the networks, the routes to them, and firewalls on the way.')
  return parts.join(' ')
}

const hosts = (number: number): string => count(number, 'address', 'addresses')
const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`
