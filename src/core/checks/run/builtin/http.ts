import type { HttpProbe } from '../../probe.ts'
import { levelOf } from '../../range.ts'
import { type CheckResult, oneLine, resultOf } from '../result.ts'
import { ConnectionError, openConnection } from './connection.ts'
import { answerOf, secondsSince } from './message.ts'
import { type CertificateFinding, judgeCertificate } from './tls.ts'

/** Maximum number of redirects to follow. */
const MAX_REDIRECTS = 5

/** HTTP/1.1 with one connection per request. Redirects are followed only to the same scheme, host and port. */
export async function checkHttp(probe: HttpProbe, address: string, deadlineMs: number): Promise<CheckResult> {
  const began = performance.now()
  let path = probe.path
  let answer = await request(probe, path, address, deadlineMs)
  for (let i = 0; probe.redirect === 'follow' && isRedirect(answer.code) && i < MAX_REDIRECTS; i++) {
    const next = samePlace(probe, address, path, answer.location)
    if (next === null) break
    path = next
    answer = await request(probe, path, address, deadlineMs)
  }
  const seconds = secondsSince(began)
  const { certificate } = answer
  const said = judge(probe, answer)
  const late = levelOf(seconds, probe.warning, probe.critical)
  const status = Math.max(said.level, late, certificate.level) as 0 | 1 | 2
  const words = [said.text, certificate.text, `${answer.octets} bytes in ${seconds.toFixed(3)} s`]
  return resultOf(status, `${answerOf(probe.type, status)}: ${words.filter((part) => part !== '').join(', ')}`, [
    { label: 'time', value: seconds, unit: 's' },
    { label: 'size', value: answer.octets, unit: 'B' },
    ...certificate.measured,
  ])
}

interface Response {
  readonly line: string
  /** 0: not HTTP. */
  readonly code: number
  readonly location: string | null
  readonly body: string
  readonly octets: number
  readonly certificate: CertificateFinding
}

async function request(probe: HttpProbe, path: string, address: string, deadlineMs: number): Promise<Response> {
  const connection = await openConnection(address, probe.port, deadlineMs)
  try {
    if (probe.tls !== 'none') await connection.secure(probe.serverName)
    connection.write(requestText(probe, path, address))
    const { text } = await connection.read((got) => isWhole(got, probe.method))
    if (text === '') throw new ConnectionError('the server closed the connection without an answer')
    const end = text.indexOf('\r\n\r\n')
    const head = end < 0 ? text : text.slice(0, end)
    const [line = ''] = head.split('\r\n', 1)
    return {
      line: oneLine(line).slice(0, 200),
      code: Number(/^HTTP\/\d\.\d (\d{3})\b/.exec(line)?.[1] ?? 0),
      location: headerOf(head, 'location'),
      body: end < 0 ? '' : bodyOf(head, text.slice(end + 4)),
      octets: text.length,
      certificate: judgeCertificate(connection.certificate(), probe, Date.now()),
    }
  } finally {
    connection.close()
  }
}

function requestText(probe: HttpProbe, path: string, address: string): string {
  const host = probe.host ?? (address.includes(':') ? `[${address}]` : address)
  const port = probe.port === (probe.tls === 'none' ? 80 : 443) || /:\d+$/.test(host) ? '' : `:${probe.port}`
  const lines = [
    `${probe.method} ${path} HTTP/1.1`,
    `Host: ${host}${port}`,
    'User-Agent: Portlight',
    'Accept: */*',
    'Connection: close',
    ...(probe.authorization === null ? [] : [`Authorization: Basic ${btoa(latin(probe.authorization))}`]),
    ...probe.headers.map(latin),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function latin(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Whether the response is complete, if it declares its length (RFC 9112 section 6.3). */
function isWhole(text: string, method: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = text.slice(0, end)
  if (method === 'HEAD' || /^HTTP\/\d\.\d (1\d\d|204|304)\b/.test(head)) return true
  const length = headerOf(head, 'content-length')
  if (length !== null && /^\d{1,12}$/.test(length)) return text.length >= end + 4 + Number(length)
  return headerOf(head, 'transfer-encoding') !== null && text.endsWith('\r\n0\r\n\r\n')
}

/** The body without chunked framing (RFC 9112 section 7.1). */
function bodyOf(head: string, body: string): string {
  if (headerOf(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') return body
  const parts: string[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const size = end < 0 ? null : /^[0-9a-f]{1,8}/i.exec(body.slice(at, at + 8))
    if (size === null || Number.parseInt(size[0], 16) === 0) break
    const octets = Number.parseInt(size[0], 16)
    parts.push(body.slice(end + 2, end + 2 + octets))
    at = end + 2 + octets + 2
  }
  return parts.join('')
}

function headerOf(head: string, name: string): string | null {
  for (const line of head.split('\r\n').slice(1)) {
    const at = line.indexOf(':')
    if (at > 0 && line.slice(0, at).toLowerCase() === name) return line.slice(at + 1).trim()
  }
  return null
}

function judge(probe: HttpProbe, { line, code, body }: Response): { level: 0 | 1 | 2; text: string } {
  if (code === 0) return { level: 2, text: `no HTTP answer: ${line}` }
  if (probe.expect.length > 0 && !probe.expect.some((text) => line.includes(text))) {
    return { level: 2, text: `unexpected status: ${line}` }
  }
  if (probe.expect.length === 0) {
    if (code >= 500) return { level: 2, text: line }
    if (code >= 400) return { level: 1, text: line }
    if (isRedirect(code) && probe.redirect !== 0) {
      return probe.redirect === 'follow'
        ? { level: 1, text: `${line}, redirects to another host` }
        : { level: probe.redirect, text: line }
    }
  }
  if (probe.contains !== null && !body.includes(latin(probe.contains))) {
    return { level: 2, text: `${line}, without the expected text` }
  }
  return { level: 0, text: line }
}

function isRedirect(code: number): boolean {
  return [301, 302, 303, 307, 308].includes(code)
}

/** The path of a redirect to the same scheme, host and port; null if it leads elsewhere. */
function samePlace(probe: HttpProbe, address: string, path: string, location: string | null): string | null {
  const host = (probe.host ?? (address.includes(':') ? `[${address}]` : address)).replace(/:\d+$/, '')
  const here = URL.parse(path, `${probe.tls === 'none' ? 'http' : 'https'}://${host}:${probe.port}`)
  const there = location === null || here === null ? null : URL.parse(location, here.href)
  return there === null || here === null || there.origin !== here.origin ? null : there.pathname + there.search
}
