import { describe, expect, test } from 'bun:test'
import { digest, verifyDigest } from '../src/usm/auth.ts'
import { advance, timely } from '../src/usm/engine.ts'
import { type AuthProtocol, extendKey, KeyCache, localizeKey, passwordToKey } from '../src/usm/key.ts'
import { decrypt, encrypt, makeSalt } from '../src/usm/privacy.ts'

const maplesyrup = new TextEncoder().encode('maplesyrup')
const engineID = Uint8Array.fromHex('000000000000000000000002')

describe('keys', () => {
  // RFC 3414 A.3.1, A.3.2
  test.each([
    ['MD5', '9faf3283884e92834ebc9847d8edd963', '526f5eed9fcce26f8964c2930787d82b'],
    ['SHA', '9fb5cc0381497b3793528939ff788d5d79145211', '6695febc9288e36282235fc7151f128497b38f3f'],
  ] as const)('%s password and localization are those of RFC 3414 A.3', (protocol, ku, kul) => {
    const key = passwordToKey(protocol, maplesyrup)
    expect(Buffer.from(key).toString('hex')).toBe(ku)
    expect(Buffer.from(localizeKey(protocol, key, engineID)).toString('hex')).toBe(kul)
  })

  // both extensions, computed by hand according to the drafts
  test('Blumenthal appends the hash of the key, Reeder the localised key of the key', () => {
    const kul = localizeKey('MD5', passwordToKey('MD5', maplesyrup), engineID)
    const hash = new Bun.CryptoHasher('md5').update(kul).digest('hex')
    const again = localizeKey('MD5', passwordToKey('MD5', kul), engineID)
    const hex = Buffer.from(kul).toString('hex')
    expect(extendKey('MD5', 'AES-256', kul, engineID).toHex()).toBe(hex + hash)
    expect(extendKey('MD5', 'AES-256-C', kul, engineID).toHex()).toBe(hex + Buffer.from(again).toString('hex'))
  })

  test('a key that is long enough is only truncated', () => {
    const kul = localizeKey('SHA-512', passwordToKey('SHA-512', maplesyrup), engineID)
    expect(extendKey('SHA-512', 'AES-256', kul, engineID).toHex()).toBe(
      Buffer.from(kul.subarray(0, 32)).toString('hex'),
    )
  })

  test('the cache returns the key of each engine and password', () => {
    const keys = new KeyCache()
    const other = Uint8Array.fromHex('000000000000000000000003')
    expect(Buffer.from(keys.authKey('MD5', 'maplesyrup', engineID)).toString('hex')).toBe(
      '526f5eed9fcce26f8964c2930787d82b',
    )
    expect(keys.authKey('MD5', 'maplesyrup', other)).not.toEqual(keys.authKey('MD5', 'maplesyrup', engineID))
    expect(keys.authKey('MD5', 'maplesyrop', engineID)).not.toEqual(keys.authKey('MD5', 'maplesyrup', engineID))
  })
})

describe('digest', () => {
  test.each(['MD5', 'SHA', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const)(
    '%s: a changed octet is detected',
    (protocol: AuthProtocol) => {
      const key = localizeKey(protocol, passwordToKey(protocol, maplesyrup), engineID)
      const message = new Uint8Array(200).map((_, i) => i)
      const size = digest(protocol, key, message).length
      message.fill(0, 50, 50 + size)
      message.set(digest(protocol, key, message), 50)
      expect(verifyDigest(protocol, key, message, 50, 50 + size)).toBe(true)
      message[0] = 1
      expect(verifyDigest(protocol, key, message, 50, 50 + size)).toBe(false)
      expect(verifyDigest(protocol, key, message, 50, 49 + size)).toBe(false)
    },
  )
})

describe('privacy', () => {
  // NIST SP 800-38A F.3.15, CFB128-AES192; the IV is boots, time and salt
  test('AES-192 in cipher feedback mode is that of NIST SP 800-38A', () => {
    const iv = Uint8Array.fromHex('000102030405060708090a0b0c0d0e0f')
    const plain = Uint8Array.fromHex(
      '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
    )
    const want =
      'cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff'
    const context = {
      protocol: 'AES-192',
      key: Uint8Array.fromHex('8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b'),
      engineBoots: 0x00010203,
      engineTime: 0x04050607,
    } as const
    const cipherText = encrypt(context, iv.slice(8), plain)
    expect(Buffer.from(cipherText).toString('hex')).toBe(want)
    expect(decrypt(context, iv.slice(8), cipherText)).toEqual(plain)
  })

  test.each(['DES', 'AES', 'AES-192', 'AES-256'] as const)('%s: plaintext of any length is restored', (protocol) => {
    const key = new Uint8Array(32)
      .map((_, i) => i * 7)
      .subarray(0, protocol === 'AES-192' ? 24 : protocol === 'AES-256' ? 32 : 16)
    const context = { protocol, key, engineBoots: 3, engineTime: 99 }
    for (const size of [0, 1, 15, 16, 17, 63, 64, 1400]) {
      const plain = new Uint8Array(size).map((_, i) => i)
      const salt = makeSalt(protocol, 3, 12345n)
      const back = decrypt(context, salt, encrypt(context, salt, plain))
      expect(new Uint8Array(back ?? []).subarray(0, size)).toEqual(plain)
    }
  })

  test('ciphertext or salt of an impossible length is refused', () => {
    const context = { protocol: 'DES', key: new Uint8Array(16), engineBoots: 0, engineTime: 0 } as const
    expect(decrypt(context, new Uint8Array(8), new Uint8Array(7))).toBeNull()
    expect(decrypt(context, new Uint8Array(7), new Uint8Array(8))).toBeNull()
  })
})

describe('time window', () => {
  const engine = () => ({ engineID, boots: 5, time: 1000, atMs: 0 })

  // RFC 3414 §3.2, 7 b 2; our notion of the engine's time is 1010 at 10 s
  test.each([
    ['now', 5, 1010, true],
    ['149 s late', 5, 861, true],
    ['151 s late', 5, 859, false],
    ['after a restart', 6, 0, true],
    ['from before a restart', 4, 5000, false],
  ])('a message %s', (_name, boots, time, want) => {
    expect(timely(engine(), boots, time, 10_000)).toBe(want)
  })

  test('the clock never goes backwards', () => {
    const e = engine()
    advance(e, 5, 900, 10_000)
    expect(e.time).toBe(1000)
    advance(e, 6, 1, 20_000)
    expect([e.boots, e.time, e.atMs]).toEqual([6, 1, 20_000])
  })
})
