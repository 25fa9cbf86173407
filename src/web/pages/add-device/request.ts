import { invalid } from '../../../core/base/errors.ts'
import type { NewDevice } from '../../../core/devices/service.ts'
import type { Form } from '../../page.ts'

/** How a device is monitored; '' tries what the settings specify. */
export const WAYS = ['', 'v2c', 'v3', 'v1', 'ping'] as const

const text = (form: Form, name: string): string | undefined => form.get(name)?.trim() || undefined

/** Text that is not trimmed, because passwords may begin or end with a space. */
const secret = (form: Form, name: string): string | undefined => form.get(name) || undefined

/** A number in a form; undefined if the field is empty. Throws `invalid`. */
export function wholeOf(form: Form, name: string, label: string, least: number, most: number): number | undefined {
  const given = text(form, name)
  if (given === undefined) return undefined
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (!(value >= least && value <= most)) throw invalid(`${label}: enter a number from ${least} to ${most}`)
  return value
}

/** The device described by the form. Throws `invalid` with the form's labels. */
export function requestOf(form: Form): NewDevice {
  const hostname = text(form, 'hostname')
  if (hostname === undefined) throw invalid('Enter the name or address of the device')
  const given = { displayTemplate: text(form, 'display'), overwriteIp: text(form, 'address') }
  return { ...commonOf(form), ...given, hostname }
}

/** What the form says that may apply to several devices. Throws `invalid` with the form's labels. */
export function commonOf(form: Form): Omit<NewDevice, 'hostname'> {
  const way = WAYS.find((known) => known === (form.get('way') ?? '')) ?? ''
  const isV3 = way === 'v3'
  const hasCommunity = way === 'v1' || way === 'v2c' || way === ''
  if (isV3 && text(form, 'authname') === undefined) throw invalid('SNMPv3: enter the user')
  const level = isV3 ? (text(form, 'authlevel') ?? 'authPriv') : undefined
  const withAuth = level === 'authNoPriv' || level === 'authPriv'
  if (withAuth && secret(form, 'authpass') === undefined)
    throw invalid(`SNMPv3 ${level}: enter the authentication password`)
  if (level === 'authPriv' && secret(form, 'cryptopass') === undefined)
    throw invalid('SNMPv3 authPriv: enter the privacy password')
  return {
    snmpver: way === '' || way === 'ping' ? undefined : way,
    community: hasCommunity ? secret(form, 'community') : undefined,
    authlevel: level,
    authname: isV3 ? text(form, 'authname') : undefined,
    authpass: withAuth ? secret(form, 'authpass') : undefined,
    authalgo: withAuth ? text(form, 'authalgo') : undefined,
    cryptopass: level === 'authPriv' ? secret(form, 'cryptopass') : undefined,
    cryptoalgo: level === 'authPriv' ? text(form, 'cryptoalgo') : undefined,
    port: wholeOf(form, 'port', 'UDP port', 1, 65_535),
    transport: text(form, 'transport'),
    anySource: form.get('snmp_any_source') === '1' && way !== 'ping',
    snmpDisable: way === 'ping',
    only: form.get('only') === '1' && way !== 'ping',
    force: form.get('force') === '1',
    pingFallback: form.get('fallback') === '1',
    location: text(form, 'location'),
  }
}
