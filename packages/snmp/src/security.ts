import { type BerWriter, TAG } from './ber.ts'
import { SnmpError } from './errors.ts'
import { FLAG, type MessageView, VERSION, writeCommunityHeader, writeScoped, writeV3Header } from './message.ts'
import { PDU, writePdu } from './pdu.ts'
import type { AgentProfile } from './profile.ts'
import type { SnmpTarget } from './target.ts'
import { digest, verifyDigest } from './usm/auth.ts'
import { advance, engineTime, timely } from './usm/engine.ts'
import {
  AUTH_PROTOCOLS,
  type AuthProtocol,
  authProtocol,
  type KeyCache,
  type PrivProtocol,
  privProtocol,
} from './usm/key.ts'
import { decrypt, encrypt, makeSalt } from './usm/privacy.ts'

/** The content of a request, without version and credentials. */
export interface RequestBody {
  readonly type: number
  /** non-repeaters; 0 for other requests. */
  readonly nonRepeaters: number
  /** max-repetitions; 0 for other requests. */
  readonly maxRepetitions: number
  /** Writes the varbinds, last one first. */
  readonly varbinds: (writer: BerWriter) => void
}

/**
 * Verdict on a received message that matches a request:
 * - `response`: verified; `view.pdu` is valid;
 * - `reject`: forged, replayed, or below the security level: keep waiting;
 * - `resync`, `rediscover`: send the request again with the engine's new clock, or after engine discovery;
 * - `discovered`: the response to a discovery;
 * - `refused`: the agent reports why it does not answer.
 */
export type Verdict =
  | { readonly kind: 'response' | 'reject' | 'resync' | 'rediscover' | 'discovered' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }

/** usmStats and snmpMPDStats that a Report can carry (RFC 3414 §3.2, RFC 3413 §3.2). */
export type RefusalReason =
  | 'unsupportedSecLevel'
  | 'notInTimeWindow'
  | 'unknownUserName'
  | 'unknownEngineID'
  | 'wrongDigest'
  | 'decryptionError'
  | 'unknownContext'
  | 'unavailableContext'
  | 'unknownReport'

/** Version and credentials of one agent: encodes requests and verifies received messages. */
export interface Security {
  readonly freshIds: boolean
  /** False: `discovery` must be sent first. */
  ready(): boolean
  encode(writer: BerWriter, id: number, body: RequestBody, nowMs: number): Uint8Array
  /** The message that requests the agent's engineID (RFC 3414 §4). */
  discovery(writer: BerWriter, id: number): Uint8Array
  /** Verifies a decoded message. Throws SnmpError `malformed`. */
  accept(view: MessageView, bytes: Uint8Array, nowMs: number): Verdict
}

const RESPONSE: Verdict = { kind: 'response' }
const REJECT: Verdict = { kind: 'reject' }
const RESYNC: Verdict = { kind: 'resync' }
const REDISCOVER: Verdict = { kind: 'rediscover' }
const DISCOVERED: Verdict = { kind: 'discovered' }
const EMPTY = new Uint8Array(0)

/** Throws SnmpError `unsupported` for an unknown algorithm, `invalid` for incomplete or unreadable credentials. */
export function createSecurity(target: SnmpTarget, context: string, profile: AgentProfile, keys: KeyCache): Security {
  if (target.unreadable === true)
    throw new SnmpError('invalid', 'the stored credentials cannot be decrypted (see `portlight doctor`)')
  if (target.snmpver === 'v3') return new UserSecurity(target, context, profile, keys)
  return new CommunitySecurity(target.snmpver, new TextEncoder().encode(target.community ?? ''))
}

/** v1 and v2c: a community (RFC 3584 §5.2). Responses are matched by request-id; their community is ignored. */
class CommunitySecurity implements Security {
  readonly freshIds = false
  constructor(
    private readonly version: 'v1' | 'v2c',
    private readonly community: Uint8Array,
  ) {}

  ready(): boolean {
    return true
  }

  encode(writer: BerWriter, id: number, body: RequestBody): Uint8Array {
    writer.begin()
    const mark = writer.at
    writePdu(writer, body.type, id, body.nonRepeaters, body.maxRepetitions, body.varbinds)
    writeCommunityHeader(writer, mark, this.version, this.community)
    return writer.finish()
  }

  discovery(): Uint8Array {
    throw new SnmpError('unsupported', 'engine discovery needs SNMPv3')
  }

  accept(view: MessageView): Verdict {
    return view.version === VERSION[this.version] && view.pdu.type === PDU.Response ? RESPONSE : REJECT
  }
}

/** v3 with the User-based Security Model. */
class UserSecurity implements Security {
  readonly freshIds = true
  private readonly userName: Uint8Array
  private readonly contextName: Uint8Array
  private readonly auth: { protocol: AuthProtocol; password: string } | null
  private readonly priv: { protocol: PrivProtocol; password: string } | null
  private readonly flags: number
  private salt = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n

  constructor(
    target: SnmpTarget,
    context: string,
    private readonly profile: AgentProfile,
    private readonly keys: KeyCache,
  ) {
    const level = target.authlevel ?? 'noAuthNoPriv'
    this.userName = new TextEncoder().encode(target.authname ?? '')
    this.contextName = new TextEncoder().encode(context)
    this.auth =
      level === 'noAuthNoPriv'
        ? null
        : { protocol: authProtocol(target.authalgo ?? 'SHA'), password: required(target.authpass, 'authpass') }
    this.priv =
      level !== 'authPriv'
        ? null
        : { protocol: privProtocol(target.cryptoalgo ?? 'AES'), password: required(target.cryptopass, 'cryptopass') }
    this.flags = (this.auth ? FLAG.auth : 0) | (this.priv ? FLAG.priv : 0)
  }

  ready(): boolean {
    return this.profile.engine !== null
  }

  discovery(writer: BerWriter, id: number): Uint8Array {
    writer.begin()
    const mark = writer.at
    writePdu(writer, PDU.GetRequest, id, 0, 0, () => {})
    writeScoped(writer, mark, EMPTY, EMPTY)
    writeV3Header(writer, mark, {
      msgID: id,
      msgFlags: FLAG.reportable,
      engineID: EMPTY,
      engineBoots: 0,
      engineTime: 0,
      userName: EMPTY,
      authParameters: EMPTY,
      privParameters: EMPTY,
    })
    return writer.finish()
  }

  encode(writer: BerWriter, id: number, body: RequestBody, nowMs: number): Uint8Array {
    const { engine } = this.profile
    if (engine === null) throw new SnmpError('invalid', 'engine not discovered')
    const time = engineTime(engine, nowMs)
    writer.begin()
    let mark = writer.at
    writePdu(writer, body.type, id, body.nonRepeaters, body.maxRepetitions, body.varbinds)
    writeScoped(writer, mark, engine.engineID, this.contextName)
    let privParameters: Uint8Array = EMPTY
    if (this.auth !== null && this.priv !== null) {
      const key = this.keys.privKey(this.auth.protocol, this.priv.protocol, this.priv.password, engine.engineID)
      privParameters = makeSalt(this.priv.protocol, engine.boots, this.salt++)
      const context = { protocol: this.priv.protocol, key, engineBoots: engine.boots, engineTime: time }
      const cipherText = encrypt(context, privParameters, writer.finish())
      writer.begin()
      mark = writer.at
      writer.primitive(TAG.OctetString, cipherText)
    }
    const at = writeV3Header(writer, mark, {
      msgID: id,
      msgFlags: this.flags | FLAG.reportable,
      engineID: engine.engineID,
      engineBoots: this.auth === null ? 0 : engine.boots,
      engineTime: this.auth === null ? 0 : time,
      userName: this.userName,
      authParameters: this.auth === null ? EMPTY : new Uint8Array(AUTH_PROTOCOLS[this.auth.protocol].digestOctets),
      privParameters,
    })
    const start = writer.at
    const message = writer.finish()
    if (this.auth !== null) {
      const key = this.keys.authKey(this.auth.protocol, this.auth.password, engine.engineID)
      message.set(digest(this.auth.protocol, key, message), at - start)
    }
    return message
  }

  accept(view: MessageView, bytes: Uint8Array, nowMs: number): Verdict {
    if (view.version !== VERSION.v3) return REJECT
    const { engine } = this.profile
    if (engine === null) return this.acceptDiscovery(view, nowMs)
    const engineMatches = view.holds(view.engineID, engine.engineID)
    const authentic = engineMatches && this.authentic(view, bytes, engine.engineID)
    if (authentic && !timely(engine, view.engineBoots, view.engineTime, nowMs)) {
      // an agent that lost its snmpEngineBoots sends a Report; any other message from the past is a replay
      return REJECT
    }
    if (!this.open(view, authentic)) return REJECT
    if (view.pdu.type === PDU.Report) return this.acceptReport(view, authentic, nowMs)
    if (view.pdu.type !== PDU.Response || view.pdu.requestId !== view.msgID || !engineMatches) return REJECT
    if (this.auth !== null) {
      if (!authentic || (view.msgFlags & this.flags) !== this.flags) return REJECT
      advance(engine, view.engineBoots, view.engineTime, nowMs)
    } else if (!view.holds(view.userName, this.userName)) return REJECT
    return RESPONSE
  }

  /** True when the message claims to be authenticated, and is. */
  private authentic(view: MessageView, bytes: Uint8Array, engineID: Uint8Array): boolean {
    if (this.auth === null || (view.msgFlags & FLAG.auth) === 0) return false
    if (!view.holds(view.userName, this.userName)) return false
    const { protocol, password } = this.auth
    const key = this.keys.authKey(protocol, password, engineID)
    const { start, end } = view.authParameters
    return verifyDigest(protocol, key, bytes.subarray(0, view.size), start, end)
  }

  /** Decodes the ScopedPDU, decrypting it if necessary. False: it cannot be read. */
  private open(view: MessageView, authentic: boolean): boolean {
    const { start, end } = view.scoped
    if ((view.msgFlags & FLAG.priv) === 0) {
      view.decodeScoped(view.bytes, start, end)
      return true
    }
    const { engine } = this.profile
    if (!authentic || engine === null || this.auth === null || this.priv === null) return false
    const key = this.keys.privKey(this.auth.protocol, this.priv.protocol, this.priv.password, engine.engineID)
    const context = { protocol: this.priv.protocol, key, engineBoots: view.engineBoots, engineTime: view.engineTime }
    const plain = decrypt(context, view.octets(view.privParameters), view.octets(view.scoped))
    if (plain === null) return false
    view.decodeScoped(plain, 0, plain.length)
    return true
  }

  private acceptDiscovery(view: MessageView, nowMs: number): Verdict {
    const engineID = view.octets(view.engineID)
    if ((view.msgFlags & FLAG.priv) !== 0 || engineID.length === 0 || engineID.length > 64) return REJECT
    view.decodeScoped(view.bytes, view.scoped.start, view.scoped.end)
    if (view.pdu.type !== PDU.Report) return REJECT
    this.profile.engine = { engineID, boots: view.engineBoots, time: view.engineTime, atMs: nowMs }
    return DISCOVERED
  }

  private acceptReport(view: MessageView, authentic: boolean, nowMs: number): Verdict {
    const { engine } = this.profile
    const reason = view.pdu.count > 0 ? (REPORTS[view.pdu.oid(0)] ?? 'unknownReport') : 'unknownReport'
    if (reason === 'unknownEngineID') return REDISCOVER
    if (reason !== 'notInTimeWindow' || engine === null) return { kind: 'refused', reason }
    // RFC 3414 §3.2, 7 a requires this Report to be authenticated, but some agents send it without: it is then only a
    // hint, and the next response must still be authentic
    if (authentic) advance(engine, view.engineBoots, view.engineTime, nowMs)
    else {
      engine.boots = view.engineBoots
      engine.time = view.engineTime
      engine.atMs = nowMs
    }
    return RESYNC
  }
}

const REPORTS: Readonly<Record<string, RefusalReason>> = {
  '1.3.6.1.6.3.15.1.1.1.0': 'unsupportedSecLevel',
  '1.3.6.1.6.3.15.1.1.2.0': 'notInTimeWindow',
  '1.3.6.1.6.3.15.1.1.3.0': 'unknownUserName',
  '1.3.6.1.6.3.15.1.1.4.0': 'unknownEngineID',
  '1.3.6.1.6.3.15.1.1.5.0': 'wrongDigest',
  '1.3.6.1.6.3.15.1.1.6.0': 'decryptionError',
  '1.3.6.1.6.3.12.1.4.0': 'unavailableContext',
  '1.3.6.1.6.3.12.1.5.0': 'unknownContext',
}

function required(secret: string | null, name: string): string {
  if (secret === null || secret === '') throw new SnmpError('invalid', `${name} is missing`)
  return secret
}
