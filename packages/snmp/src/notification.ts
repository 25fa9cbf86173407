import { BerWriter } from './ber.ts'
import { SnmpError } from './errors.ts'
import { SNMP_TRAP_OID, SYS_UP_TIME } from './inform.ts'
import { encodeMessage, FLAG, MessageView, VERSION, writeScoped } from './message.ts'
import { type Keys, type NotificationUser, type OwnEngine, ownMessage, userKeys } from './own-message.ts'
import { PDU, writePdu } from './pdu.ts'
import { verifyDigest } from './usm/auth.ts'
import { advance, type EngineState, timely } from './usm/engine.ts'
import { KeyCache } from './usm/key.ts'
import { decrypt } from './usm/privacy.ts'
import type { Varbind } from './value.ts'
import { writeVarbinds } from './write-varbinds.ts'

/** A trap or inform. */
export interface SnmpNotification {
  readonly version: 'v1' | 'v2c' | 'v3'
  /** null for v3. */
  readonly community: string | null
  /** snmpTrapOID.0, dotted decimal; for a v1 trap, derived as in RFC 3584 §3.1. */
  readonly trap: string
  /** agent-addr of a v1 trap; null for other versions. */
  readonly agentAddr: string | null
  readonly requestId: number
  /** All but sysUpTime.0 and snmpTrapOID.0. */
  readonly varbinds: readonly Varbind[]
  /** The response to an inform; null for a trap, which gets none. */
  readonly response: Uint8Array | null
}

/**
 * Why a v3 message was refused. `credentials`: its user is unknown, has another security level or another password, or
 * the message cannot be decrypted. `clock`: it is replayed, or outside the time window. `engine`: an inform that is
 * addressed to another engine.
 */
export type Refusal = 'credentials' | 'clock' | 'engine'

/**
 * What a datagram was. `report`: engine discovery, a wrong engine or a wrong clock, to be answered with this Report;
 * `refusal` is null for discovery, which carries no notification.
 */
export type Heard =
  | { readonly kind: 'notification'; readonly notification: SnmpNotification }
  | { readonly kind: 'report'; readonly octets: Uint8Array; readonly refusal: Refusal | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const SNMP_TRAPS = '1.3.6.1.6.3.1.1.5'
const REPORTS = {
  unsupportedSecLevel: '1.3.6.1.6.3.15.1.1.1.0',
  notInTimeWindow: '1.3.6.1.6.3.15.1.1.2.0',
  unknownEngineID: '1.3.6.1.6.3.15.1.1.4.0',
} as const
const TIME_WINDOW_S = 150
/** Maximum number of remembered sender clocks; the oldest are dropped. */
const MAX_ENGINES = 20_000
const EMPTY = new Uint8Array(0)

/** Decodes and verifies notifications of all versions, and answers informs. */
export class NotificationReceiver {
  private readonly view = new MessageView()
  private readonly writer = new BerWriter()
  private readonly keys = new KeyCache()
  private readonly engines = new Map<string, EngineState>()
  private readonly startedAt: number
  private salt = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
  private reports = 0

  constructor(
    private readonly engine: OwnEngine,
    nowMs: number,
  ) {
    this.view.pdu.takesTraps = true
    this.startedAt = nowMs
  }

  /**
   * Decodes a datagram. `usersNamed` returns the configured users of that name, any of which may be the sender. Throws
   * SnmpError `malformed` or `unsupported`. The community is not checked here.
   */
  hear(bytes: Uint8Array, nowMs: number, usersNamed: (name: string) => readonly NotificationUser[]): Heard {
    const { view } = this
    view.decode(bytes)
    if (view.version === VERSION.v3) return this.hearV3(bytes, nowMs, usersNamed)
    const version = view.version === VERSION.v1 ? 'v1' : 'v2c'
    const community = view.octets(view.community)
    const notification = this.notificationOf(version, new TextDecoder('latin1').decode(community))
    if (view.pdu.type !== PDU.InformRequest) return { kind: 'notification', notification }
    const response = encodeMessage(this.writer, {
      version: 'v2c',
      community,
      type: PDU.Response,
      requestId: view.pdu.requestId,
      errorStatus: 0,
      errorIndex: 0,
      varbinds: view.pdu.varbindList(),
    })
    return { kind: 'notification', notification: { ...notification, response } }
  }

  private notificationOf(version: SnmpNotification['version'], community: string | null): SnmpNotification {
    const { pdu } = this.view
    const common = { version, community, requestId: pdu.requestId, response: null }
    if (pdu.trap !== null) {
      if (version !== 'v1') throw new SnmpError('malformed', `a v1 Trap-PDU in a ${version} message`)
      const { enterprise, agentAddr, generic, specific } = pdu.trap
      const trap = generic === 6 ? `${enterprise}.0.${specific >>> 0}` : `${SNMP_TRAPS}.${generic + 1}`
      return { ...common, trap, agentAddr, varbinds: pdu.varbindList() }
    }
    if (version === 'v1' || (pdu.type !== PDU.TrapV2 && pdu.type !== PDU.InformRequest))
      throw new SnmpError('malformed', `not a notification: PDU ${pdu.type}`)
    const all = pdu.varbindList()
    const named = all.find(({ oid }) => oid === SNMP_TRAP_OID)?.value
    if (named?.kind !== 'ObjectIdentifier') throw new SnmpError('malformed', 'no snmpTrapOID.0')
    const varbinds = all.filter(({ oid }) => oid !== SYS_UP_TIME && oid !== SNMP_TRAP_OID)
    return { ...common, trap: named.value, agentAddr: null, varbinds }
  }

  private hearV3(bytes: Uint8Array, nowMs: number, usersNamed: (name: string) => readonly NotificationUser[]): Heard {
    const { view } = this
    const isReportable = (view.msgFlags & FLAG.reportable) !== 0
    const isOwn = view.holds(view.engineID, this.engine.id)
    const engineID = view.octets(view.engineID)
    // The sender of an inform learns our engineID and clock from Reports (RFC 3414 §4).
    if (isReportable && engineID.length === 0)
      return { kind: 'report', octets: this.report('unknownEngineID', null, nowMs), refusal: null }
    if (engineID.length < 5 || engineID.length > 32) return { kind: 'refused', refusal: 'credentials' }
    const heard = this.hearFrom(engineID, bytes, nowMs, usersNamed)
    if (!isReportable || heard.kind !== 'refused') return heard
    const plain = this.plainType()
    // Traps are of the unconfirmed class: some set the flag, which means nothing for them (RFC 3412 §7.1 step 3).
    if (isOwn || plain === PDU.TrapV2) return heard
    // A request that carries no notification discovers the engine.
    const refusal = plain === null || plain === PDU.InformRequest ? heard.refusal : null
    return { kind: 'report', octets: this.report('unknownEngineID', null, nowMs), refusal }
  }

  /** A message of which the engine with this id is authoritative: of a trap, its sender; of an inform, ours. */
  private hearFrom(
    engineID: Uint8Array,
    bytes: Uint8Array,
    nowMs: number,
    usersNamed: (name: string) => readonly NotificationUser[],
  ): Heard {
    const { view } = this
    const isOwn = view.holds(view.engineID, this.engine.id)
    const isReportable = (view.msgFlags & FLAG.reportable) !== 0
    const name = new TextDecoder().decode(view.octets(view.userName))
    for (const user of usersNamed(name)) {
      const keys = this.keysOf(user, engineID)
      if (keys === null || !this.verified(bytes, keys)) continue
      if (keys.auth !== null && isOwn && !this.inWindow(nowMs))
        return isReportable
          ? { kind: 'report', octets: this.report('notInTimeWindow', keys.auth, nowMs), refusal: 'clock' }
          : { kind: 'refused', refusal: 'clock' }
      if (keys.auth !== null && !isOwn && !this.fresh(engineID, nowMs)) return { kind: 'refused', refusal: 'clock' }
      if (!this.opened(keys)) return { kind: 'refused', refusal: 'credentials' }
      return this.opens(keys, isOwn, nowMs)
    }
    return { kind: 'refused', refusal: 'credentials' }
  }

  private opens(keys: Keys, own: boolean, nowMs: number): Heard {
    const { view } = this
    const notification = this.notificationOf('v3', null)
    if (view.pdu.type !== PDU.InformRequest) return { kind: 'notification', notification }
    if (!own) return { kind: 'refused', refusal: 'engine' }
    const { bytes: plain } = view.pdu
    const contextEngineID = plain.slice(view.contextEngineID.start, view.contextEngineID.end)
    const contextName = plain.slice(view.contextName.start, view.contextName.end)
    const response = this.message(keys, view.msgID, view.octets(view.userName), nowMs, (writer) => {
      const mark = writer.at
      writePdu(writer, PDU.Response, view.pdu.requestId, 0, 0, (w) => writeVarbinds(w, view.pdu.varbindList()))
      // RFC 3413 §3.3: contextName and contextEngineID are those of the inform.
      writeScoped(writer, mark, contextEngineID, contextName)
    })
    return { kind: 'notification', notification: { ...notification, response } }
  }

  /** The type of the PDU; null: it is encrypted. */
  private plainType(): number | null {
    const { view } = this
    if ((view.msgFlags & FLAG.priv) !== 0) return null
    view.decodeScoped(view.bytes, view.scoped.start, view.scoped.end)
    return view.pdu.type
  }

  /** Keys for the security level of the message; null: it is below the user's level, or the user is incomplete. */
  private keysOf(user: NotificationUser, engineID: Uint8Array): Keys | null {
    const { msgFlags } = this.view
    const level = user.authlevel ?? 'noAuthNoPriv'
    const wanted = level === 'noAuthNoPriv' ? 0 : level === 'authNoPriv' ? FLAG.auth : FLAG.auth | FLAG.priv
    if ((msgFlags & (FLAG.auth | FLAG.priv)) !== wanted) return null
    return userKeys(user, engineID, this.keys)
  }

  private verified(bytes: Uint8Array, { auth }: Keys): boolean {
    if (auth === null) return true
    const { start, end } = this.view.authParameters
    return verifyDigest(auth.protocol, auth.key, bytes.subarray(0, this.view.size), start, end)
  }

  private opened({ priv }: Keys): boolean {
    const { view } = this
    const { start, end } = view.scoped
    if (priv === null) {
      view.decodeScoped(view.bytes, start, end)
      return true
    }
    const context = { ...priv, engineBoots: view.engineBoots, engineTime: view.engineTime }
    const plain = decrypt(context, view.octets(view.privParameters), view.octets(view.scoped))
    if (plain === null) return false
    view.decodeScoped(plain, 0, plain.length)
    return true
  }

  private time(nowMs: number): number {
    return Math.floor((nowMs - this.startedAt) / 1000)
  }

  /** RFC 3414 §3.2, 7 a: whether a message to us has the right time of our engine. */
  private inWindow(nowMs: number): boolean {
    const { engineBoots, engineTime } = this.view
    return engineBoots === this.engine.boots && Math.abs(engineTime - this.time(nowMs)) <= TIME_WINDOW_S
  }

  /** RFC 3414 §3.2, 7 b: whether a message is not older than those its engine sent before. */
  private fresh(engineID: Uint8Array, nowMs: number): boolean {
    const { engineBoots, engineTime } = this.view
    const name = engineID.toHex()
    const known = this.engines.get(name)
    if (known !== undefined) {
      if (!timely(known, engineBoots, engineTime, nowMs)) return false
      advance(known, engineBoots, engineTime, nowMs)
      return true
    }
    if (this.engines.size >= MAX_ENGINES) {
      const [oldest] = this.engines.keys()
      if (oldest !== undefined) this.engines.delete(oldest)
    }
    this.engines.set(name, { engineID, boots: engineBoots, time: engineTime, atMs: nowMs })
    return true
  }

  private report(what: keyof typeof REPORTS, auth: Keys['auth'], nowMs: number): Uint8Array {
    const { view } = this
    const varbind: Varbind = { oid: REPORTS[what], value: { kind: 'Counter32', value: ++this.reports >>> 0 } }
    const userName = auth === null ? EMPTY : view.octets(view.userName)
    return this.message({ auth, priv: null }, view.msgID, userName, nowMs, (writer) => {
      const mark = writer.at
      writePdu(writer, PDU.Report, 0, 0, 0, (w) => writeVarbinds(w, [varbind]))
      writeScoped(writer, mark, this.engine.id, EMPTY)
    })
  }

  private message(
    keys: Keys,
    msgID: number,
    userName: Uint8Array,
    nowMs: number,
    scoped: (writer: BerWriter) => void,
  ): Uint8Array {
    const clock = { ...this.engine, time: this.time(nowMs) }
    return ownMessage(this.writer, clock, { keys, msgID, userName, salt: this.salt++, scoped })
  }
}
