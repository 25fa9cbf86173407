import { type BerWriter, TAG } from '@portlight/snmp/ber.ts'
import { FLAG, type MessageView, writeScoped, writeV3Header } from '@portlight/snmp/message.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { PDU, writePdu } from '@portlight/snmp/pdu.ts'
import { digest, verifyDigest } from '@portlight/snmp/usm/auth.ts'
import { AUTH_PROTOCOLS, KeyCache } from '@portlight/snmp/usm/key.ts'
import { decrypt, encrypt, makeSalt } from '@portlight/snmp/usm/privacy.ts'
import type { V3User } from './device.ts'
import type { Instant } from './instant.ts'

const AUTH = 'SHA'
const PRIV = 'AES'
const AUTH_PRIV = FLAG.auth | FLAG.priv
const EMPTY = new Uint8Array(0)

/** Time window in seconds (RFC 3414 §2.2.3). */
const TIME_WINDOW_S = 150

/** usmStats counters (RFC 3414 §5) of a Report, by reason. */
const USM_STATS = {
  unsupportedSecLevel: encodeOid('1.3.6.1.6.3.15.1.1.1.0'),
  notInTimeWindow: encodeOid('1.3.6.1.6.3.15.1.1.2.0'),
  unknownUserName: encodeOid('1.3.6.1.6.3.15.1.1.3.0'),
  unknownEngineID: encodeOid('1.3.6.1.6.3.15.1.1.4.0'),
  wrongDigest: encodeOid('1.3.6.1.6.3.15.1.1.5.0'),
  decryptionError: encodeOid('1.3.6.1.6.3.15.1.1.6.0'),
} as const
type Reason = keyof typeof USM_STATS

/** Result of `open`: a PDU to answer (`view.pdu`) or a reason to report. Null: no response. */
export type Opened = 'request' | Reason | null

/** The agent's side of the User-based Security Model (RFC 3414 §3) for a single user with SHA and AES-128. */
export class AgentUser {
  private readonly authKey: Uint8Array
  private readonly privKey: Uint8Array
  private readonly userName: Uint8Array
  private readonly counts = new Map<Reason, number>()
  private salt = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n

  constructor(
    user: V3User,
    private readonly engineID: Uint8Array,
  ) {
    const keys = new KeyCache()
    this.userName = new TextEncoder().encode(user.authname)
    this.authKey = keys.authKey(AUTH, user.authpass, engineID)
    this.privKey = keys.privKey(AUTH, PRIV, user.cryptopass, engineID)
  }

  /** Checks a v3 message whose header has been decoded and opens its PDU. Throws SnmpError `malformed`. */
  open(view: MessageView, t: Instant): Opened {
    const reason = this.refusal(view, t)
    if (reason !== null) {
      // without the reportable flag there is no response; the request-id of an encrypted request is unknown
      if ((view.msgFlags & FLAG.reportable) === 0) return null
      if ((view.msgFlags & FLAG.priv) === 0) view.decodeScoped(view.bytes, view.scoped.start, view.scoped.end)
      else view.pdu.requestId = 0
      this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1)
      return reason
    }
    const context = {
      protocol: PRIV,
      key: this.privKey,
      engineBoots: view.engineBoots,
      engineTime: view.engineTime,
    } as const
    const plain = decrypt(context, view.octets(view.privParameters), view.octets(view.scoped))
    if (plain === null) return 'decryptionError'
    view.decodeScoped(plain, 0, plain.length)
    return 'request'
  }

  /** RFC 3414 §3.2, steps 3 to 7. */
  private refusal(view: MessageView, t: Instant): Reason | null {
    if (!view.holds(view.engineID, this.engineID)) return 'unknownEngineID'
    if (!view.holds(view.userName, this.userName)) return 'unknownUserName'
    if ((view.msgFlags & AUTH_PRIV) !== AUTH_PRIV) return 'unsupportedSecLevel'
    const { start, end } = view.authParameters
    if (!verifyDigest(AUTH, this.authKey, view.bytes.subarray(0, view.size), start, end)) return 'wrongDigest'
    const late = Math.abs(view.engineTime - engineTime(t)) > TIME_WINDOW_S
    return view.engineBoots !== t.boots || late ? 'notInTimeWindow' : null
  }

  /** Builds a response with the PDU written by `write`. */
  respond(writer: BerWriter, view: MessageView, t: Instant, write: (writer: BerWriter) => void): Uint8Array {
    writer.begin()
    const mark = writer.at
    write(writer)
    writeScoped(writer, mark, this.engineID, view.octets(view.contextName))
    const salt = makeSalt(PRIV, t.boots, this.salt++)
    const context = { protocol: PRIV, key: this.privKey, engineBoots: t.boots, engineTime: engineTime(t) } as const
    const cipherText = encrypt(context, salt, writer.finish())
    writer.begin()
    const outer = writer.at
    writer.primitive(TAG.OctetString, cipherText)
    return this.sign(writer, outer, view, t, AUTH_PRIV, salt)
  }

  /**
   * Builds the Report for a rejected message. Reports of notInTimeWindow are authenticated, for time synchronisation.
   */
  report(writer: BerWriter, view: MessageView, t: Instant, reason: Reason): Uint8Array {
    writer.begin()
    const mark = writer.at
    writePdu(writer, PDU.Report, view.pdu.requestId, 0, 0, (w) => {
      const varbind = w.at
      w.unsigned(TAG.Counter32, 0, this.counts.get(reason) ?? 1)
      w.primitive(TAG.ObjectIdentifier, USM_STATS[reason])
      w.wrap(TAG.Sequence, varbind)
    })
    writeScoped(writer, mark, this.engineID, EMPTY)
    return this.sign(writer, mark, view, t, reason === 'notInTimeWindow' ? FLAG.auth : 0, EMPTY)
  }

  private sign(
    writer: BerWriter,
    mark: number,
    view: MessageView,
    t: Instant,
    msgFlags: number,
    privParameters: Uint8Array,
  ): Uint8Array {
    const authentic = (msgFlags & FLAG.auth) !== 0
    const at = writeV3Header(writer, mark, {
      msgID: view.msgID,
      msgFlags,
      engineID: this.engineID,
      engineBoots: t.boots,
      engineTime: engineTime(t),
      userName: view.octets(view.userName),
      authParameters: authentic ? new Uint8Array(AUTH_PROTOCOLS[AUTH].digestOctets) : EMPTY,
      privParameters,
    })
    const start = writer.at
    const message = writer.finish()
    if (authentic) message.set(digest(AUTH, this.authKey, message), at - start)
    return message
  }
}

/** snmpEngineTime: whole seconds since the start. */
function engineTime(t: Instant): number {
  return Math.floor(t.s - t.bootS)
}
