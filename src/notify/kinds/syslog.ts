import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { SYSLOG_FACILITIES } from '../../lib/syslog-names.ts'
import { kind } from '../kind.ts'
import type { Delivery, Notification } from '../notification.ts'
import { byFirstAddress } from '../resolve.ts'
import { cutOctets, deviceName, instant, level } from '../words.ts'

const SEVERITY = { ok: 5, warning: 4, critical: 2 } as const
/** Receivers should take 2048 octets (RFC 5424 §6.1), by UDP with luck. */
const MAX_UDP = 1400
const MAX_TCP = 8192

/** Severity by RFC 5424 table 2: notice, warning, critical. */
export const syslogSeverity = (notification: Notification): number => SEVERITY[level(notification)]

/** A message by RFC 5424. The name of the host is that of this machine; the device is in the text. */
export function syslogMessage(notification: Notification, facility: number, host: string, octets: number): string {
  const { kind: what, time, title, rule, severity } = notification
  const priority = facility * 8 + syslogSeverity(notification)
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'
  const text = [title, `device=${deviceName(notification)}`, `rule=${rule.name}`, `severity=${severity}`].join('; ')
  const message = `<${priority}>1 ${instant(time)} ${name} portlight ${process.pid} ${what} [origin software="Portlight"] \ufeff${text.replaceAll(/\p{Cc}+/gu, ' ')}`
  return cutOctets(message, octets)
}

export const syslog = kind({
  name: 'syslog',
  title: 'Syslog',
  about: 'RFC 5424 by UDP (RFC 5426), TCP with octet counting (RFC 6587), or TLS (RFC 5425).',
  fields: {
    host: { type: 'text', required: true, was: 'syslog-host', about: 'Receiver.' },
    port: {
      type: 'integer',
      default: 0,
      min: 0,
      max: 65_535,
      was: 'syslog-port',
      about: 'Its port. 0: 514, by TLS 6514.',
    },
    protocol: { type: 'choice', default: 'udp', choices: ['udp', 'tcp', 'tls'], about: 'How it is sent.' },
    facility: {
      type: 'choice',
      default: 'daemon',
      choices: SYSLOG_FACILITIES,
      about: 'Facility.',
    },
  },
  /** LibreNMS has the number of the facility. */
  adapt({ 'syslog-facility': old, ...settings }) {
    const name = typeof old === 'string' || typeof old === 'number' ? SYSLOG_FACILITIES[Number(old)] : undefined
    return name === undefined ? settings : { facility: name, ...settings }
  },
  async send(notification, { host, port, protocol, facility }, deps) {
    const code = SYSLOG_FACILITIES.indexOf(facility)
    const message = syslogMessage(notification, code, hostname(), protocol === 'udp' ? MAX_UDP : MAX_TCP)
    const to = port || (protocol === 'tls' ? 6514 : 514)
    return await byFirstAddress(host, deps, (address) =>
      protocol === 'udp'
        ? sendDatagram(address, to, Buffer.from(message))
        : sendStream({ address, port: to, servername: protocol === 'tls' ? host : null }, message, deps.signal),
    )
  },
})

/** Sends a datagram from a socket of its own. Rejects with the error of the socket. */
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

/** Delivered is what the receiver's host acknowledged: TCP has no more to say. */
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
