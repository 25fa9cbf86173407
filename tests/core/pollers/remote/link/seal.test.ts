import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parsePosition } from '../../../../../src/core/pollers/remote/link/position.ts'
import { createSeal, SEAL_OVERHEAD } from '../../../../../src/core/pollers/remote/link/seal.ts'
import { nextEpoch, pollerKey } from '../../../../../src/core/pollers/remote/link/site-folder.ts'
import {
  generateSiteKey,
  nameProblem,
  parsePrivateKey,
  parsePublicKey,
  privateText,
  SiteKeyError,
  sharedSecret,
} from '../../../../../src/lib/site-keys.ts'

const centre = generateSiteKey()
const poller = generateSiteKey()
const other = generateSiteKey()
const here = createSeal(sharedSecret(centre, poller.publicText), 'oslo')
const there = createSeal(sharedSecret(poller, centre.publicText), 'oslo')

test('each end opens what the other one sealed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string({ maxLength: 40 }), (plain, purpose) => {
      const down = here.close('to-poller', purpose, plain)
      expect(down.length).toBe(plain.length + SEAL_OVERHEAD)
      expect([...(there.open('to-poller', purpose, down) ?? [])]).toEqual([...plain])
      expect([...(here.open('to-centre', purpose, there.close('to-centre', purpose, plain)) ?? [])]).toEqual([...plain])
    }),
    { numRuns: 50 },
  )
})

test('a message cannot be opened with other keys, direction, purpose or name, or with a changed bit', () => {
  const plain = Buffer.from('community')
  const sealed = here.close('to-poller', 'device.1', plain)
  expect(Buffer.from(sealed).includes('community')).toBe(false)
  expect(there.open('to-centre', 'device.1', sealed)).toBeNull()
  expect(there.open('to-poller', 'device.2', sealed)).toBeNull()
  expect(createSeal(sharedSecret(poller, centre.publicText), 'bergen').open('to-poller', 'device.1', sealed)).toBeNull()
  expect(createSeal(sharedSecret(other, centre.publicText), 'oslo').open('to-poller', 'device.1', sealed)).toBeNull()
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Uint8Array.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(there.open('to-poller', 'device.1', changed)).toBeNull()
  }
  for (let length = 0; length < sealed.length; length++)
    expect(there.open('to-poller', 'device.1', sealed.subarray(0, length))).toBeNull()
})

test('the same text is sealed differently each time', () => {
  const texts = Array.from({ length: 100 }, () =>
    Buffer.from(here.close('to-poller', 'x', Buffer.of(1))).toString('hex'),
  )
  expect(new Set(texts).size).toBe(100)
})

test('keys can be written and parsed; invalid ones are refused without being quoted', () => {
  expect(parsePrivateKey(privateText(poller)).publicText).toBe(poller.publicText)
  expect(() => parsePrivateKey('secret')).toThrow(SiteKeyError)
  for (const text of ['', 'plk1_', `${poller.publicText}x`, poller.publicText.slice(0, -1), 'plk2_'.padEnd(48, 'A')])
    expect(() => parsePublicKey(text)).toThrow('a public key is plk1_ followed by 43')
  // a point of low order, with which the shared secret would always be zero
  expect(() => sharedSecret(poller, `plk1_${'A'.repeat(43)}`)).toThrow('weak')
})

test('the data folder of a poller keeps its key, readable only for the owner, and epochs increase', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-site-'))
  try {
    const made = pollerKey(join(folder, 'data'))
    expect(pollerKey(join(folder, 'data')).publicText).toBe(made.publicText)
    expect(statSync(join(folder, 'data', 'poller-key.pem')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    const first = nextEpoch(folder)
    expect(nextEpoch(folder)).toBeGreaterThan(first)
    // the clock was set back
    writeFileSync(join(folder, 'poller-epoch'), '4000000000000')
    expect(nextEpoch(folder)).toBe(4_000_000_000_001)
    writeFileSync(join(folder, 'data', 'poller-key.pem'), 'nonsense')
    expect(() => pollerKey(join(folder, 'data'))).toThrow('poller-key.pem: the private key is not')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['1.2.0.1', { epoch: 1, sequence: 2, part: 0, parts: 1 }],
  ['1.2.1.2', { epoch: 1, sequence: 2, part: 1, parts: 2 }],
  ['1.0.0.1', null],
  ['1.2.1.1', null],
  ['1.2.0.9999', null],
  ['', null],
  ['1.2.0.1.', null],
  ['-1.2.0.1', null],
])('position %p', (text, want) => {
  expect(parsePosition(text)).toEqual(want)
})

test.each([
  ['oslo', true],
  ['Site_1-a', true],
  ['', false],
  ['a.b', false],
  ['a b', false],
  ['>', false],
  ['*', false],
  ['-a', false],
  ['x'.repeat(33), false],
])('name %p of a remote poller', (name, good) => {
  expect(nameProblem(name) === null).toBe(good)
})
