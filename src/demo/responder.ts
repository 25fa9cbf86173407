import { BerWriter } from '@portlight/snmp/ber.ts'
import { SnmpError } from '@portlight/snmp/errors.ts'
import { MessageView, VERSION, writeCommunityHeader } from '@portlight/snmp/message.ts'
import { type AnswerLimits, answerPdu, writeAnswer } from './agent.ts'
import type { DeviceModel } from './device.ts'
import { seedOf } from './hash.ts'
import type { Instance } from './instance.ts'
import { type Instant, instantAt, type Life, steadyLife } from './instant.ts'
import { type PastAnswer, type PastQuestion, readPast } from './past.ts'
import { readRecording } from './recording.ts'
import { seedsOf } from './seeds.ts'
import { AgentUser } from './user.ts'
import { MibView } from './view.ts'

/** UDP payload over IPv4 in an Ethernet frame. */
export const DEFAULT_MESSAGE_OCTETS = 1472

/** Maximum overhead of a v1 or v2c message without community and varbinds. */
const COMMUNITY_FRAME_OCTETS = 40
/** The same for v3: header, security parameters, scoped PDU. */
const V3_FRAME_OCTETS = 220
/** Minimum of msgMaxSize (RFC 3412 §6.3). */
const MIN_MESSAGE_OCTETS = 484

export interface ResponderOptions {
  readonly model: DeviceModel
  /** Seed of the fleet. */
  readonly seed: string
  readonly community: string
  /** The device has power until this Unix time (ms), regardless of its `life`, so that it can be discovered. */
  readonly graceUntilMs?: number
}

/** The view for a community. */
interface Opened {
  readonly community: Uint8Array
  readonly mib: MibView
}

/**
 * An agent without a socket, which maps request datagrams to response datagrams. Its only state is the MIB, a function
 * of time.
 */
export class Responder {
  private readonly model: DeviceModel
  private readonly mib: MibView
  /** Other SNMP contexts, selected by a suffix of the community: `public@20`. */
  private readonly contexts: readonly Opened[]
  private readonly life: Life
  private readonly upstream: ((nowMs: number) => boolean) | null
  private readonly lifeSeed: number
  private readonly community: Uint8Array
  private readonly user: AgentUser | null
  private readonly graceUntilMs: number
  private readonly maxOctets: number
  private readonly view = new MessageView()
  private readonly writer = new BerWriter()

  constructor({ model, seed, community, graceUntilMs = 0 }: ResponderOptions) {
    const own = seedsOf(seed, model.name)
    const engineID = engineIdOf(model.name, seed)
    this.model = model
    this.maxOctets = model.maxMessageOctets ?? DEFAULT_MESSAGE_OCTETS
    this.lifeSeed = own('life')
    this.life = model.life ?? steadyLife(this.lifeSeed)
    this.community = new TextEncoder().encode(community)
    this.user = model.v3 === undefined ? null : new AgentUser(model.v3, engineID)
    this.graceUntilMs = graceUntilMs
    this.upstream = upstreamOf(model, seed)
    const of = (device: string) => seedsOf(seed, device)
    const recorded = readRecording(model.name, model.recording, { own, links: of('links'), of })
    this.mib = new MibView([...engineGroup(engineID, this.maxOctets), ...(recorded.get('') ?? [])])
    this.contexts = [...recorded]
      .filter(([context]) => context !== '')
      .map(([context, tables]) => ({
        community: new TextEncoder().encode(`${community}@${context}`),
        mib: new MibView(tables),
      }))
  }

  /** Number of object instances. */
  get size(): number {
    return this.mib.size
  }

  /** The device's clock at a Unix time in milliseconds. */
  instant(nowMs: number): Instant {
    const own = instantAt(nowMs, this.lifeSeed, this.life)
    return this.upstream === null || this.upstream(nowMs) ? own : { ...own, powered: false }
  }

  /** What polls would have read at past times. */
  past(question: PastQuestion): PastAnswer {
    return readPast(this.mib, (nowMs) => this.instant(nowMs), question)
  }

  /** The response to a datagram; null if there is none: malformed, wrong community, no power. */
  respond(datagram: Uint8Array, nowMs: number): Uint8Array | null {
    const t = this.instant(nowMs)
    if (!t.powered && nowMs >= this.graceUntilMs) return null
    try {
      this.view.decode(datagram)
      return this.view.version === VERSION.v3 ? this.respondV3(t) : this.respondCommunity(t)
    } catch (error) {
      if (error instanceof SnmpError) return null
      throw error
    }
  }

  private respondCommunity(t: Instant): Uint8Array | null {
    const { view, writer } = this
    const own = { community: this.community, mib: this.mib }
    const opened = [own, ...this.contexts].find(({ community }) => view.holds(view.community, community))
    if (opened === undefined) return null
    const v1 = view.version === VERSION.v1
    const answer = answerPdu(
      opened.mib,
      view.pdu,
      t,
      this.limits(v1, this.maxOctets - COMMUNITY_FRAME_OCTETS - opened.community.length),
    )
    if (answer === null) return null
    writer.begin()
    const mark = writer.at
    writeAnswer(writer, view.pdu.requestId, answer)
    writeCommunityHeader(writer, mark, v1 ? 'v1' : 'v2c', opened.community)
    return writer.finish()
  }

  private respondV3(t: Instant): Uint8Array | null {
    const { view, writer, user } = this
    if (user === null) return null
    const opened = user.open(view, t)
    if (opened === null) return null
    if (opened !== 'request') return user.report(writer, view, t, opened)
    const asked = Math.max(MIN_MESSAGE_OCTETS, view.msgMaxSize)
    const limits = this.limits(false, Math.min(asked, this.maxOctets) - V3_FRAME_OCTETS)
    const answer = answerPdu(this.mib, view.pdu, t, limits)
    if (answer === null) return null
    return user.respond(writer, view, t, (w) => writeAnswer(w, view.pdu.requestId, answer))
  }

  private limits(v1: boolean, maxOctets: number): AnswerLimits {
    const { maxRepetitions = 0 } = this.model
    return { v1, maxOctets, maxRepetitions: maxRepetitions === 0 ? Number.POSITIVE_INFINITY : maxRepetitions }
  }
}

/** Whether the device that this one is behind has power; null: it is behind none. */
function upstreamOf({ behind }: DeviceModel, seed: string): ((nowMs: number) => boolean) | null {
  if (behind === undefined) return null
  const lifeSeed = seedsOf(seed, behind.name)('life')
  const life = behind.life ?? steadyLife(lifeSeed)
  return (nowMs) => instantAt(nowMs, lifeSeed, life).powered
}

/** SNMP-FRAMEWORK-MIB::snmpEngine (RFC 3411). */
function engineGroup(engineID: Uint8Array, maxOctets: number): Instance[] {
  const object = (id: number): string => `1.3.6.1.6.3.10.2.1.${id}`
  return [
    { object: object(1), index: '0', type: 'Octets', value: engineID },
    { object: object(2), index: '0', type: 'Integer32', value: (t) => t.boots },
    { object: object(3), index: '0', type: 'Integer32', value: (t) => Math.floor(t.s - t.bootS) },
    { object: object(4), index: '0', type: 'Integer32', value: maxOctets },
  ]
}

/** snmpEngineID (RFC 3411 §5, SnmpEngineID): net-snmp's enterprise, format 5 (octets). */
function engineIdOf(name: string, seed: string): Uint8Array {
  const own = seedOf(`${seed}/${name}/engine`)
  const other = seedOf(`${seed}/engine/${name}`)
  const id = new Uint8Array(13)
  id.set([0x80, 0, 0x1f, 0x88, 5])
  new DataView(id.buffer).setUint32(5, own)
  new DataView(id.buffer).setUint32(9, other)
  return id
}
