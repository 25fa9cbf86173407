import type { DomainErrorCode } from '../base/errors.ts'
import type { AddStep } from './steps.ts'

/** What the reader of an advice uses. */
export interface AdviceWords {
  readonly unprobed: string
  readonly anySource: string
  readonly setting: (name: string) => string
}

const ON_PAGE: AdviceWords = {
  unprobed: '“Add without probing it”',
  anySource: '“Accept answers from another address or port” (under “More”)',
  setting: (name) => `setting ${name}`,
}

/** What to check after a device could not be added, most likely cause first. Empty if the message is sufficient. */
export function advice(
  code: DomainErrorCode,
  steps: readonly AddStep[],
  port: number,
  { unprobed, anySource, setting }: AdviceWords = ON_PAGE,
): readonly string[] {
  if (code === 'unavailable') return ['The database is unavailable. Nothing was stored; try again in a few seconds.']
  if (code !== 'silent') return []
  const failed = steps.filter(({ state }) => state === 'no')
  const last = failed.at(-1)
  if (last?.what.startsWith('Name')) {
    return [
      'Is the name spelled as in DNS, including its domain?',
      'Can this host look it up? Try: getent hosts NAME',
      'Use the address instead of the name.',
    ]
  }
  if (last === undefined || last.what.startsWith('Ping')) {
    return [
      'Is the address correct, and is the device powered on and reachable from this host?',
      'Does a firewall between this host and the device drop ICMP echo?',
      `A device that never answers pings can be added with ${unprobed}, or for all devices with ${setting('icmp_check')} off.`,
    ]
  }
  if (failed.some(({ result }) => result.startsWith('answers come from'))) {
    return [
      'The agent answers, but not from the address and port that it is asked at. Can it be told which source address to use?',
      'Does it answer from its management address or a loopback? Add it under the address that the line above names.',
      `If neither helps, for example behind address translation, add it with ${anySource}.`,
    ]
  }
  const refused = failed.filter(({ result }) => result.startsWith('the agent'))
  if (refused.length > 0) {
    return [
      'The agent answers but refuses access: check what the line above names (user, password, algorithm or security level).',
      'Algorithms must be the same on both sides; many agents call SHA-1 “SHA” and AES-128 “AES”.',
      'Do the access list and view of the agent allow this user to read the system group (1.3.6.1.2.1.1)?',
    ]
  }
  return [
    'Is the community or the SNMPv3 user correct? Agents do not answer requests with a wrong community.',
    'Is SNMP enabled in this version, and does the agent’s access list include the address of this host?',
    `Does a firewall on the path drop UDP port ${port}, or does the agent listen on another port?`,
    `For a slow or distant agent, raise ${setting('snmp.timeout')} and ${setting('snmp.retries')}.`,
  ]
}
