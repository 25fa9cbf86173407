import { isIP, Socket } from 'node:net'
import type { Settings } from '../../../../config/schema.ts'
import { cut } from '../format.ts'
import { again, kind } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import { byFirstAddress, networkReason, type SendDeps, SendError } from '../resolve.ts'

const MAX_SUBJECT = 250
/** Time limit for one step of the conversation, ms. */
const STEP_MS = 20_000
/** Why a mail without an SMTP server is not sent. */
export const NO_SERVER =
  'no SMTP server: set one for all with setting email_smtp_host (portlight config set email_smtp_host HOST), or host of this transport'
const ADDRESS = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/

const fields = {
  to: { type: 'list', was: 'email', about: 'Recipients: address, or Name <address>.' },
  contact: {
    type: 'choice',
    default: 'email',
    choices: ['email', 'sysContact', 'owners', 'role'],
    was: 'mail-contact',
    about:
      "email: send to the addresses in `to`; sysContact: send to the address in the device's sysContact. owners and role, known from LibreNMS, are refused.",
  },
  bcc: { type: 'list', was: 'bcc', about: 'Addresses for blind copies.' },
  from: { type: 'text', about: 'Sender address. Default: setting email_from.' },
  host: { type: 'text', about: 'SMTP server. Default: setting email_smtp_host.' },
  port: { type: 'integer', default: 0, min: 0, max: 65_535, about: 'Port of the server. 0: setting email_smtp_port.' },
  security: {
    type: 'choice',
    default: '',
    choices: ['', 'none', 'starttls', 'tls'],
    about:
      'tls: implicit TLS, usually port 465; starttls: STARTTLS is required, usually port 587; none: plain text. Empty: setting email_smtp_secure.',
  },
  username: { type: 'text', about: 'User name at the server. Default: setting email_smtp_username.' },
  password: { type: 'text', secret: true, about: 'Password of this user. Default: setting email_smtp_password.' },
  verify: { type: 'bool', default: true, about: "Verify the server's certificate." },
} as const

/** Whether a transport of this kind with these settings has no server to send to. */
export const hasNoServer = (own: Readonly<Record<string, unknown>>, settings: Settings): boolean =>
  String(own['host'] ?? '').trim() === '' && settings.get('email_smtp_host') === ''

/** SMTP (RFC 5321) with nodemailer. */
export const mail = kind({
  name: 'mail',
  title: 'Mail',
  about: 'SMTP. Server, user and sender can be set once for all transports with the settings email_*.',
  fields,
  deadlineMs: 90_000,
  problems({ contact, to }) {
    if (contact === 'owners' || contact === 'role')
      return [`contact ${contact} is not supported, give addresses instead`]
    if (contact === 'email' && to.length === 0) return ['to is missing']
    return to.every((address) => ADDRESS.test(address)) ? [] : ['to: expected mail addresses']
  },
  async send(notification, values, deps) {
    const { settings } = deps
    const own = values.host !== ''
    const host = own ? values.host : settings.get('email_smtp_host')
    if (host === '') return { kind: 'refused', reason: NO_SERVER }
    const security = values.security === '' ? settings.get('email_smtp_secure') : values.security
    // the password of one server must not go to another
    const username = values.username === '' && !own ? settings.get('email_smtp_username') : values.username
    const password = values.username === '' && !own ? settings.get('email_smtp_password') : values.password
    const server = {
      host,
      port: values.port || (own ? PORTS[security] : settings.get('email_smtp_port')),
      security,
      verify: values.verify,
      auth: username === '' ? null : { username, password },
    }
    const to = values.contact === 'sysContact' ? contactsOf(notification) : values.to
    if (to.length === 0) return { kind: 'refused', reason: 'sysContact of the device has no mail address' }
    const message = messageOf(notification, {
      from: values.from || settings.get('email_from') || 'portlight@localhost',
      to,
      bcc: values.bcc,
    })
    return await byFirstAddress(host, deps, (address) => send(address, server, message, deps))
  },
})

const PORTS = { none: 25, starttls: 587, tls: 465 } as const

interface Server {
  readonly host: string
  readonly port: number
  readonly security: keyof typeof PORTS
  readonly verify: boolean
  readonly auth: { readonly username: string; readonly password: string } | null
}

function contactsOf({ device }: AlertNotification): string[] {
  const [address] = ADDRESS.exec(device.contact ?? '') ?? []
  return address === undefined ? [] : [address]
}

interface Envelope {
  readonly from: string
  readonly to: readonly string[]
  readonly bcc: readonly string[]
}

/** The message for nodemailer. Messages of one alert form a thread, whose root does not exist (RFC 5322 §3.6.4). */
export function messageOf(notification: AlertNotification, { from, to, bcc }: Envelope) {
  const { key, title, text, html, alertId, time, kind: what, severity, images } = notification
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'portlight.invalid'
  const thread = `<alert-${alertId}.portlight@${domain}>`
  return {
    from,
    to: [...to],
    bcc: [...bcc],
    subject: cut(title, MAX_SUBJECT),
    text,
    ...(html === null ? {} : { html }),
    date: new Date(time),
    messageId: `<${key}@${domain}>`,
    ...(what === 'test' ? {} : { inReplyTo: thread, references: thread }),
    headers: {
      // RFC 3834: prevents vacation replies
      'Auto-Submitted': 'auto-generated',
      'X-Portlight-Kind': what,
      'X-Portlight-Severity': severity,
    },
    attachments: images.map(({ cid, png }) => ({
      cid,
      content: Buffer.from(png),
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
      filename: `${cid.replaceAll(/[^\w.-]/g, '_')}.png`,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function send(
  address: string,
  { host, port, security, verify, auth }: Server,
  message: ReturnType<typeof messageOf>,
  { signal, note }: SendDeps,
): Promise<Delivery> {
  const { from, to, bcc, subject, text } = message
  const head = [`From: ${from}`, `To: ${to.join(', ')}`, ...(bcc.length === 0 ? [] : [`Bcc: ${bcc.join(', ')}`])]
  const lines = [`SMTP (${security}) to ${host}:${port}`, ...head, `Subject: ${subject}`, '', text]
  const noted = (answer: string | null) =>
    note?.(lines.join('\n'), answer, auth === null ? [] : [auth.password, authPlain(auth)])
  // loaded with the first mail, because no other kind needs it
  const { createTransport } = await import('nodemailer')
  // our own socket, because nodemailer has no way to end a conversation: a server that keeps talking would hold it for ever
  const socket = new Socket()
  socket.on('error', () => undefined)
  const transport = createTransport({
    socket,
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // an IP address is not a valid server name (RFC 6066 §3)
    tls: { ...(isIP(host) === 0 ? { servername: host } : {}), rejectUnauthorized: verify },
    ...(auth === null ? {} : { auth: { user: auth.username, pass: auth.password } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
  })
  const close = () => socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  try {
    const { response } = await transport.sendMail(message)
    noted(typeof response === 'string' ? response : null)
    return { kind: 'delivered' }
  } catch (error) {
    const { response } = error as { response?: unknown }
    noted(typeof response === 'string' ? response : null)
    return failure(error)
  } finally {
    signal.removeEventListener('abort', close)
    transport.close()
    socket.destroy()
  }
}

/** What AUTH PLAIN sends; a server may quote it. */
const authPlain = ({ username, password }: { readonly username: string; readonly password: string }): string =>
  Buffer.from(`\0${username}\0${password}`).toString('base64')

/** 4yz replies are temporary, 5yz permanent (RFC 5321 §4.2.1). Reply texts are left out: they may quote secrets. */
function failure(error: unknown): Delivery {
  const { responseCode: code, command } = error as { responseCode?: unknown; command?: unknown }
  if (typeof code === 'number') {
    const step = typeof command === 'string' && /^[A-Z ]{1,20}$/.test(command) ? ` to ${command}` : ''
    const reason = `the mail server answered ${code}${step}`
    return code >= 500 ? { kind: 'refused', reason } : again(reason, null)
  }
  if ((error as { code?: unknown }).code === 'EPROTOCOL')
    return again('the answer of the mail server is too long, or none of a mail server', null)
  const inner = (error as { cause?: unknown }).cause ?? error
  // ESOCKET and similar codes of nodemailer hide the system's code, which decides whether to try another address
  const { message } = error as { message?: unknown }
  const [system] = /\bE(CONNREFUSED|HOSTUNREACH|NETUNREACH)\b/.exec(String(message)) ?? []
  if (system !== undefined) throw Object.assign(new Error(system), { code: system })
  throw new SendError(`mail: ${networkReason(inner)}`, true)
}
