import { getServers, setServers } from 'node:dns'

/** A DNS server on loopback that this process uses from now on. */
export interface TestDns {
  /** Lower-case names and their IPv4 addresses. Other names do not exist. */
  readonly names: Map<string, string>
  /** False: every query is answered with SERVFAIL. */
  up: boolean
  /** True: no query is answered. */
  silent: boolean
  /** Queries so far. */
  asked: number
  stop(): void
}

const [NO_ERROR, SERVFAIL, NXDOMAIN] = [0, 2, 3]
const TYPE_A = 1

/** Starts the server. `stop` restores the name servers that the process had. */
export async function startDns(): Promise<TestDns> {
  const before = getServers()
  const dns: TestDns = {
    names: new Map(),
    up: true,
    silent: false,
    asked: 0,
    stop() {
      setServers(before)
      socket.close()
    },
  }
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    binaryType: 'buffer',
    socket: {
      data: (own, data, port, address) => {
        dns.asked++
        if (!dns.silent) own.send(answer(data, dns), port, address)
      },
    },
  })
  setServers([`127.0.0.1:${socket.port}`])
  return dns
}

/** The response (RFC 1035 §4): the question, and one answer if there is one. */
function answer(question: Buffer, { names, up }: TestDns): Buffer {
  const labels: string[] = []
  let at = 12
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  const end = at + 5
  const address = names.get(labels.join('.').toLowerCase())
  const found = up && address !== undefined && question.readUInt16BE(at + 1) === TYPE_A
  const code = !up ? SERVFAIL : address === undefined ? NXDOMAIN : NO_ERROR
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (code ?? 0), 2)
  header.writeUInt16BE(found ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  if (!found || address === undefined) return Buffer.concat([header, question.subarray(12, end)])
  const record = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
  return Buffer.concat([header, question.subarray(12, end), record])
}
