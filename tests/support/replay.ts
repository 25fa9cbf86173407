import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { SnmpError } from '@portlight/snmp/errors.ts'
import { MessageView, VERSION, writeCommunityHeader } from '@portlight/snmp/message.ts'
import { answerPdu, writeAnswer } from '../../src/demo/agent.ts'
import type { Instance } from '../../src/demo/instance.ts'
import type { Instant } from '../../src/demo/instant.ts'
import { readRecording } from '../../src/demo/recording.ts'
import { MibView } from '../../src/demo/view.ts'

/** Recordings of a folder as agents on one port: the community names the recording, and after `@` its SNMP context. */
export interface Replay {
  readonly names: readonly string[]
  readonly port: number
  /** From now on this share of datagrams is lost each way, and this share of responses is truncated or corrupted. */
  disturb(share: number): void
  stop(): void
}

const MAX_OCTETS = 1400
/** Recorded values do not change with time. */
const NOW = {} as Instant

/** Starts on `addresses` (all with the same port), so that each recording can be a separate device. */
export async function startReplay(folder: string, addresses: readonly string[]): Promise<Replay> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.snmprec'))
  const recorded = files.map(
    (file) => [file.slice(0, -'.snmprec'.length), recordingOf(file, readFileSync(join(folder, file), 'utf8'))] as const,
  )
  return await startAgents(new Map(recorded), addresses)
}

/** Starts agents with these instances by community, each of them on all `addresses`. */
export async function startAgents(
  instances: ReadonlyMap<string, readonly Instance[]>,
  addresses: readonly string[],
): Promise<Replay> {
  const views = new Map([...instances].map(([community, some]) => [community, new MibView(some)]))
  let disturbed = 0
  const hit = () => disturbed > 0 && Math.random() < disturbed
  const view = new MessageView()
  const writer = new BerWriter()
  const respond = (datagram: Uint8Array): Uint8Array | null => {
    try {
      view.decode(datagram)
    } catch (error) {
      if (error instanceof SnmpError) return null
      throw error
    }
    const community = view.octets(view.community).slice()
    const mib = views.get(new TextDecoder().decode(community))
    if (mib === undefined || view.version === VERSION.v3) return null
    const v1 = view.version === VERSION.v1
    const limits = { v1, maxOctets: MAX_OCTETS, maxRepetitions: Number.POSITIVE_INFINITY }
    const answer = answerPdu(mib, view.pdu, NOW, limits)
    if (answer === null) return null
    writer.begin()
    const mark = writer.at
    writeAnswer(writer, view.pdu.requestId, answer)
    writeCommunityHeader(writer, mark, v1 ? 'v1' : 'v2c', community)
    return writer.finish()
  }
  const sockets: Bun.udp.Socket<'uint8array'>[] = []
  for (const hostname of addresses) {
    sockets.push(
      await Bun.udpSocket({
        hostname,
        port: sockets[0]?.port ?? 0,
        binaryType: 'uint8array',
        socket: {
          data(socket, datagram, port, address) {
            if (hit()) return
            const answer = respond(datagram)
            if (answer === null || hit()) return
            socket.send(
              garbled(hit() ? answer.slice(0, Math.floor(Math.random() * answer.length)) : answer, hit()),
              port,
              address,
            )
          },
          error() {},
        },
      }),
    )
  }
  return {
    names: [...views.keys()].filter((name) => !name.includes('@')).sort(),
    port: sockets[0]?.port ?? 0,
    disturb(share) {
      disturbed = share
    },
    stop() {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Changes some bytes, which a checksum would detect. */
function garbled(answer: Uint8Array, really: boolean): Uint8Array {
  if (!really) return answer
  const out = answer.slice()
  for (let i = 0; i < 3; i++) out[Math.floor(Math.random() * out.length)] = Math.floor(Math.random() * 256)
  return out
}

/** Instances of a recording. Leaves out types that the demo's agents do not have, such as Opaque. */
function recordingOf(name: string, text: string): readonly Instance[] {
  const known = text.split('\n').filter((line) => !/^[\d.]+\|(?:5|68x?)\|/.test(line))
  return readRecording(name, known.join('\n'), { own: () => 0, links: () => 0, of: () => () => 0 }).get('') ?? []
}
