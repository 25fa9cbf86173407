import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** Limits for one check: bytes from the peer, and chunks they arrive in, because each chunk means another full scan. */
const MAX_OCTETS = 262_144
const MAX_PIECES = 2000

/** Why a check over TCP ended early. `message` contains neither the host nor secrets. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** A bounded conversation over TCP: nothing waits beyond the deadline, and at most 256 KiB are read. */
export interface Connection {
  write(text: string): void
  /** Returns the text received so far once `enough` accepts it or the peer has closed. Throws ConnectionError. */
  read(enough: (text: string) => boolean): Promise<{ readonly text: string; readonly closed: boolean }>
  /** Discards the text received so far. */
  clear(): void
  /** Starts TLS on the connection. Throws ConnectionError. */
  secure(serverName: string | null): Promise<void>
  /** The peer's certificate; null: no TLS. */
  certificate(): { readonly endsAt: number; readonly trusted: boolean } | null
  close(): void
}

/** Connects to an IP address. Throws ConnectionError. */
export async function openConnection(address: string, port: number, deadlineMs: number): Promise<Connection> {
  let socket: Socket = connect({ host: address, port, noDelay: true })
  const raw = socket
  let secure: TLSSocket | null = null
  let chunks: Buffer[] = []
  let size = 0
  let pieces = 0
  let closed = false
  let failure: ConnectionError | null = null
  let wake: () => void = () => undefined
  const timer = setTimeout(() => fail('no answer in time'), Math.max(0, deadlineMs - performance.now()))

  function fail(message: string): void {
    failure ??= new ConnectionError(message)
    raw.destroy()
    wake()
  }

  function follow(of: Socket): void {
    of.on('data', (data: Buffer) => {
      size += data.length
      pieces++
      if (size > MAX_OCTETS || pieces > MAX_PIECES) return fail('the answer is too long')
      chunks.push(data)
      wake()
    })
    of.on('error', (error) => fail(words(error)))
    of.on('close', () => {
      closed = true
      wake()
    })
    of.on('end', () => {
      closed = true
      wake()
    })
  }

  /** Waits until the condition holds or the connection fails. */
  async function until(done: () => boolean): Promise<void> {
    while (failure === null && !done()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (failure !== null) throw failure
  }

  let connected = false
  socket.once('connect', () => {
    connected = true
    wake()
  })
  follow(socket)
  try {
    await until(() => connected || closed)
    if (!connected) throw new ConnectionError('the connection was closed')
  } catch (error) {
    clearTimeout(timer)
    raw.destroy()
    throw error
  }

  return {
    write(text) {
      socket.write(text)
    },
    async read(enough) {
      let text = ''
      await until(() => {
        text = Buffer.concat(chunks).toString('latin1')
        return closed || enough(text)
      })
      return { text, closed }
    },
    clear() {
      chunks = []
    },
    async secure(serverName) {
      raw.removeAllListeners('data')
      chunks = []
      let ready = false
      const upgraded = connectTls({
        socket: raw,
        // the check itself verifies the certificate, because it also reports invalid ones
        rejectUnauthorized: false,
        ...(serverName !== null && !/^[\d.]+$|:/.test(serverName) && { servername: serverName }),
      })
      upgraded.once('secureConnect', () => {
        ready = true
        wake()
      })
      follow(upgraded)
      await until(() => ready || closed)
      if (!ready) throw new ConnectionError('the connection was closed before TLS began')
      socket = upgraded
      secure = upgraded
    },
    certificate() {
      if (secure === null) return null
      const endsAt = Date.parse(secure.getPeerCertificate().valid_to)
      return { endsAt, trusted: secure.authorized }
    },
    close() {
      clearTimeout(timer)
      failure ??= new ConnectionError('closed')
      secure?.destroy()
      raw.destroy()
    },
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ETIMEDOUT: 'Connection timed out',
  ECONNRESET: 'Connection reset by peer',
}

function words(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return WORDS[code] ?? (error.message !== '' ? error.message : code)
}
