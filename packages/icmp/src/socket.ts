import { dlopen, ptr } from 'bun:ffi'

/** A received packet and the time at which the kernel received it, milliseconds of its real-time clock. */
export interface Received {
  readonly packet: Uint8Array
  readonly atMs: number
}

/** A non-blocking ICMP socket. */
export interface IcmpSocket {
  readonly family: 4 | 6
  /** Raw sockets need CAP_NET_RAW; datagram sockets need a group within net.ipv4.ping_group_range. */
  readonly kind: 'raw' | 'datagram'
  /** Sends to an address given as octets. Returns false if the kernel refused. */
  send(packet: Uint8Array, address: Uint8Array): boolean
  /** The next packet, or null when there is none. Its octets are valid until the next call. */
  receive(): Received | null
  close(): void
}

const AF = { 4: 2, 6: 10 } as const
const PROTOCOL = { 4: 1, 6: 58 } as const
const SOCK = { datagram: 2, raw: 3 } as const
const SOCK_NONBLOCK = 0o4000
const SOCK_CLOEXEC = 0o2000000
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_TIMESTAMPNS = 35
const SOL_RAW = 255
const ICMP_FILTER = 1
const ICMP6_FILTER = 1
const MSG_DONTWAIT = 0x40
const CLOCK_REALTIME = 0
const RECEIVE_BUFFER_OCTETS = 1 << 20

/** glibc, then musl. */
const LIBC = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

function open(name: string) {
  return dlopen(name, {
    socket: { args: ['int', 'int', 'int'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    sendto: { args: ['int', 'ptr', 'usize', 'int', 'ptr', 'u32'], returns: 'i64' },
    recvmsg: { args: ['int', 'ptr', 'int'], returns: 'i64' },
    clock_gettime: { args: ['int', 'ptr'], returns: 'int' },
    close: { args: ['int'], returns: 'int' },
  })
}
type Libc = ReturnType<typeof open>['symbols']

let libc: Libc | null | undefined

function findLibc(): Libc | null {
  // the structure layouts below are those of 64-bit Linux
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null
  for (const name of LIBC) {
    try {
      return open(name).symbols
    } catch {
      // another C library is in use: try the next name
    }
  }
  return null
}

/** The kernel's real-time clock, milliseconds; comparable with `Received.atMs`. */
export function kernelNowMs(): number {
  if (libc === undefined || libc === null) return Date.now()
  libc.clock_gettime(CLOCK_REALTIME, ptr(now))
  return Number(now[0]) * 1000 + Number(now[1]) / 1e6
}
const now = new BigInt64Array(2)

/** A raw socket, else a datagram socket, else null: neither is permitted on this host or for this user. */
export function openIcmpSocket(family: 4 | 6): IcmpSocket | null {
  libc ??= findLibc()
  if (libc === null) return null
  for (const kind of ['raw', 'datagram'] as const) {
    const fd = libc.socket(AF[family], SOCK[kind] | SOCK_NONBLOCK | SOCK_CLOEXEC, PROTOCOL[family])
    if (fd >= 0) return configure(libc, fd, family, kind)
  }
  return null
}

function configure(c: Libc, fd: number, family: 4 | 6, kind: 'raw' | 'datagram'): IcmpSocket {
  c.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, ptr(Int32Array.of(RECEIVE_BUFFER_OCTETS)), 4)
  c.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, ptr(Int32Array.of(1)), 4)
  if (kind === 'raw') {
    // accept echo replies only, or the socket would get every ICMP packet of the host; a set bit blocks a type
    if (family === 4) c.setsockopt(fd, SOL_RAW, ICMP_FILTER, ptr(Uint32Array.of(~(1 << 0) >>> 0)), 4)
    else {
      const block = new Uint32Array(8).fill(0xffff_ffff)
      block[129 >> 5] = ~(1 << (129 & 31)) >>> 0
      c.setsockopt(fd, PROTOCOL[6], ICMP6_FILTER, ptr(block), 32)
    }
  }
  const receiver = new Receiver()
  return {
    family,
    kind,
    send: (packet, address) => {
      const to = socketAddress(family, address)
      return Number(c.sendto(fd, ptr(packet), packet.length, MSG_DONTWAIT, ptr(to), to.length)) === packet.length
    },
    receive: () => receiver.take(Number(c.recvmsg(fd, ptr(receiver.header), MSG_DONTWAIT))),
    close: () => {
      c.close(fd)
    },
  }
}

/** struct sockaddr_in or sockaddr_in6; ports and scopes are zero. */
function socketAddress(family: 4 | 6, address: Uint8Array): Uint8Array {
  const octets = new Uint8Array(family === 4 ? 16 : 28)
  new DataView(octets.buffer).setUint16(0, AF[family], true)
  octets.set(address, family === 4 ? 4 : 8)
  return octets
}

/** struct msghdr of 64-bit Linux, with the memory it points to. */
class Receiver {
  readonly header = new Uint8Array(56)
  private readonly view = new DataView(this.header.buffer)
  private readonly packet = new Uint8Array(2048)
  private readonly control = new Uint8Array(128)
  private readonly controlView = new DataView(this.control.buffer)
  private readonly vector = new BigUint64Array(2)

  constructor() {
    this.vector[0] = BigInt(ptr(this.packet))
    this.vector[1] = BigInt(this.packet.length)
    this.view.setBigUint64(16, BigInt(ptr(this.vector)), true)
    this.view.setBigUint64(24, 1n, true)
    this.view.setBigUint64(32, BigInt(ptr(this.control)), true)
    this.view.setBigUint64(40, BigInt(this.control.length), true)
  }

  /** The packet of `size` octets from the last recvmsg; prepares the structures for the next call. */
  take(size: number): Received | null {
    const controlSize = Number(this.view.getBigUint64(40, true))
    this.view.setBigUint64(40, BigInt(this.control.length), true)
    if (size < 0) return null
    return { packet: this.packet.subarray(0, size), atMs: this.timestamp(controlSize) ?? kernelNowMs() }
  }

  /** struct cmsghdr: length, level, type; then struct timespec. */
  private timestamp(controlSize: number): number | null {
    for (let at = 0; at + 16 <= controlSize; ) {
      const size = Number(this.controlView.getBigUint64(at, true))
      if (size < 16) return null
      const level = this.controlView.getInt32(at + 8, true)
      const type = this.controlView.getInt32(at + 12, true)
      if (level === SOL_SOCKET && type === SO_TIMESTAMPNS && size >= 32) {
        const seconds = Number(this.controlView.getBigInt64(at + 16, true))
        return seconds * 1000 + Number(this.controlView.getBigInt64(at + 24, true)) / 1e6
      }
      at += (size + 7) & ~7
    }
    return null
  }
}
