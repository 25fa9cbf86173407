import { connect, type Socket } from 'node:net'

/** The daemon cannot be reached or does not answer as expected; the message is for users. */
export class DaemonError extends Error {}

/** A connection to rrdcached. */
export interface RrdDaemon {
  /**
   * Has the daemon write a file's pending updates and waits until it is done; false: it does not know the file. `file`
   * is relative to the daemon's base folder. Throws DaemonError.
   */
  flush(file: string): Promise<boolean>
  close(): void
}

const PORT = 42217
const CONNECT_MS = 10_000
/** A daemon that has to write other files first answers late. */
const ANSWER_MS = 120_000
/** Answers to FLUSH are one line. */
const MAX_ANSWER = 65_536

/**
 * Connects to the daemon at `unix:/run/rrdcached.sock`, `/run/rrdcached.sock`, `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`.
 * The line protocol is described in rrdcached(1). Throws DaemonError.
 */
export async function openDaemon(address: string): Promise<RrdDaemon> {
  const socket = connect(endpointOf(address))
  const connection = new Connection(socket, address)
  await connection.opened
  return connection
}

function endpointOf(address: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  const path = /^(?:unix:)?(\/.+)$/.exec(address)?.[1]
  if (path !== undefined) return { path }
  const [, v6, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:/\s]+))(?::(\d{1,5}))?$/.exec(address) ?? []
  const host = v6 ?? name
  if (host === undefined || Number(port ?? PORT) > 65_535)
    throw new DaemonError(`expected unix:PATH or HOST:PORT, not ${address}`)
  return { host, port: Number(port ?? PORT) }
}

interface Waiting {
  readonly done: (line: string) => void
  readonly failed: (error: DaemonError) => void
}

class Connection implements RrdDaemon {
  readonly opened: Promise<void>
  private readonly waiting: Waiting[] = []
  private text = ''
  private failure: DaemonError | null = null

  constructor(
    private readonly socket: Socket,
    private readonly address: string,
  ) {
    socket.setTimeout(CONNECT_MS)
    this.opened = new Promise((done, failed) => {
      socket.once('connect', () => {
        socket.setTimeout(ANSWER_MS)
        done()
      })
      socket.once('error', () => failed(this.failure ?? this.fail('cannot be reached')))
      socket.once('timeout', () => failed(this.fail('does not answer')))
    })
    socket.on('data', (data) => this.take(data.toString('latin1')))
    socket.on('error', (error) => this.fail(error.message))
    socket.on('close', () => this.fail('closed the connection'))
    socket.on('timeout', () => {
      // Silence is an error only while a request is pending.
      if (this.waiting.length > 0) this.fail('does not answer')
    })
  }

  async flush(file: string): Promise<boolean> {
    const [, code = '', text = ''] = /^(-?\d+) (.*)$/.exec(await this.ask(`FLUSH ${quoted(file)}`)) ?? []
    if (code === '0') return true
    if (/^No such file/i.test(text)) return false
    throw this.fail(`refused to flush a file: ${text}`)
  }

  close(): void {
    this.failure ??= new DaemonError('is closed')
    this.socket.end('QUIT\n')
    this.socket.unref()
  }

  private ask(line: string): Promise<string> {
    if (this.failure !== null) return Promise.reject(this.failure)
    return new Promise((done, failed) => {
      this.waiting.push({ done, failed })
      this.socket.write(`${line}\n`)
    })
  }

  private take(text: string): void {
    this.text += text
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n')) {
      const line = this.text.slice(0, end)
      this.text = this.text.slice(end + 1)
      this.waiting.shift()?.done(line)
    }
    if (this.text.length > MAX_ANSWER) this.fail('sends a line that is too long')
  }

  private fail(reason: string): DaemonError {
    this.failure ??= new DaemonError(`rrdcached at ${this.address} ${reason}`)
    for (const { failed } of this.waiting.splice(0)) failed(this.failure)
    this.socket.destroy()
    return this.failure
  }
}

/** Escapes white space and backslashes, because words end at white space. */
function quoted(file: string): string {
  return file.replace(/[\\\s]/g, (character) => `\\${character}`)
}
