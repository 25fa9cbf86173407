import { BerWriter, TAG } from './ber.ts'
import { SnmpError } from './errors.ts'
import { type Trap, varbindsOf } from './inform.ts'
import { FLAG, writeScoped, writeV3Header } from './message.ts'
import { PDU, writePdu } from './pdu.ts'
import type { SnmpTarget } from './target.ts'
import { digest } from './usm/auth.ts'
import {
  AUTH_PROTOCOLS,
  type AuthProtocol,
  authProtocol,
  KeyCache,
  type PrivProtocol,
  privProtocol,
} from './usm/key.ts'
import { encrypt, makeSalt } from './usm/privacy.ts'
import { writeVarbinds } from './write-varbinds.ts'

/** Credentials of a v3 user that sends notifications. */
export type NotificationUser = Pick<
  SnmpTarget,
  'authlevel' | 'authname' | 'authpass' | 'authalgo' | 'cryptopass' | 'cryptoalgo'
>

/** Our own engine, authoritative for informs that it receives and traps that it sends (RFC 3414 §1.5.1). */
export interface OwnEngine {
  /** snmpEngineID. */
  readonly id: Uint8Array
  /** snmpEngineBoots. */
  readonly boots: number
}

/** Our engine at one moment; `time` is snmpEngineTime, seconds. */
export interface OwnClock extends OwnEngine {
  readonly time: number
}

/** Localised keys of a user; null: the message is not authenticated, or not encrypted, respectively. */
export interface Keys {
  readonly auth: { readonly protocol: AuthProtocol; readonly key: Uint8Array } | null
  readonly priv: { readonly protocol: PrivProtocol; readonly key: Uint8Array } | null
}

/** Keys of a user at an engine; null: the user is incomplete. Throws SnmpError `unsupported`. */
export function userKeys(user: NotificationUser, engineID: Uint8Array, cache: KeyCache): Keys | null {
  const { authlevel: level = 'noAuthNoPriv', authpass, cryptopass } = user
  if (level === 'noAuthNoPriv') return { auth: null, priv: null }
  if (!authpass) return null
  const protocol = authProtocol(user.authalgo ?? 'SHA')
  const auth = { protocol, key: cache.authKey(protocol, authpass, engineID) }
  if (level === 'authNoPriv') return { auth, priv: null }
  if (!cryptopass) return null
  const cipher = privProtocol(user.cryptoalgo ?? 'AES')
  let key: Uint8Array | null = null
  const priv = {
    protocol: cipher,
    /** Derived when it is needed: some ciphers take milliseconds, which nobody may cost us without the right digest. */
    get key(): Uint8Array {
      key ??= cache.privKey(protocol, cipher, cryptopass, engineID)
      return key
    },
  }
  return { auth, priv }
}

interface OwnMessage {
  readonly keys: Keys
  readonly msgID: number
  readonly userName: Uint8Array
  /** Different for every message with the same key. */
  readonly salt: bigint
  /** Writes the scoped PDU. */
  readonly scoped: (writer: BerWriter) => void
}

const EMPTY = new Uint8Array(0)

/** A v3 message for which our engine is authoritative: a trap, a report, or the response to an inform. */
export function ownMessage(
  writer: BerWriter,
  engine: OwnClock,
  { keys: { auth, priv }, msgID, userName, salt, scoped }: OwnMessage,
): Uint8Array {
  writer.begin()
  let mark = writer.at
  scoped(writer)
  let privParameters: Uint8Array = EMPTY
  if (priv !== null) {
    privParameters = makeSalt(priv.protocol, engine.boots, salt)
    const context = { ...priv, engineBoots: engine.boots, engineTime: engine.time }
    const cipherText = encrypt(context, privParameters, writer.finish())
    writer.begin()
    mark = writer.at
    writer.primitive(TAG.OctetString, cipherText)
  }
  const at = writeV3Header(writer, mark, {
    msgID,
    msgFlags: (auth === null ? 0 : FLAG.auth) | (priv === null ? 0 : FLAG.priv),
    engineID: engine.id,
    engineBoots: engine.boots,
    engineTime: engine.time,
    userName,
    authParameters: auth === null ? EMPTY : new Uint8Array(AUTH_PROTOCOLS[auth.protocol].digestOctets),
    privParameters,
  })
  const start = writer.at
  const message = writer.finish()
  if (auth !== null) message.set(digest(auth.protocol, auth.key, message), at - start)
  return message
}

/**
 * Encodes v3 traps (RFC 3413 §3.3). Their sender is the authoritative engine, so receivers need the keys for its id.
 */
export class TrapEncoder {
  private readonly writer = new BerWriter(16_384)
  private readonly keys = new KeyCache()
  private salt = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n

  /** Throws SnmpError `invalid` (an incomplete user, an OID), `unsupported` or `tooBig`. */
  encode(engine: OwnClock, user: NotificationUser, requestId: number, trap: Trap): Uint8Array {
    const keys = userKeys(user, engine.id, this.keys)
    if (keys === null) throw new SnmpError('invalid', 'the user has no password')
    return ownMessage(this.writer, engine, {
      keys,
      msgID: requestId,
      userName: new TextEncoder().encode(user.authname ?? ''),
      salt: this.salt++,
      scoped: (writer) => {
        const mark = writer.at
        writePdu(writer, PDU.TrapV2, requestId, 0, 0, (w) => writeVarbinds(w, varbindsOf(trap)))
        writeScoped(writer, mark, engine.id, EMPTY)
      },
    })
  }
}
