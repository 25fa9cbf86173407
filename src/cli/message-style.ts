import type { DomainError } from '../core/base/errors.ts'
import { oneLine } from '../lib/one-line.ts'

/**
 * What a refusal says on the command line: why a rule cannot be used, or what is wrong with each value, where the
 * message of the API says only that something is.
 */
export function refusalText(error: DomainError): string {
  const { cause, fields, message } = error
  if (cause instanceof Error && cause.name === 'BuilderError') return inCommandStyle(oneLine(cause.message))
  const each = Object.values(fields ?? {}).flat()
  return inCommandStyle(oneLine(each.length === 0 ? message : each.join(' ')))
}

/** Commands that list objects, by what messages call one. */
export const LISTED_BY: Readonly<Record<string, string>> = {
  'alert rule': 'rule list',
  bill: 'bill list',
  candidate: 'candidate list',
  'device group': 'group list',
  fault: 'fault list',
  location: 'location list',
  role: 'role list',
  service: 'service list',
  transport: 'transport list',
  user: 'user list',
}
const MISSING = new RegExp(`^there is no (${Object.keys(LISTED_BY).join('|')}) [^:;/]+$`)

/** What to do after a message about a missing object; null: the message says it, or there is nothing to say. */
export function nextStep(message: string): string | null {
  if (/^there is no device \S+$/.test(message)) return 'portlight device list shows hostnames and ids'
  const [, kind] = MISSING.exec(message) ?? []
  return kind === undefined ? null : `portlight ${LISTED_BY[kind]} shows those that there are`
}

/**
 * Messages of the API in the style of commands: those about missing objects all say `there is no device x`, and none
 * begins with a capital letter, unless that belongs to a word like SNMP.
 */
export function inCommandStyle(message: string): string {
  const [, group] = /^([A-Z][a-z]+) Group not found$/.exec(message) ?? []
  if (group !== undefined) return `there is no such ${group.toLowerCase()} group`
  const [, kind, ref] =
    /^([A-Z][a-z]+(?: [A-Za-z]+)*?)(?: ID)? ([^ ]+) (?:not found|does not exist)$/.exec(message) ?? []
  if (kind !== undefined && ref !== undefined) return `there is no ${kind.toLowerCase()} ${ref}`
  // A word with further capitals is a name, such as PostgreSQL.
  return /^[A-Z][a-z']*(?![A-Za-z])/.test(message) ? `${message.charAt(0).toLowerCase()}${message.slice(1)}` : message
}
