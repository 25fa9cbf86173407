import type { StreamProbe } from '../../probe.ts'
import { levelOf } from '../../range.ts'
import { type CheckResult, oneLine, resultOf } from '../result.ts'
import { type Connection, ConnectionError, openConnection } from './connection.ts'
import { answerOf, secondsSince } from './message.ts'
import { judgeCertificate } from './tls.ts'

/** TCP, SSH, SMTP, IMAP and POP3: connects, compares the server's replies with the expected ones, and says goodbye. */
export async function checkStream(probe: StreamProbe, address: string, deadlineMs: number): Promise<CheckResult> {
  const began = performance.now()
  const connection = await openConnection(address, probe.port, deadlineMs)
  try {
    if (probe.tls === 'start') await connection.secure(probe.serverName)
    const said = await DIALOGUES[probe.protocol](connection, probe)
    const seconds = secondsSince(began)
    const { level, text, measured } = judgeCertificate(connection.certificate(), probe, Date.now())
    const late = levelOf(seconds, probe.warning, probe.critical)
    const status = Math.max(said.level, level, late) as 0 | 1 | 2
    const where = `port ${probe.port}`
    const words = [said.text, text, `${seconds.toFixed(3)} s`].filter((part) => part !== '').join(', ')
    return resultOf(status, `${answerOf(probe.type, status)} - ${where}: ${words}`, [
      { label: 'time', value: seconds, unit: 's' },
      ...measured,
    ])
  } finally {
    connection.close()
  }
}

interface Said {
  readonly level: 0 | 1 | 2
  readonly text: string
}

type Dialogue = (connection: Connection, probe: StreamProbe) => Promise<Said>

const DIALOGUES: Readonly<Record<StreamProbe['protocol'], Dialogue>> = {
  async tcp(connection, probe) {
    const { send, expect, all } = probe
    if (send !== null) connection.write(send)
    if (expect.length === 0) return { level: 0, text: 'connected' }
    const has = (text: string) =>
      all ? expect.every((one) => text.includes(one)) : expect.some((one) => text.includes(one))
    const { text } = await connection.read(has)
    return has(text) ? { level: 0, text: shown(text) } : { level: 1, text: `unexpected answer: ${shown(text)}` }
  },

  /** RFC 4253 section 4.2: other lines may precede the one that begins with `SSH-`. */
  async ssh(connection) {
    const banner = (text: string) => /^SSH-[^\r\n]{1,253}\r?\n/m.exec(text)?.[0] ?? null
    const { text } = await connection.read((got) => banner(got) !== null)
    const line = banner(text)
    if (line === null) return { level: 2, text: `no SSH server: ${shown(text)}` }
    const supported = /^SSH-(2\.0|1\.99)-/.test(line)
    return { level: supported ? 0 : 2, text: supported ? shown(line) : `only an old protocol: ${shown(line)}` }
  },

  async smtp(connection, probe) {
    const greeting = await reply(connection)
    if (!greeting.startsWith('220')) return { level: 2, text: `refused: ${shown(greeting)}` }
    if (!expected(probe, greeting)) return { level: 1, text: `unexpected greeting: ${shown(greeting)}` }
    connection.write('EHLO portlight.invalid\r\n')
    const hello = await reply(connection)
    if (!hello.startsWith('250')) return { level: 1, text: `EHLO refused: ${shown(hello)}` }
    if (probe.tls === 'upgrade') {
      connection.write('STARTTLS\r\n')
      const go = await reply(connection)
      if (!go.startsWith('220')) return { level: 2, text: `STARTTLS refused: ${shown(go)}` }
      await connection.secure(probe.serverName)
    }
    connection.write('QUIT\r\n')
    return { level: 0, text: shown(greeting) }
  },

  async imap(connection, probe) {
    const { text } = await connection.read((got) => got.includes('\n'))
    if (!/^\* (OK|PREAUTH)\b/i.test(text)) return { level: 2, text: `refused: ${shown(text)}` }
    if (!expected(probe, text)) return { level: 1, text: `unexpected greeting: ${shown(text)}` }
    connection.write('a1 LOGOUT\r\n')
    return { level: 0, text: shown(text) }
  },

  async pop(connection, probe) {
    const { text } = await connection.read((got) => got.includes('\n'))
    if (!text.startsWith('+OK')) return { level: 2, text: `refused: ${shown(text)}` }
    if (!expected(probe, text)) return { level: 1, text: `unexpected greeting: ${shown(text)}` }
    connection.write('QUIT\r\n')
    return { level: 0, text: shown(text) }
  },
}

function expected({ expect }: StreamProbe, text: string): boolean {
  return expect.length === 0 || expect.some((one) => text.includes(one))
}

/** An SMTP reply with all its lines: after `250-...` more follow, `250 ...` is the last (RFC 5321 section 4.2.1). */
async function reply(connection: Connection): Promise<string> {
  connection.clear()
  const { text, closed } = await connection.read((got) => /^\d{3}(?: [^\n]*)?\r?\n/m.test(got))
  if (closed && text === '') throw new ConnectionError('the server closed the connection')
  return text
}

function shown(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return oneLine(line).slice(0, 200)
}
