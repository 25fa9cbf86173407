import type { DomainErrorCode } from '../errors.ts'
import type { AddStep } from './steps.ts'

/** What to check after a device could not be added, the most likely first. Empty: the message says it all. */
export function advice(code: DomainErrorCode, steps: readonly AddStep[], port: number): readonly string[] {
  if (code === 'unavailable') return ['The database is not available. Nothing was stored; try again in a few seconds.']
  if (code !== 'silent') return []
  const failed = steps.filter(({ state }) => state === 'no')
  const last = failed.at(-1)
  if (last?.what.startsWith('Name')) {
    return [
      'Is the name spelled as in the DNS, with its domain?',
      'Can this host look it up? Try: getent hosts NAME',
      'Give the address instead of the name.',
    ]
  }
  if (last === undefined || last.what.startsWith('Ping')) {
    return [
      'Is the address right, and is the device switched on and reachable from this host?',
      'Does a firewall between this host and the device drop ICMP echo?',
      'A device that never answers pings can be added with “Add without probing it”, or for all devices with setting icmp_check off.',
    ]
  }
  const refused = failed.filter(({ result }) => result.startsWith('the agent'))
  if (refused.length > 0) {
    return [
      'The agent answers but refuses: check what the line above names, user, password, algorithm or security level.',
      'Algorithms must be the same on both sides; many agents call SHA-1 “SHA” and AES-128 “AES”.',
      'Does the access list or view of the agent allow this user to read the system group (1.3.6.1.2.1.1)?',
    ]
  }
  return [
    'Is the community or the SNMPv3 user right? Agents do not answer to a wrong community.',
    'Is SNMP switched on, in this version, and does the agent’s access list name the address of this host?',
    `Does a firewall drop UDP port ${port} on the way, or does the agent listen on another port?`,
    'With a slow or distant agent, raise the settings snmp.timeout and snmp.retries.',
  ]
}
