import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { oneLine } from '../../../../lib/one-line.ts'
import { SYSLOG_FACILITIES } from '../../../../lib/syslog-names.ts'
import { cutOctets, deviceName, instant, level } from '../format.ts'
import { kind } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import { byFirstAddress } from '../resolve.ts'

const SEVERITY = { ok: 5, warning: 4, critical: 2 } as const
/** Receivers should accept 2048 octets (RFC 5424 §6.1), but a UDP datagram should also fit the path MTU. */
const MAX_UDP = 1400
const MAX_TCP = 8192

/** Severity according to RFC 5424 table 2: notice, warning or critical. */
export const syslogSeverity = (notification: AlertNotification): number => SEVERITY[level(notification)]

/** A message in the format of RFC 5424. HOSTNAME is this machine; the device is in the text. */
export function syslogMessage(notification: AlertNotification, facility: number, host: string, octets: number): string {
  const { kind: what, time, title, rule, severity } = notification
  const priority = facility * 8 + syslogSeverity(notification)
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'
  const text = [title, `device=${deviceName(notification)}`, `rule=${rule.name}`, `severity=${severity}`].join('; ')
  const message = `<${priority}>1 ${instant(time)} ${name} portlight ${process.pid} ${what} [origin software="Portlight"] \ufeff${oneLine(text)}`
  return cutOctets(message, octets)
}

export const syslog = kind({
  name: 'syslog',
  title: 'Syslog',
  about: 'RFC 5424 over UDP (RFC 5426), TCP with octet counting (RFC 6587), or TLS (RFC 5425).',
  fields: {
    host: { type: 'text', required: true, was: 'syslog-host', about: 'Name or address of the receiver.' },
    port: {
      type: 'integer',
      default: 0,
      min: 0,
      max: 65_535,
      was: 'syslog-port',
      about: 'Port of the receiver. 0: 514, or 6514 for TLS.',
    },
    protocol: { type: 'choice', default: 'udp', choices: ['udp', 'tcp', 'tls'], about: 'Transport protocol.' },
    facility: {
      type: 'choice',
      default: 'daemon',
      choices: SYSLOG_FACILITIES,
      about: 'Facility.',
    },
  },
  /** LibreNMS stores the facility as a number. */
  adapt({ 'syslog-facility': old, ...settings }) {
    const name = typeof old === 'string' || typeof old === 'number' ? SYSLOG_FACILITIES[Number(old)] : undefined
    return name === undefined ? settings : { facility: name, ...settings }
  },
  async send(notification, { host, port, protocol, facility }, deps) {
    const code = SYSLOG_FACILITIES.indexOf(facility)
    const message = syslogMessage(notification, code, hostname(), protocol === 'udp' ? MAX_UDP : MAX_TCP)
    const to = port || (protocol === 'tls' ? 6514 : 514)
    deps.note?.(`${protocol} ${host}:${to}\n${message}`, null)
    return await byFirstAddress(host, deps, (address) =>
      protocol === 'udp'
        ? sendDatagram(address, to, Buffer.from(message))
        : sendStream({ address, port: to, servername: protocol === 'tls' ? host : null }, message, deps.signal),
    )
  },
})

/** Sends a datagram from a new socket. Rejects with the error of the socket. */
export function sendDatagram(address: string, port: number, octets: Uint8Array): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  socket.on('error', reject)
  socket.send(octets, port, address, (error) => {
    if (error === null || error === undefined) resolve({ kind: 'delivered' })
    else reject(error)
  })
  return promise.finally(() => socket.close())
}

interface Peer {
  readonly address: string
  readonly port: number
  /** Name in the certificate; null: no TLS. */
  readonly servername: string | null
}

/** The message counts as delivered once it was handed to TCP and the connection is closed without an error. */
function sendStream({ address, port, servername }: Peer, message: string, signal: AbortSignal): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>()
  const socket =
    servername === null
      ? connect({ host: address, port })
      : connectTls({ host: address, port, ...(isIP(servername) === 0 ? { servername } : {}) })
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  let flushed = false
  socket.once(servername === null ? 'connect' : 'secureConnect', () =>
    socket.end(`${Buffer.byteLength(message)} ${message}`, () => {
      flushed = true
    }),
  )
  socket.on('error', reject)
  socket.on('close', () => (flushed ? resolve({ kind: 'delivered' }) : reject(new Error('closed'))))
  socket.resume()
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  })
}
