import { hostname } from 'node:os'
import { detailOf, type SnmpFailure } from '@portlight/snmp/failure.ts'
import { encodeTrap, sendInform, type Trap } from '@portlight/snmp/inform.ts'
import { TrapEncoder } from '@portlight/snmp/own-message.ts'
import { openSession } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { cutOctets, deviceName } from '../format.ts'
import { kind } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import { byFirstAddress } from '../resolve.ts'
import { sendDatagram, syslogSeverity } from './syslog.ts'

/** syslogMsgNotification and the columns of syslogMsgTable, SYSLOG-MSG-MIB (RFC 5676). */
const NOTIFICATION = '1.3.6.1.2.1.192.0.1'
const COLUMN = '1.3.6.1.2.1.192.1.2.1'
const MAX_MESSAGE = 1000
/** SyslogFacility daemon. */
const DAEMON = 3

const AUTH = ['', 'MD5', 'SHA', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const
const PRIV = ['', 'DES', 'AES', 'AES-192', 'AES-256', 'AES-192-C', 'AES-256-C'] as const

/** A standard notification for messages, so that receivers need no MIB of ours. The instance is the id of the alert. */
export function trapOf(notification: AlertNotification, upTime: number): Trap {
  const { kind: what, title, rule, severity, alertId, time } = notification
  const text = (value: string, octets: number): SnmpValue => ({
    kind: 'OctetString',
    value: new TextEncoder().encode(cutOctets(value, octets)),
  })
  const ascii = (value: string, octets: number) => text(value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, octets), octets)
  const message = [title, `device=${deviceName(notification)}`, `rule=${rule.name}`, `severity=${severity}`].join('; ')
  const values: readonly SnmpValue[] = [
    { kind: 'Integer32', value: DAEMON },
    { kind: 'Integer32', value: syslogSeverity(notification) },
    { kind: 'Gauge32', value: 1 },
    { kind: 'OctetString', value: timeStamp(new Date(time)) },
    ascii(hostname(), 255),
    ascii('portlight', 48),
    ascii(String(process.pid), 128),
    ascii(what, 32),
    { kind: 'Gauge32', value: 0 },
    text(message, MAX_MESSAGE),
  ]
  // syslogMsgIndex is 1 or more; columns begin with syslogMsgFacility, 2
  const index = Math.max(1, alertId)
  return {
    oid: NOTIFICATION,
    upTime,
    varbinds: values.map((value, i) => ({ oid: `${COLUMN}.${i + 2}.${index}`, value })),
  }
}

/** SyslogTimeStamp: like DateAndTime, but with microseconds in three octets; in UTC. */
function timeStamp(at: Date): Uint8Array {
  const year = at.getUTCFullYear()
  const micros = at.getUTCMilliseconds() * 1000
  return Uint8Array.of(
    year >> 8,
    year & 255,
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    micros >> 16,
    (micros >> 8) & 255,
    micros & 255,
    '+'.charCodeAt(0),
    0,
    0,
  )
}

export const snmptrap = kind({
  name: 'snmptrap',
  title: 'SNMP trap',
  about:
    'syslogMsgNotification of SYSLOG-MSG-MIB (RFC 5676) as a v2c or v3 trap or inform. The receiver acknowledges an inform; a trap may be lost. To receive v3 traps, snmptrapd needs the user with the engine id: createUser -e 0xENGINE_ID.',
  fields: {
    host: { type: 'text', required: true, about: 'Name or address of the receiver.' },
    port: { type: 'integer', default: 162, min: 1, max: 65_535, about: 'UDP port of the receiver.' },
    version: { type: 'choice', default: 'v2c', choices: ['v2c', 'v3'], about: 'SNMP version.' },
    inform: { type: 'bool', default: false, about: 'Send an inform instead of a trap.' },
    community: { type: 'text', default: 'public', secret: true, about: 'Community for v2c.' },
    user: { type: 'text', pattern: /^.{0,32}$/u, example: 'at most 32 characters', about: 'User for v3.' },
    auth: { type: 'choice', default: '', choices: AUTH, about: 'Authentication protocol for v3. Empty: none.' },
    auth_password: { type: 'text', secret: true, about: 'Authentication password.' },
    privacy: { type: 'choice', default: '', choices: PRIV, about: 'Privacy protocol for v3. Empty: none.' },
    privacy_password: { type: 'text', secret: true, about: 'Privacy password.' },
    engine_id: {
      type: 'text',
      pattern: /^(0x)?([0-9a-f]{2}){5,32}$/i,
      example: '5 to 32 octets in hexadecimal',
      about: 'snmpEngineID for v3 traps, in hexadecimal. Empty: that of this installation.',
    },
  },
  problems({ version, user, auth, auth_password, privacy, privacy_password }) {
    if (version !== 'v3') return []
    return [
      ...(user === '' ? ['user is missing'] : []),
      ...(auth !== '' && auth_password.length < 8 ? ['auth_password: expected at least 8 characters'] : []),
      ...(privacy !== '' && privacy_password.length < 8 ? ['privacy_password: expected at least 8 characters'] : []),
      ...(privacy !== '' && auth === '' ? ['privacy needs auth'] : []),
    ]
  },
  async send(notification, values, deps) {
    const trap = trapOf(notification, Math.floor(process.uptime() * 100))
    const shown = trap.varbinds.map(({ oid, value }) => `${oid} = ${textOf(value)}`)
    const head = `${values.version} ${values.inform ? 'inform' : 'trap'} to ${values.host}:${values.port}`
    deps.note?.([head, `snmpTrapOID.0 = ${trap.oid}`, ...shown].join('\n'), null)
    return await byFirstAddress(values.host, deps, async (address) => {
      const target = targetOf(address, values)
      if (values.inform) return await inform(target, trap)
      const id = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 1) & 0x7f_ff_ff_ff
      const octets =
        values.version === 'v3'
          ? encoder.encode(await deps.trapEngine(values.engine_id.replace(/^0x/i, '').toLowerCase()), target, id, trap)
          : encodeTrap(new TextEncoder().encode(values.community), id, trap)
      return await sendDatagram(address, values.port, octets)
    })
  },
})

const encoder = new TrapEncoder()

/** A value for people: text, or octets in hexadecimal. */
function textOf(value: SnmpValue): string {
  if (!('value' in value)) return value.kind
  if (!(value.value instanceof Uint8Array)) return String(value.value)
  const text = new TextDecoder().decode(value.value)
  return /[\p{Cc}\ufffd]/u.test(text) ? value.value.toHex() : text
}

interface Credentials {
  readonly port: number
  readonly version: 'v2c' | 'v3'
  readonly community: string
  readonly user: string
  readonly auth: (typeof AUTH)[number]
  readonly auth_password: string
  readonly privacy: (typeof PRIV)[number]
  readonly privacy_password: string
}

function targetOf(address: string, values: Credentials): SnmpTarget {
  const { port, version, community, user, auth, auth_password, privacy, privacy_password } = values
  return {
    address,
    port,
    transport: address.includes(':') ? 'udp6' : 'udp',
    snmpver: version,
    community,
    authlevel: auth === '' ? 'noAuthNoPriv' : privacy === '' ? 'authNoPriv' : 'authPriv',
    authname: user,
    authpass: auth_password,
    authalgo: auth,
    cryptopass: privacy_password,
    cryptoalgo: privacy,
    timeout: 2,
    retries: 3,
  }
}

async function inform(target: SnmpTarget, trap: Trap): Promise<Delivery> {
  const transport = await createTransport({ sockets: 1, receiveBufferOctets: 65_536 })
  try {
    const answer = await sendInform(openSession(transport, target), trap)
    if (answer.kind === 'answer') return { kind: 'delivered' }
    if (answer.kind === 'error') return { kind: 'refused', reason: `the receiver answered ${answer.status}` }
    return { kind: answer.kind === 'refused' ? 'refused' : 'retry', reason: failureReason(answer) }
  } finally {
    transport.close()
  }
}

function failureReason(failure: SnmpFailure): string {
  const detail = detailOf(failure)
  return detail === '' ? failure.kind : `${failure.kind}: ${detail}`
}
