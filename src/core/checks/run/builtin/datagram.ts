import { ConnectionError } from './connection.ts'

/**
 * Sends a datagram to an IP address, repeats it every second, and returns the first non-null result of `take` for a
 * response. The socket is connected, so datagrams from other addresses are not seen. Throws ConnectionError at the
 * deadline.
 */
export async function exchange<T>(
  to: { readonly address: string; readonly port: number },
  request: () => Uint8Array,
  take: (answer: Uint8Array) => T | null,
  deadlineMs: number,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let seen = 0
  const socket = await Bun.udpSocket({
    connect: { hostname: to.address, port: to.port },
    socket: {
      data(_, answer) {
        seen++
        if (seen > MAX_DATAGRAMS) return reject(new ConnectionError('too many unexpected answers'))
        const taken = take(answer)
        if (taken !== null) resolve(taken)
      },
      // Bun passes only the error, contrary to its own types
      error(...given: readonly unknown[]) {
        const error = given.find((one) => one instanceof Error)
        const code = error !== undefined && 'code' in error ? String(error.code) : ''
        reject(new ConnectionError(code === 'ECONNREFUSED' ? 'Connection refused' : `no answer: ${code}`))
      },
    },
  })
  const end = setTimeout(
    () => reject(new ConnectionError('no answer in time')),
    Math.max(0, deadlineMs - performance.now()),
  )
  const send = () => void socket.send(request())
  const again = setInterval(send, REPEAT_MS)
  try {
    send()
    return await promise
  } finally {
    clearTimeout(end)
    clearInterval(again)
    socket.close()
  }
}

const REPEAT_MS = 1000
const MAX_DATAGRAMS = 100
