import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createScrub } from '../../src/lib/scrub.ts'

test('a secret is found in every form and at any position', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter((s) => s.trim().length >= 8),
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (secret, before, after) => {
        const scrub = createScrub([secret])
        const around = `${before}${secret}${after}`
        expect(scrub(around)).not.toContain(secret)
        expect(JSON.parse(scrub(JSON.stringify({ a: around }))).a).not.toContain(secret)
        expect(decodeURIComponent(scrub(encodeURIComponent(around)))).not.toContain(secret)
        const form = scrub(new URLSearchParams({ a: around }).toString())
        expect(new URLSearchParams(form).get('a')).not.toContain(secret)
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          const scrubbed = scrub(Buffer.from(around).toString(encoding))
          expect(Buffer.from(scrubbed.replaceAll('*', ''), encoding).toString()).not.toContain(secret)
          expect(scrubbed).toContain('********')
        }
      },
    ),
  )
})

test('short secrets are replaced only as whole words, and other text stays', () => {
  const scrub = createScrub(['abc', 'longer-secret', ''])
  expect(scrub('abc, abcd, "abc" x=abc; longer-secrets')).toBe('********, abcd, "********" x=********; ********s')
  expect(createScrub([])('nothing is replaced')).toBe('nothing is replaced')
})

test('the longest of several secrets is replaced first, so that no part of it is left', () => {
  expect(createScrub(['secret', 'secret-of-more'])('a secret-of-more b secret c')).toBe('a ******** b ******** c')
})

test('many secrets in a long text take seconds, not minutes', () => {
  const secrets = Array.from({ length: 20_000 }, (_, i) => `community-${(i * 7919) % 1_000_003}-x`)
  const text = Array.from({ length: 20_000 }, (_, i) => `line ${i} of a log with nothing in it`).join('\n')
  expect(createScrub(secrets)(`${text} ${secrets[17]}`)).toBe(`${text} ********`)
})
