import { expect, test } from 'bun:test'
import { parseSetting } from '../../src/config/parse.ts'
import { phpPattern, phpPatternError } from '../../src/config/php-pattern.ts'
import { createSettings } from '../../src/config/settings.ts'

test('delimiters and flags of PHP are understood', () => {
  expect(phpPattern('/^phone-/i').test('PHONE-7')).toBe(true)
  expect(phpPattern('/^phone-/').test('PHONE-7')).toBe(false)
  expect(phpPattern('#^a/b#').test('a/b')).toBe(true)
  expect(phpPattern('~x$~m').test('x\ny')).toBe(true)
})

test('without delimiters, case does not count', () => {
  expect(phpPattern('^phone-').test('PHONE-7')).toBe(true)
  // a single slash is no delimiter
  expect(phpPattern('a/b').test('A/B')).toBe(true)
})

test('what is not linear or does not compile is refused with the reason', () => {
  expect(phpPatternError('/^ok$/i')).toBeNull()
  for (const bad of ['', '/(/', '/(a)\\1/', '/(?<name>a)\\k<name>/', 'x'.repeat(1001)])
    expect(phpPatternError(bad)).toBeString()
  const parsed = parseSetting('autodiscovery.xdp_exclude.sysname_regexp', '["/^ok/", "/(/"]')
  expect(parsed).toMatchObject({ kind: 'invalid' })
  expect(parsed.kind === 'invalid' ? parsed.allowed : '').toStartWith(
    'regular expressions that match in linear time; "/(/" is none: ',
  )
})

test('settings of finding devices take JSON lists and have variables', () => {
  expect(parseSetting('autodiscovery.nets-exclude', '["10.0.0.0/8","fd00::/8"]')).toEqual({
    kind: 'valid',
    value: ['10.0.0.0/8', 'fd00::/8'],
  })
  expect(parseSetting('autodiscovery.nets-exclude', '["10.0.0.0/40"]').kind).toBe('invalid')
  expect(parseSetting('mydomain', '.example.net').kind).toBe('invalid')
  expect(parseSetting('mydomain', 'example.net').kind).toBe('valid')
  const settings = createSettings({
    env: { PORTLIGHT_AUTODISCOVERY_NETS_EXCLUDE: '10.0.0.0/8', PORTLIGHT_AUTODISCOVERY_XDP: '0' },
  })
  expect(settings.get('autodiscovery.nets-exclude')).toEqual(['10.0.0.0/8'])
  expect(settings.get('autodiscovery.xdp')).toBe(false)
})
