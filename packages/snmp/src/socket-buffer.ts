import { dlopen } from 'bun:ffi'

const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVBUFFORCE = 33

/** glibc, then musl. */
const LIBC = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

type Libc = ReturnType<typeof open>

function open(name: string) {
  return dlopen(name, {
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
  })
}

let libc: Libc | null | undefined

function findLibc(): Libc | null {
  for (const name of LIBC) {
    try {
      return open(name)
    } catch {
      // another C library is in use: try the next name
    }
  }
  return null
}

/**
 * Enlarges the receive buffer of a socket. Returns the size that the kernel now accounts for, bytes (twice the
 * requested size if that was granted); null: not available on this platform. With CAP_NET_ADMIN, SO_RCVBUFFORCE may
 * exceed net.core.rmem_max.
 */
export function raiseReceiveBuffer(fd: number, octets: number): number | null {
  libc ??= findLibc()
  if (libc === null || fd < 0) return null
  const value = new Int32Array([octets])
  const size = new Uint32Array([4])
  const { setsockopt, getsockopt } = libc.symbols
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, value, 4) !== 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, value, 4)
  return getsockopt(fd, SOL_SOCKET, SO_RCVBUF, value, size) === 0 ? (value[0] ?? null) : null
}
